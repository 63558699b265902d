// Python bindings of the weights, searches and training of Limes. Searches and training release the GIL.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <stdexcept>
#include <tuple>

#include "bindings/bindings.hpp"
#include "limes/par.hpp"
#include "limes/portable/search.hpp"
#include "limes/portable/trainer.hpp"
#include "limes/portable/upper_bound.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace limina {

namespace {

using namespace limes;

using CandidateTuple = std::tuple<std::uint32_t, double, double, int>;

nb::bytes to_bytes(std::span<const float> floats) { return nb::bytes(floats.data(), floats.size_bytes()); }

std::vector<float> to_floats(const nb::bytes& bytes) {
    std::vector<float> floats(bytes.size() / sizeof(float));
    std::memcpy(floats.data(), bytes.c_str(), floats.size() * sizeof(float));
    return floats;
}

Weights read_weights(const nb::bytes& file) {
    std::string error;
    const auto* begin = reinterpret_cast<const std::uint8_t*>(file.c_str());
    std::optional<Weights> weights = Weights::from_bytes({begin, file.size()}, error);
    if (!weights) throw std::invalid_argument(error);
    return *std::move(weights);
}

nb::bytes write_weights(const Weights& weights) {
    const std::vector<std::uint8_t> file = weights.to_bytes();
    return nb::bytes(file.data(), file.size());
}

std::vector<std::tuple<std::uint32_t, float>> ranked_turns(const Weights& weights, const Display& display,
                                                           const Card& card) {
    std::vector<std::tuple<std::uint32_t, float>> list;
    if (display.card_count >= kRounds) return list;
    for (const BoardTurn& turn : all_turns(weights, display, card, {})) {
        list.emplace_back(to_turn(display, card, turn).pack(), turn.value);
    }
    return list;
}

std::tuple<std::vector<CandidateTuple>, std::uint64_t, bool> checked_search(
    const Weights& weights, const Display& display, const std::vector<Card>& deck, int card, std::uint32_t unseen,
    const std::vector<Display>& opponents, int rollouts, int candidates, int depth, int threads, double seconds,
    std::uint64_t seed, const CancelToken& cancel_token) {
    if (deck.size() != kDeckSize) throw std::invalid_argument("a deck has 24 cards");
    if (card < 0 || card >= kDeckSize) throw std::invalid_argument("a card must be from 0 to 23");
    if (display.card_count >= kRounds) throw std::invalid_argument("the display is full");
    const std::uint32_t known = unseen & ((1U << kDeckSize) - 1) & ~(1U << card);
    if (display.card_count + 1 + std::popcount(known) < kRounds) {
        throw std::invalid_argument("too few cards are left to play to the end");
    }
    for (const Display& opponent : opponents) {
        if (opponent.card_count < display.card_count || opponent.card_count > display.card_count + 1) {
            throw std::invalid_argument("the other players must be in the same round");
        }
    }
    if (rollouts < 0 || candidates < 1 || threads < 1 || threads > 256 || depth < 0) {
        throw std::invalid_argument("rollouts, candidates, depth or threads are out of range");
    }
    SearchResult result;
    {
        nb::gil_scoped_release gil_release;
        result = search(weights, {display, deck, card, known, opponents},
                        {rollouts, candidates, depth, threads, seconds}, seed, cancel_token);
    }
    std::vector<CandidateTuple> list;
    for (const Candidate& candidate : result.candidates) {
        list.emplace_back(to_turn(display, deck[card], candidate.turn).pack(), candidate.points,
                          candidate.win_probability, candidate.rollouts);
    }
    return {std::move(list), result.rollouts, result.finished};
}

std::tuple<int, std::vector<std::uint32_t>, std::uint64_t> checked_par(const std::vector<Card>& cards, bool diagonal,
                                                                       bool ferryman, std::uint64_t max_arrangements,
                                                                       int threads, double seconds,
                                                                       const CancelToken& cancel_token) {
    if (cards.size() != kRounds) throw std::invalid_argument("a deal has 16 cards");
    if (max_arrangements < 1) throw std::invalid_argument("max_arrangements must be at least 1");
    if (threads < 1 || threads > 256) throw std::invalid_argument("threads must be from 1 to 256");
    nb::gil_scoped_release gil_release;
    const ParResult result = find_par(cards, {diagonal, ferryman}, max_arrangements, threads, seconds, cancel_token);
    std::vector<std::uint32_t> turns;
    for (const Turn& turn : result.turns) turns.push_back(turn.pack());
    return {result.total, std::move(turns), result.arrangements_tried};
}

int checked_upper_bound(const std::vector<Card>& cards) {
    if (cards.size() != kRounds) throw std::invalid_argument("a deal has 16 cards");
    nb::gil_scoped_release gil_release;
    return upper_bound(cards);
}

}  // namespace

void bind_limes_search(nb::module_ m) {
    nb::class_<Weights>(
        m, "Weights",
        "Weights of the evaluation, which estimates the final total of a display. New weights estimate it "
        "by the present total.")
        .def(nb::init<>())
        .def(
            "__deepcopy__", [](nb::object self, nb::handle) { return self; }, "memo"_a,
            "Return the same object, which is immutable.")
        .def_static("from_bytes", &read_weights, "data"_a,
                    "Read the weights of a file. Raises ValueError if it is invalid.")
        .def("to_bytes", &write_weights, "Return the weights as the bytes of a file.")
        .def(
            "evaluate",
            [](const Weights& weights, const Display& d) { return d.card_count > 0 ? evaluate(weights, d, {}) : 0.0F; },
            "display"_a, "Return the estimated final total.")
        .def("ranked_turns", &ranked_turns, "display"_a, "card"_a,
             "Return all turns with distinct results and their estimated final totals, best first.");

    nb::class_<Trainer>(m, "Trainer", "Learns weights by self-play.")
        .def(nb::init<>())
        .def_static(
            "restore",
            [](const nb::bytes& weights, const nb::bytes& averages, const nb::bytes& correction_sums,
               const nb::bytes& magnitudes) {
                return Trainer(to_floats(weights), to_floats(averages), to_floats(correction_sums),
                               to_floats(magnitudes));
            },
            "weights"_a, "averages"_a, "correction_sums"_a, "magnitudes"_a, "Continue from the parts of a `state`.")
        .def(
            "state",
            [](const Trainer& t) {
                return std::tuple(to_bytes(t.weights().floats()), to_bytes(t.averaged_weights().floats()),
                                  to_bytes(t.correction_sums()), to_bytes(t.magnitudes()));
            },
            "Return the complete state, for `restore`.")
        .def(
            "train",
            [](Trainer& t, const std::vector<Card>& deck, std::uint64_t games, float table_rate, float network_step,
               float trace_decay, float exploration_rate, float averaging_weight, std::uint64_t seed,
               const CancelToken& cancel_token) {
                if (deck.size() != kDeckSize) throw std::invalid_argument("a deck has 24 cards");
                nb::gil_scoped_release gil_release;
                return t.train(deck, games, {table_rate, network_step, trace_decay, exploration_rate, averaging_weight},
                               seed, cancel_token);
            },
            "deck"_a, "games"_a, nb::kw_only(), "table_rate"_a, "network_step"_a, "trace_decay"_a, "exploration_rate"_a,
            "averaging_weight"_a, "seed"_a, "cancel_token"_a, "Play games, learn from them, and return the mean total.")
        .def("averaged_weights", [](const Trainer& t) { return t.averaged_weights(); });

    m.def("search", &checked_search, "weights"_a, "display"_a, "deck"_a, "card"_a, "unseen"_a, "opponents"_a,
          nb::kw_only(), "rollouts"_a, "candidates"_a, "depth"_a, "threads"_a, "seconds"_a, "seed"_a, "cancel_token"_a,
          "Return all turns as (turn, expected points, win probability, rollouts), best first; the number of rollouts; "
          "and True unless the search was stopped.");
    m.def("par", &checked_par, "cards"_a, "diagonal"_a, "ferryman"_a, nb::kw_only(), "max_arrangements"_a, "threads"_a,
          "seconds"_a, "cancel_token"_a,
          "Return the best total found for a deal, its turns (empty if canceled before the first), and the number of "
          "arrangements tried.");
    m.def("upper_bound", &checked_upper_bound, "cards"_a, "Return a total that no display of these cards exceeds.");
}

}  // namespace limina

// The values of Limes and all that looks ahead with them, as Python sees it. Long work runs without the GIL.
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

nb::bytes bytes_of(std::span<const float> numbers) { return nb::bytes(numbers.data(), numbers.size_bytes()); }

std::vector<float> floats_of(const nb::bytes& bytes) {
    std::vector<float> numbers(bytes.size() / sizeof(float));
    std::memcpy(numbers.data(), bytes.c_str(), numbers.size() * sizeof(float));
    return numbers;
}

Weights read_values(const nb::bytes& file) {
    std::string error;
    const auto* begin = reinterpret_cast<const std::uint8_t*>(file.c_str());
    std::optional<Weights> weights = Weights::from_bytes({begin, file.size()}, error);
    if (!weights) throw std::invalid_argument(error);
    return *std::move(weights);
}

nb::bytes write_values(const Weights& weights) {
    const std::vector<std::uint8_t> file = weights.to_bytes();
    return nb::bytes(file.data(), file.size());
}

std::vector<std::tuple<std::uint32_t, float>> turn_list(const Weights& weights, const Display& display,
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
    if (card < 0 || card >= kDeckSize) throw std::invalid_argument("a card is a number from 0 to 23");
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
        throw std::invalid_argument("this is not an amount of work");
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
    if (max_arrangements < 1) throw std::invalid_argument("at least 1 arrangement has to be tried");
    if (threads < 1 || threads > 256) throw std::invalid_argument("this is not a number of threads");
    nb::gil_scoped_release gil_release;
    const ParResult result = find_par(cards, {diagonal, ferryman}, max_arrangements, threads, seconds, cancel_token);
    std::vector<std::uint32_t> turns;
    for (const Turn& turn : result.turns) turns.push_back(turn.pack());
    return {result.total, std::move(turns), result.arrangements_tried};
}

int checked_bound(const std::vector<Card>& cards) {
    if (cards.size() != kRounds) throw std::invalid_argument("a deal has 16 cards");
    nb::gil_scoped_release gil_release;
    return upper_bound(cards);
}

}  // namespace

void bind_limes_search(nb::module_ m) {
    nb::class_<Weights>(m, "Values",
                        "What displays will be worth at the end. New ones know only the points of the moment.")
        .def(nb::init<>())
        .def(
            "__deepcopy__", [](nb::object self, nb::handle) { return self; }, "memo"_a, "Itself: nothing changes it.")
        .def_static("read", &read_values, "file"_a,
                    "Values as a file holds them; ValueError says what is wrong with it.")
        .def("write", &write_values)
        .def(
            "value",
            [](const Weights& weights, const Display& d) { return d.card_count > 0 ? evaluate(weights, d, {}) : 0.0F; },
            "display"_a, "The points expected at the end.")
        .def("turns", &turn_list, "display"_a, "card"_a, "All turns that differ, with their values, best first.");

    nb::class_<Trainer>(m, "Trainer", "Values while they are learned.")
        .def(nb::init<>())
        .def_static(
            "restored",
            [](const nb::bytes& weights, const nb::bytes& means, const nb::bytes& sums, const nb::bytes& sizes) {
                return Trainer(floats_of(weights), floats_of(means), floats_of(sums), floats_of(sizes));
            },
            "weights"_a, "means"_a, "sums"_a, "sizes"_a)
        .def(
            "state",
            [](const Trainer& t) {
                return std::tuple(bytes_of(t.weights().floats()), bytes_of(t.averaged_weights().floats()),
                                  bytes_of(t.correction_sums()), bytes_of(t.magnitudes()));
            },
            "All there is to go on from.")
        .def(
            "run",
            [](Trainer& t, const std::vector<Card>& deck, std::uint64_t games, float tables, float network, float trace,
               float explore, float recent, std::uint64_t seed, const CancelToken& cancel_token) {
                if (deck.size() != kDeckSize) throw std::invalid_argument("a deck has 24 cards");
                nb::gil_scoped_release gil_release;
                return t.train(deck, games, {tables, network, trace, explore, recent}, seed, cancel_token);
            },
            "deck"_a, "games"_a, nb::kw_only(), "tables"_a, "network"_a, "trace"_a, "explore"_a, "recent"_a, "seed"_a,
            "stop"_a, "Play and learn; the mean total.")
        .def("values", [](const Trainer& t) { return t.averaged_weights(); });

    m.def("search", &checked_search, "values"_a, "display"_a, "deck"_a, "card"_a, "unseen"_a, "rivals"_a, nb::kw_only(),
          "rollouts"_a, "candidates"_a, "depth"_a, "threads"_a, "seconds"_a, "seed"_a, "stop"_a,
          "All turns as (turn, expected points, chance to win, rollouts), best first; all rollouts; whether it "
          "finished.");
    m.def("par", &checked_par, "cards"_a, "diagonal"_a, "ferryman"_a, nb::kw_only(), "most"_a, "threads"_a, "seconds"_a,
          "stop"_a,
          "The best total found for a deal, its turns (none: it was stopped), how many arrangements were tried.");
    m.def("bound", &checked_bound, "cards"_a, "A total that no full display of these cards exceeds.");
}

}  // namespace limina

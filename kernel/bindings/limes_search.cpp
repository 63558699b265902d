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

Values read_values(const nb::bytes& file) {
    std::string problem;
    const auto* begin = reinterpret_cast<const std::uint8_t*>(file.c_str());
    std::optional<Values> values = Values::read({begin, file.size()}, problem);
    if (!values) throw std::invalid_argument(problem);
    return *std::move(values);
}

nb::bytes write_values(const Values& values) {
    const std::vector<std::uint8_t> file = values.write();
    return nb::bytes(file.data(), file.size());
}

std::vector<std::tuple<std::uint32_t, float>> turn_list(const Values& values, const Display& display,
                                                        const Card& card) {
    std::vector<std::tuple<std::uint32_t, float>> list;
    if (display.cards >= kRounds) return list;
    for (const Choice& choice : choices(values, display, card, {})) {
        list.emplace_back(turn_of(display, card, choice).pack(), choice.value);
    }
    return list;
}

std::tuple<std::vector<CandidateTuple>, std::uint64_t, bool> checked_search(
    const Values& values, const Display& display, const std::vector<Card>& deck, int card, std::uint32_t unseen,
    const std::vector<Display>& rivals, int rollouts, int candidates, int depth, int threads, double seconds, Word seed,
    const Stop& stop) {
    if (deck.size() != kCards) throw std::invalid_argument("a deck has 24 cards");
    if (card < 0 || card >= kCards) throw std::invalid_argument("a card is a number from 0 to 23");
    if (display.cards >= kRounds) throw std::invalid_argument("the display is full");
    const std::uint32_t known = unseen & ((1U << kCards) - 1) & ~(1U << card);
    if (display.cards + 1 + std::popcount(known) < kRounds) {
        throw std::invalid_argument("too few cards are left to play to the end");
    }
    for (const Display& rival : rivals) {
        if (rival.cards < display.cards || rival.cards > display.cards + 1) {
            throw std::invalid_argument("the other players must be in the same round");
        }
    }
    if (rollouts < 0 || candidates < 1 || threads < 1 || threads > 256 || depth < 0) {
        throw std::invalid_argument("this is not an amount of work");
    }
    Report report;
    {
        nb::gil_scoped_release free;
        report = search(values, {display, deck, card, known, rivals}, {rollouts, candidates, depth, threads, seconds},
                        seed, stop);
    }
    std::vector<CandidateTuple> list;
    for (const Candidate& candidate : report.candidates) {
        list.emplace_back(turn_of(display, deck[static_cast<std::size_t>(card)], candidate.choice).pack(),
                          candidate.points, candidate.chance, candidate.rollouts);
    }
    return {std::move(list), report.rollouts, report.finished};
}

std::tuple<int, std::vector<std::uint32_t>, std::uint64_t> checked_par(const std::vector<Card>& cards, bool diagonal,
                                                                       bool ferryman, std::uint64_t most, int threads,
                                                                       double seconds, const Stop& stop) {
    if (cards.size() != kRounds) throw std::invalid_argument("a deal has 16 cards");
    if (most < 1) throw std::invalid_argument("at least 1 arrangement has to be tried");
    if (threads < 1 || threads > 256) throw std::invalid_argument("this is not a number of threads");
    nb::gil_scoped_release free;
    const Par result = par(cards, {diagonal, ferryman}, most, threads, seconds, stop);
    std::vector<std::uint32_t> turns;
    for (const Turn& turn : result.turns) turns.push_back(turn.pack());
    return {result.total, std::move(turns), result.tried};
}

int checked_bound(const std::vector<Card>& cards) {
    if (cards.size() != kRounds) throw std::invalid_argument("a deal has 16 cards");
    nb::gil_scoped_release free;
    return bound(cards);
}

}  // namespace

void bind_limes_search(nb::module_ m) {
    nb::class_<Values>(m, "Values",
                       "What displays will be worth at the end. New ones know only the points of the moment.")
        .def(nb::init<>())
        .def(
            "__deepcopy__", [](nb::object self, nb::handle) { return self; }, "memo"_a, "Itself: nothing changes it.")
        .def_static("read", &read_values, "file"_a,
                    "Values as a file holds them; ValueError says what is wrong with it.")
        .def("write", &write_values)
        .def(
            "value", [](const Values& values, const Display& d) { return d.cards > 0 ? value(values, d, {}) : 0.0F; },
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
                return std::tuple(bytes_of(t.weights().weights()), bytes_of(t.values().weights()), bytes_of(t.sums()),
                                  bytes_of(t.sizes()));
            },
            "All there is to go on from.")
        .def(
            "run",
            [](Trainer& t, const std::vector<Card>& deck, std::uint64_t games, float tables, float network, float trace,
               float explore, float recent, Word seed, const Stop& stop) {
                if (deck.size() != kCards) throw std::invalid_argument("a deck has 24 cards");
                nb::gil_scoped_release free;
                return t.run(deck, games, {tables, network, trace, explore, recent}, seed, stop);
            },
            "deck"_a, "games"_a, nb::kw_only(), "tables"_a, "network"_a, "trace"_a, "explore"_a, "recent"_a, "seed"_a,
            "stop"_a, "Play and learn; the mean total.")
        .def("values", [](const Trainer& t) { return t.values(); });

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

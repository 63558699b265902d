// Limes as Python sees it: cards, displays, turns as numbers. Names and words are made in Python.
#include <nanobind/operators.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <stdexcept>
#include <tuple>

#include "bindings/bindings.hpp"
#include "limes/rules.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace limina {

namespace {

using namespace limes;

using ZoneList = std::vector<int>;
using ScoreTuple = std::tuple<int, int, bool, ZoneList, std::vector<ZoneList>>;
using DisplayState = std::tuple<std::array<Bitboard, 7>, std::array<int, 8>>;

using Zone = std::optional<std::uint8_t>;
using Action = std::tuple<Zone, Zone, int>;
using Placement = std::tuple<int, int, std::vector<Action>>;

Zone zone_or_none(std::uint8_t zone) { return zone == Turn::kNone ? std::nullopt : Zone(zone); }

std::tuple<int, int, Zone, Zone> turn_parts(std::uint32_t code) {
    const Turn turn = Turn::unpack(code);
    return {turn.cell, turn.turning, zone_or_none(turn.source), zone_or_none(turn.target)};
}

std::uint32_t turn_code(std::uint8_t cell, std::uint8_t turning, Zone source, Zone target) {
    return Turn{cell, turning, source.value_or(Turn::kNone), target.value_or(Turn::kNone)}.pack();
}

ZoneList zones_on_grid(const Display& display, Bitboard zones) {
    ZoneList list;
    while (zones != 0) list.push_back(zone_on_grid(display, pop_lsb(zones)));
    return list;
}

Card make_card(const std::vector<std::tuple<int, bool>>& face) {
    if (face.size() != 4) throw std::invalid_argument("a card has four zones");
    std::array<FaceZone, 4> zones;
    for (std::size_t i = 0; i < 4; ++i) {
        const auto [landscape, hut] = face[i];
        if (landscape < 0 || landscape > 3) throw std::invalid_argument("a landscape is a number from 0 to 3");
        zones[i] = {static_cast<Landscape>(landscape), hut};
    }
    return Card(zones);
}

DisplayState state(const Display& d) {
    return {{d.covered, d.ground.lo, d.ground.hi, d.ground.huts, d.workers_bit0, d.workers_bit1, d.workers_bit2},
            {d.left, d.top, d.width, d.height, d.supply, d.card_count, d.variants.diagonal, d.variants.ferryman}};
}

Display restored(const DisplayState& state) {
    const auto& [words, numbers] = state;
    Display d;
    d.variants = {numbers[6] != 0, numbers[7] != 0};
    const auto [covered, lo, hi, huts, one, two, four] = words;
    const auto [left, top, width, height, supply, cards, diagonal, ferryman] = numbers;
    // Only what the kernel relies on to stay within its words; a display that could not be reached is the caller's.
    const bool sound = left >= 0 && left <= 3 && top >= 0 && top <= 3 && width >= 0 && width <= 4 && height >= 0 &&
                       height <= 4 && left + width >= (cards > 0 ? 4 : 3) && top + height >= (cards > 0 ? 4 : 3) &&
                       cards >= 0 && cards <= kRounds && supply >= 0 && supply <= kWorkersPerPlayer &&
                       popcount(covered) == 4 * cards && ((lo | hi | huts | one | two | four) & ~covered) == 0 &&
                       popcount(one) + 2 * popcount(two) + 4 * popcount(four) + supply == kWorkersPerPlayer;
    if (!sound) throw std::invalid_argument("this is not the state of a display");
    d.covered = covered;
    d.ground = {lo, hi, huts};
    d.workers_bit0 = one;
    d.workers_bit1 = two;
    d.workers_bit2 = four;
    d.left = static_cast<std::uint8_t>(left);
    d.top = static_cast<std::uint8_t>(top);
    d.width = static_cast<std::uint8_t>(width);
    d.height = static_cast<std::uint8_t>(height);
    d.supply = static_cast<std::uint8_t>(supply);
    d.card_count = static_cast<std::uint8_t>(cards);
    return d;
}

std::size_t hash(const Display& d) {
    std::uint64_t h = 0;
    const auto [words, numbers] = state(d);
    for (const Bitboard word : words) h = Rng(h ^ word).next();
    for (const int number : numbers) h = h * 31 + static_cast<std::uint64_t>(number);
    return static_cast<std::size_t>(Rng(h).next());
}

std::vector<std::uint32_t> packed_legal_turns(const Display& display, const Card& card) {
    const std::vector<Turn> turns = legal_turns(display, card);
    std::vector<std::uint32_t> codes(turns.size());
    for (std::size_t i = 0; i < turns.size(); ++i) codes[i] = turns[i].pack();
    return codes;
}

std::vector<Placement> placements(const Display& display, const Card& card) {
    std::vector<Placement> list;
    const Turn* before = nullptr;
    const std::vector<ScoredTurn> turns = scored_turns(display, card);
    for (const auto& [turn, total] : turns) {
        if (before == nullptr || turn.cell != before->cell || turn.turning != before->turning) {
            list.emplace_back(turn.cell, turn.turning, std::vector<Action>());
        }
        std::get<2>(list.back()).emplace_back(zone_or_none(turn.source), zone_or_none(turn.target), total);
        before = &turn;
    }
    return list;
}

std::vector<ScoreTuple> score_tuples(const Display& display) {
    std::vector<ScoreTuple> result;
    for (const WorkerScore& score : scores(display)) {
        std::vector<ZoneList> counted;
        for (const Bitboard thing : score.counted) counted.push_back(zones_on_grid(display, thing));
        result.emplace_back(score.zone, static_cast<int>(score.profession), score.is_scoring,
                            zones_on_grid(display, score.territory), std::move(counted));
    }
    return result;
}

// For drawings of anything that is not a display in a game: single cards, examples.
std::vector<std::vector<int>> territories_of(const std::vector<std::tuple<int, int, int>>& zones) {
    Display patch;
    std::array<int, 64> index{};
    for (std::size_t i = 0; i < zones.size(); ++i) {
        const auto [x, y, landscape] = zones[i];
        if (x < 0 || x > 7 || y < 0 || y > 7 || landscape < 0 || landscape > 3) {
            throw std::invalid_argument("zones are within 8x8, landscapes from 0 to 3");
        }
        const int zone = 8 * y + x;
        if (contains(patch.covered, zone)) throw std::invalid_argument("two zones lie on one place");
        patch.covered |= bit_at(zone);
        if (landscape & 1) patch.ground.lo |= bit_at(zone);
        if (landscape & 2) patch.ground.hi |= bit_at(zone);
        index[zone] = static_cast<int>(i);
    }
    std::vector<std::vector<int>> result;
    for (Bitboard territory : list_territories(patch)) {
        result.emplace_back();
        while (territory != 0) result.back().push_back(index[pop_lsb(territory)]);
    }
    return result;
}

std::vector<std::uint64_t> checked_playouts(const Display& display, const std::vector<Card>& deck, std::uint32_t unseen,
                                            int next, std::uint64_t games, std::uint64_t seed) {
    if (deck.size() != kDeckSize) throw std::invalid_argument("a deck has 24 cards");
    if (next < -1 || next >= kDeckSize) throw std::invalid_argument("a card is a number from 0 to 23, or -1 for none");
    const std::uint32_t known = unseen & ((1U << kDeckSize) - 1) & ~(next >= 0 ? 1U << next : 0U);
    if (display.card_count + std::popcount(known) + (next >= 0) < kRounds) {
        throw std::invalid_argument("too few cards are left to play to the end");
    }
    nb::gil_scoped_release gil_release;
    const PlayoutResult result = playouts(display, deck, known, next, games, seed);
    return {result.count_by_total.begin(), result.count_by_total.end()};
}

}  // namespace

void bind_limes(nb::module_ m) {
    m.attr("ROUNDS") = kRounds;
    m.attr("WORKERS") = kWorkersPerPlayer;
    m.attr("CARDS") = kDeckSize;

    nb::enum_<IllegalTurnReason>(m, "Problem", "Why a turn is not legal.")
        .value("FULL", IllegalTurnReason::display_full)
        .value("NO_SUCH_CELL", IllegalTurnReason::no_such_cell)
        .value("FIRST_CELL", IllegalTurnReason::first_card_off_d4)
        .value("TAKEN", IllegalTurnReason::cell_taken)
        .value("NOT_BESIDE", IllegalTurnReason::not_beside_card)
        .value("TOO_WIDE", IllegalTurnReason::too_wide)
        .value("TOO_TALL", IllegalTurnReason::too_tall)
        .value("NO_SUCH_TURNING", IllegalTurnReason::no_such_turning)
        .value("EMPTY_SUPPLY", IllegalTurnReason::empty_supply)
        .value("OFF_CARD", IllegalTurnReason::target_off_card)
        .value("NO_WORKER", IllegalTurnReason::no_worker_on_source)
        .value("NO_GROUND", IllegalTurnReason::no_card_under_target)
        .value("OWN_TERRITORY", IllegalTurnReason::target_in_own_territory)
        .value("NOT_ADJACENT", IllegalTurnReason::target_not_adjacent);

    nb::class_<Card>(m, "Card", "A card face: four (landscape, hut) in the order nw ne sw se.")
        .def(
            "__init__",
            [](Card* self, const std::vector<std::tuple<int, bool>>& face) { new (self) Card(make_card(face)); },
            "face"_a);

    nb::class_<Display>(m, "Display", "One player's cards and workers. Never changes: playing returns another.")
        .def(
            "__init__",
            [](Display* self, bool diagonal, bool ferryman) {
                new (self) Display();
                self->variants = {diagonal, ferryman};
            },
            "diagonal"_a = false, "ferryman"_a = false)
        .def(
            "open_cells",
            [](const Display& d) {
                ZoneList cells;
                for (Bitboard left = d.card_count < kRounds ? open_cells(d) : 0; left != 0;)
                    cells.push_back(pop_lsb(left));
                return cells;
            },
            "The cells where a card may be laid, as 8 * row + column.")
        .def("legal_turns", &packed_legal_turns, "card"_a, "All legal turns with this card, as numbers.")
        .def("placements", &placements, "card"_a,
             "All legal turns by the way the card is laid: (cell, turning, actions), an action (source, target, total "
             "after it).")
        .def(
            "play",
            [](const Display& d, const Card& card, std::uint32_t turn) { return play(d, card, Turn::unpack(turn)); },
            "card"_a, "turn"_a, "The display after the turn, or why it is not legal.")
        .def(
            "zones",
            [](const Display& d) {
                std::vector<std::tuple<int, int, bool>> zones;
                for (Bitboard left = d.covered; left != 0;) {
                    const int z = pop_lsb(left);
                    zones.emplace_back(zone_on_grid(d, z), contains(d.ground.lo, z) + 2 * contains(d.ground.hi, z),
                                       contains(d.ground.huts, z));
                }
                return zones;
            },
            "All zones as (zone, landscape, hut).")
        .def(
            "workers",
            [](const Display& d) {
                ZoneList list;
                for (Bitboard left = d.workers(); left != 0;) {
                    const int z = pop_lsb(left);
                    list.insert(list.end(), d.workers_on(z), zone_on_grid(d, z));
                }
                return list;
            },
            "The zone of each worker.")
        .def(
            "territories",
            [](const Display& d) {
                std::vector<ZoneList> list;
                for (const Bitboard territory : list_territories(d)) list.push_back(zones_on_grid(d, territory));
                return list;
            },
            "All territories as lists of zones.")
        .def("scores", &score_tuples, "Each worker as (zone, profession, scored, territory, counted).")
        .def("total", [](const Display& d) { return total(d); })
        .def("ranking", &tie_break_points, "The points of the workers who score, best first.")
        .def("playouts", &checked_playouts, "deck"_a, "unseen"_a, "next"_a, "games"_a, "seed"_a,
             "How often random play to the end reached each total.")
        .def_ro("supply", &Display::supply)
        .def_ro("cards", &Display::card_count)
        .def_prop_ro("diagonal", [](const Display& d) { return d.variants.diagonal; })
        .def_prop_ro("ferryman", [](const Display& d) { return d.variants.ferryman; })
        .def(nb::self == nb::self, nb::sig("def __eq__(self, arg: object, /) -> bool"))
        .def("__hash__", &hash)
        .def("__getstate__", &state)
        .def("__setstate__", [](Display& self, const DisplayState& s) { new (&self) Display(restored(s)); });

    m.def("turn_parts", &turn_parts, "turn"_a,
          "The parts of a turn: cell, turning, the zone a worker leaves (none: the supply) and where he goes (none: "
          "nobody does).");
    m.def("turn_code", &turn_code, "cell"_a, "turning"_a, "source"_a.none() = nb::none(),
          "target"_a.none() = nb::none(), "The number of the turn with these parts.");
    m.def(
        "winners", [](const std::vector<Display>& displays) { return winners(displays); }, "displays"_a,
        "Who wins or shares the win.");
    m.def("territories", &territories_of, "zones"_a,
          "The territories of a patch of zones (x, y, landscape) within 8x8, as lists of indices into it.");
    m.def("rating", &rating, "total"_a, "The wording for a lone player's total.");
}

}  // namespace limina

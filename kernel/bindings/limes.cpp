// Python bindings of Limes: cards, displays, packed turns. Notation and texts are made in Python.
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
using PlacementTuple = std::tuple<int, int, std::vector<Action>>;

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
        if (landscape < 0 || landscape > 3) throw std::invalid_argument("a landscape must be from 0 to 3");
        zones[i] = {static_cast<Landscape>(landscape), hut};
    }
    return Card(zones);
}

DisplayState state(const Display& d) {
    return {{d.covered, d.ground.lo, d.ground.hi, d.ground.huts, d.workers_bit0, d.workers_bit1, d.workers_bit2},
            {d.left, d.top, d.width, d.height, d.supply, d.card_count, d.variants.diagonal, d.variants.ferryman}};
}

Display restore_display(const DisplayState& state) {
    const auto& [bitboards, numbers] = state;
    Display d;
    d.variants = {numbers[6] != 0, numbers[7] != 0};
    const auto [covered, lo, hi, huts, workers_bit0, workers_bit1, workers_bit2] = bitboards;
    const auto [left, top, width, height, supply, cards, diagonal, ferryman] = numbers;
    // Checks only what memory safety depends on. The caller is responsible for unreachable displays.
    const bool is_valid =
        left >= 0 && left <= 3 && top >= 0 && top <= 3 && width >= 0 && width <= 4 && height >= 0 && height <= 4 &&
        left + width >= (cards > 0 ? 4 : 3) && top + height >= (cards > 0 ? 4 : 3) && cards >= 0 && cards <= kRounds &&
        supply >= 0 && supply <= kWorkersPerPlayer && popcount(covered) == 4 * cards &&
        ((lo | hi | huts | workers_bit0 | workers_bit1 | workers_bit2) & ~covered) == 0 &&
        popcount(workers_bit0) + 2 * popcount(workers_bit1) + 4 * popcount(workers_bit2) + supply == kWorkersPerPlayer;
    if (!is_valid) throw std::invalid_argument("this is not the state of a display");
    d.covered = covered;
    d.ground = {lo, hi, huts};
    d.workers_bit0 = workers_bit0;
    d.workers_bit1 = workers_bit1;
    d.workers_bit2 = workers_bit2;
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
    const auto [bitboards, numbers] = state(d);
    for (const Bitboard bits : bitboards) h = Rng(h ^ bits).next();
    for (const int number : numbers) h = h * 31 + static_cast<std::uint64_t>(number);
    return static_cast<std::size_t>(Rng(h).next());
}

std::vector<std::uint32_t> packed_legal_turns(const Display& display, const Card& card) {
    const std::vector<Turn> turns = legal_turns(display, card);
    std::vector<std::uint32_t> codes(turns.size());
    for (std::size_t i = 0; i < turns.size(); ++i) codes[i] = turns[i].pack();
    return codes;
}

std::vector<PlacementTuple> placements(const Display& display, const Card& card) {
    std::vector<PlacementTuple> list;
    const Turn* previous = nullptr;
    const std::vector<ScoredTurn> turns = scored_turns(display, card);
    for (const auto& [turn, total] : turns) {
        if (previous == nullptr || turn.cell != previous->cell || turn.turning != previous->turning) {
            list.emplace_back(turn.cell, turn.turning, std::vector<Action>());
        }
        std::get<2>(list.back()).emplace_back(zone_or_none(turn.source), zone_or_none(turn.target), total);
        previous = &turn;
    }
    return list;
}

std::vector<ScoreTuple> score_tuples(const Display& display) {
    std::vector<ScoreTuple> result;
    for (const WorkerScore& score : scores(display)) {
        std::vector<ZoneList> counted;
        for (const Bitboard zones : score.counted) counted.push_back(zones_on_grid(display, zones));
        result.emplace_back(score.zone, static_cast<int>(score.profession), score.is_scoring,
                            zones_on_grid(display, score.territory), std::move(counted));
    }
    return result;
}

// Returns the territories of zones that are not a display, for drawings of single cards and rule examples. A zone is
// given as x (column), y (row) and landscape, a territory as indices of zones.
std::vector<std::vector<int>> territories_of(const std::vector<std::tuple<int, int, int>>& zones) {
    Display patch;
    std::array<int, 64> index{};
    for (std::size_t i = 0; i < zones.size(); ++i) {
        const auto [x, y, landscape] = zones[i];
        if (x < 0 || x > 7 || y < 0 || y > 7 || landscape < 0 || landscape > 3) {
            throw std::invalid_argument("a zone must be within 8x8, its landscape from 0 to 3");
        }
        const int zone = 8 * y + x;
        if (contains(patch.covered, zone)) throw std::invalid_argument("two zones have the same coordinates");
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
    if (next < -1 || next >= kDeckSize) throw std::invalid_argument("a card must be from 0 to 23, or -1 for none");
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
    m.attr("WORKERS_PER_PLAYER") = kWorkersPerPlayer;
    m.attr("DECK_SIZE") = kDeckSize;

    nb::enum_<IllegalTurnReason>(m, "IllegalTurnReason", "The rule that a turn breaks.")
        .value("DISPLAY_FULL", IllegalTurnReason::display_full)
        .value("NO_SUCH_CELL", IllegalTurnReason::no_such_cell)
        .value("FIRST_CARD_OFF_D4", IllegalTurnReason::first_card_off_d4)
        .value("CELL_TAKEN", IllegalTurnReason::cell_taken)
        .value("NOT_BESIDE_CARD", IllegalTurnReason::not_beside_card)
        .value("TOO_WIDE", IllegalTurnReason::too_wide)
        .value("TOO_TALL", IllegalTurnReason::too_tall)
        .value("NO_SUCH_TURNING", IllegalTurnReason::no_such_turning)
        .value("EMPTY_SUPPLY", IllegalTurnReason::empty_supply)
        .value("TARGET_OFF_CARD", IllegalTurnReason::target_off_card)
        .value("NO_WORKER_ON_SOURCE", IllegalTurnReason::no_worker_on_source)
        .value("NO_CARD_UNDER_TARGET", IllegalTurnReason::no_card_under_target)
        .value("TARGET_IN_OWN_TERRITORY", IllegalTurnReason::target_in_own_territory)
        .value("TARGET_NOT_ADJACENT", IllegalTurnReason::target_not_adjacent);

    nb::class_<Card>(m, "Card", "A card, made of four (landscape, hut) in the order nw, ne, sw, se.")
        .def(
            "__init__",
            [](Card* self, const std::vector<std::tuple<int, bool>>& face) { new (self) Card(make_card(face)); },
            "face"_a);

    nb::class_<Display>(m, "Display", "The cards and workers of one player. Immutable: `play` returns a new display.")
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
                for (Bitboard remaining = d.card_count < kRounds ? open_cells(d) : 0; remaining != 0;)
                    cells.push_back(pop_lsb(remaining));
                return cells;
            },
            "Return the cells where a card may be placed, as 8 * row + column.")
        .def("legal_turns", &packed_legal_turns, "card"_a, "Return all legal turns with this card, packed.")
        .def(
            "placements", &placements, "card"_a,
            "Return all legal turns, grouped as (cell, turning, actions) with actions (source, target, total after the "
            "turn).")
        .def(
            "play",
            [](const Display& d, const Card& card, std::uint32_t turn) { return play(d, card, Turn::unpack(turn)); },
            "card"_a, "turn"_a, "Return the display after the turn, or the rule that the turn breaks.")
        .def(
            "zones",
            [](const Display& d) {
                std::vector<std::tuple<int, int, bool>> zones;
                for (Bitboard remaining = d.covered; remaining != 0;) {
                    const int z = pop_lsb(remaining);
                    zones.emplace_back(zone_on_grid(d, z), contains(d.ground.lo, z) + 2 * contains(d.ground.hi, z),
                                       contains(d.ground.huts, z));
                }
                return zones;
            },
            "Return all zones as (zone, landscape, hut).")
        .def(
            "workers",
            [](const Display& d) {
                ZoneList list;
                for (Bitboard remaining = d.workers(); remaining != 0;) {
                    const int z = pop_lsb(remaining);
                    list.insert(list.end(), d.workers_on(z), zone_on_grid(d, z));
                }
                return list;
            },
            "Return the zone of each worker.")
        .def(
            "territories",
            [](const Display& d) {
                std::vector<ZoneList> list;
                for (const Bitboard territory : list_territories(d)) list.push_back(zones_on_grid(d, territory));
                return list;
            },
            "Return all territories as lists of zones.")
        .def("scores", &score_tuples, "Return each worker as (zone, profession, is_scoring, territory, counted).")
        .def("total", [](const Display& d) { return total(d); })
        .def("tie_break_points", &tie_break_points, "Return the points of the scoring workers, best first.")
        .def("playouts", &checked_playouts, "deck"_a, "unseen"_a, "next"_a, "games"_a, "seed"_a,
             "Return how often random playouts reached each total.")
        .def_ro("supply", &Display::supply)
        .def_ro("card_count", &Display::card_count)
        .def_prop_ro("diagonal", [](const Display& d) { return d.variants.diagonal; })
        .def_prop_ro("ferryman", [](const Display& d) { return d.variants.ferryman; })
        .def(nb::self == nb::self, nb::sig("def __eq__(self, arg: object, /) -> bool"))
        .def("__hash__", &hash)
        .def("__getstate__", &state)
        .def("__setstate__", [](Display& self, const DisplayState& s) { new (&self) Display(restore_display(s)); });

    m.def("turn_parts", &turn_parts, "turn"_a,
          "Return the parts of a packed turn: cell, turning, the zone that a worker leaves (None: the supply) and the "
          "zone "
          "that the worker goes to (None: no worker action).");
    m.def("turn_code", &turn_code, "cell"_a, "turning"_a, "source"_a.none() = nb::none(),
          "target"_a.none() = nb::none(), "Return the packed turn with these parts.");
    m.def(
        "winners", [](const std::vector<Display>& displays) { return winners(displays); }, "displays"_a,
        "Return the indices of the displays that win or share the win.");
    m.def("territories", &territories_of, "zones"_a,
          "Return the territories of zones (x, y, landscape) within 8x8, as lists of indices into the zones.");
    m.def("rating", &rating, "total"_a, "Return the rating of a solitaire total.");
}

}  // namespace limina

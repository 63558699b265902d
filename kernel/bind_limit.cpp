// Limit as Python sees it: layouts, states, turns as numbers over tile indices. Names and words are made in Python.
#include "bind_limit.hpp"

#include <nanobind/operators.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <tuple>

#include "bind.hpp"
#include "limit.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace limina {

namespace {

using namespace limit;

using TileList = std::vector<int>;
using PlaceTuple = std::tuple<int, int, int>;
using PositionState = std::tuple<Word, std::array<Word, kMostPlayers>, std::uint32_t, int, bool, int>;
using TableState = std::tuple<std::vector<PlaceTuple>, int, PositionState, std::vector<PositionState>>;

using Table = LimitTable;

TileList list(Word set) {
    TileList tiles;
    while (set != 0) tiles.push_back(pop(set));
    return tiles;
}

std::vector<Place> read_places(const std::vector<PlaceTuple>& tuples) {
    std::vector<Place> places;
    for (const auto& [q, r, colour] : tuples) places.push_back({q, r, colour});
    return places;
}

std::vector<PlaceTuple> places(const Layout& layout) {
    std::vector<PlaceTuple> tuples;
    for (int i = 0; i < layout.count; ++i) {
        const Place& place = layout.places[static_cast<std::size_t>(i)];
        tuples.emplace_back(place.q, place.r, place.colour);
    }
    return tuples;
}

std::shared_ptr<const Layout> checked_layout(const std::vector<PlaceTuple>& tuples, int players) {
    LayoutResult result = make_layout(read_places(tuples), players);
    if (!result.layout) throw std::invalid_argument("this layout breaks the set-up rules");
    return result.layout;
}

std::shared_ptr<const Layout> dealt_layout(int size, int players, Word seed) {
    std::shared_ptr<const Layout> layout;
    {
        nb::gil_scoped_release free;
        layout = random_layout(size, players, seed);
    }
    if (!layout) throw std::invalid_argument("sizes are 4 to 16, players 2 or 3");
    return layout;
}

bool on_table(const Table& table, int tile) { return tile >= 0 && tile < table.layout->count; }

std::vector<std::uint32_t> packed_legal_turns(const Table& table) {
    std::vector<Turn> turns;
    legal_turns(*table.layout, table.position(), turns);
    std::vector<std::uint32_t> codes(turns.size());
    for (std::size_t i = 0; i < turns.size(); ++i) codes[i] = turns[i].pack();
    return codes;
}

std::pair<Table, std::array<TileList, 4>> checked_play(const Table& table, std::uint32_t code) {
    const Turn turn = Turn::unpack(code);
    if (!is_legal(*table.layout, table.position(), turn)) throw std::invalid_argument("this turn is not legal here");
    Table next = table;
    const Events events = play(*table.layout, next.state, turn);
    return {next,
            {list(events.captured_by_move), list(events.sunk), list(events.captured_enemies),
             list(events.captured_friends)}};
}

Moved checked_move(const Table& table, int from, int to) {
    if (!on_table(table, from) || !on_table(table, to) || !has(reach(*table.layout, table.position(), from), to)) {
        throw std::invalid_argument("no pawn of the player to move can go that way");
    }
    return after_move(*table.layout, table.position(), from, to);
}

// The first part of a turn, for showing: what it captures and which tiles may be removed then.
std::pair<TileList, TileList> preview_move(const Table& table, int from, int to) {
    const Moved moved = checked_move(table, from, to);
    return {list(moved.captured), list(removals(*table.layout, moved.position))};
}

Table halfway(const Table& table, int from, int to) {
    Table between = table;
    between.state.position = checked_move(table, from, to).position;
    return between;
}

PositionState state_of(const Position& p) { return {p.tiles, p.pawns, p.turn, p.to_move, p.over, p.winners}; }

Position restored(const Layout& layout, const PositionState& state) {
    const auto& [tiles, pawns, turn, to_move, over, winners] = state;
    Position p = initial_position(layout);
    Word together = 0;
    bool sound =
        (tiles & ~layout.all()) == 0 && to_move >= 0 && to_move < layout.players && winners >= 0 && winners < 8;
    for (const Word set : pawns) {
        sound = sound && (set & ~tiles) == 0 && (set & together) == 0;
        together |= set;
    }
    sound = sound && (layout.players == 3 || pawns[2] == 0) && (over || pawns[static_cast<std::size_t>(to_move)] != 0);
    if (!sound) throw std::invalid_argument("this is not the state of a board");
    p.tiles = tiles;
    p.pawns = pawns;
    p.turn = turn;
    p.to_move = static_cast<std::uint8_t>(to_move);
    p.over = over;
    p.winners = static_cast<std::uint8_t>(winners);
    p.rim = rim(layout, tiles);
    return p;
}

TableState table_state(const Table& table) {
    std::vector<PositionState> ends;
    for (const Position& end : table.state.history.ends()) ends.push_back(state_of(end));
    return {places(*table.layout), table.layout->players, state_of(table.position()), ends};
}

Table restored_table(const TableState& state) {
    const auto& [tuples, players, position, ends] = state;
    Table table{checked_layout(tuples, players), {}};
    table.state.position = restored(*table.layout, position);
    for (const PositionState& end : ends) table.state.history = table.state.history.with(restored(*table.layout, end));
    return table;
}

bool same_table(const Table& a, const Table& b) {
    const bool layouts =
        a.layout == b.layout || (a.layout->players == b.layout->players && a.layout->places == b.layout->places);
    return layouts && a.state.position == b.state.position && a.state.history == b.state.history;
}

}  // namespace

void bind_limit(nb::module_ m) {
    m.attr("NONE") = static_cast<int>(Turn::kNone);

    nb::enum_<LayoutProblem>(m, "LayoutProblem", "Why a layout is refused.")
        .value("NONE", LayoutProblem::none)
        .value("PLAYERS", LayoutProblem::players)
        .value("COUNT", LayoutProblem::count)
        .value("PLACE", LayoutProblem::place)
        .value("COLOUR", LayoutProblem::colour)
        .value("DUPLICATE", LayoutProblem::duplicate)
        .value("COLOUR_COUNT", LayoutProblem::colour_count)
        .value("TOUCHES_FEWER", LayoutProblem::touches_fewer)
        .value("NOT_CONNECTED", LayoutProblem::not_connected)
        .value("SAME_COLOUR_TOUCH", LayoutProblem::same_colour_touch)
        .value("PAWN_WITHOUT_EMPTY", LayoutProblem::pawn_without_empty);

    nb::enum_<Problem>(m, "Problem", "Why a turn is not legal.")
        .value("NONE", Problem::none)
        .value("GAME_OVER", Problem::game_over)
        .value("INCOMPLETE", Problem::incomplete)
        .value("NO_SUCH_TILE", Problem::no_such_tile)
        .value("NO_PAWN", Problem::no_pawn)
        .value("ENEMY_PAWN", Problem::enemy_pawn)
        .value("SAME_TILE", Problem::same_tile)
        .value("OCCUPIED", Problem::occupied)
        .value("NOT_REACHABLE", Problem::not_reachable)
        .value("MOVE_CAPTURES", Problem::move_captures)
        .value("REMOVED_OCCUPIED", Problem::removed_occupied)
        .value("NO_FREE_EDGE", Problem::no_free_edge)
        .value("SPLITS_PAWNS", Problem::splits_pawns)
        .value("REMOVAL_CAPTURES", Problem::removal_captures)
        .value("MUST_REMOVE", Problem::must_remove)
        .value("MOVE_ALLOWS_NO_REMOVAL", Problem::move_allows_no_removal)
        .value("MUST_MOVE", Problem::must_move)
        .value("NOTHING", Problem::nothing);

    nb::class_<Table>(m, "Table", "A layout and where the game on it stands. Never changes: playing returns another.")
        .def_static(
            "check_layout",
            [](const std::vector<PlaceTuple>& tuples, int players) {
                const LayoutResult result = make_layout(read_places(tuples), players);
                return std::pair(result.problem, result.place);
            },
            "places"_a, "players"_a, "What is wrong with a layout of (q, r, colour), and with which tile.")
        .def(
            "__init__",
            [](Table* self, const std::vector<PlaceTuple>& tuples, int players) {
                auto layout = checked_layout(tuples, players);
                new (self) Table{layout, {initial_position(*layout), {}}};
            },
            "places"_a, "players"_a)
        .def_static(
            "random",
            [](int size, int players, Word seed) {
                auto layout = dealt_layout(size, players, seed);
                return Table{layout, {initial_position(*layout), {}}};
            },
            "size"_a, "players"_a, "seed"_a, "A start on a layout dealt at random.")
        .def(
            "places", [](const Table& t) { return places(*t.layout); },
            "All tiles laid at the start as (q, r, colour).")
        .def(
            "tiles", [](const Table& t) { return list(t.position().tiles); }, "The tiles still there.")
        .def(
            "pawns",
            [](const Table& t, int player) {
                if (player < 0 || player >= t.layout->players) throw std::invalid_argument("no such player");
                return list(t.position().pawns[static_cast<std::size_t>(player)]);
            },
            "player"_a)
        .def("legal_turns", &packed_legal_turns, "All legal turns, as numbers.")
        .def(
            "check",
            [](const Table& t, std::uint32_t turn) { return check(*t.layout, t.position(), Turn::unpack(turn)); },
            "turn"_a, "Why the turn is not legal, or NONE.")
        .def("play", &checked_play, "turn"_a,
             "The table after a turn, and the tiles: captured by the move, sunk, enemies and friends captured at the "
             "end.")
        .def(
            "reach",
            [](const Table& t, int pawn) {
                return on_table(t, pawn) ? list(reach(*t.layout, t.position(), pawn)) : TileList{};
            },
            "pawn"_a, "The tiles that a pawn can reach.")
        .def("preview_move", &preview_move, "start"_a, "end"_a,
             "What a pawn move captures, and the tiles that may be removed after it.")
        .def("halfway", &halfway, "start"_a, "end"_a,
             "The table between the two parts of a turn, to be looked at only: nobody can play on from there.")
        .def(
            "freedoms",
            [](const Table& t, int pawn) {
                return on_table(t, pawn) ? list(freedoms(*t.layout, t.position(), pawn)) : TileList{};
            },
            "pawn"_a, "The empty tiles that touch the pawn's group.")
        .def(
            "in_danger",
            [](const Table& t, int player) {
                if (player < 0 || player >= t.layout->players) throw std::invalid_argument("no such player");
                return list(in_danger(*t.layout, t.position(), player));
            },
            "player"_a, "The player's pawns in groups with one freedom.")
        .def(
            "playouts",
            [](const Table& t, std::uint64_t games, Word seed) {
                nb::gil_scoped_release free;
                const Playouts result = playouts(*t.layout, t.state, games, seed);
                return std::tuple(result.wins, result.shared, result.credit, result.turns);
            },
            "games"_a, "seed"_a, "Random play to the end: wins, shared wins, credit and turns in all.")
        .def_prop_ro("players", [](const Table& t) { return t.layout->players; })
        .def_prop_ro("to_move", [](const Table& t) { return static_cast<int>(t.position().to_move); })
        .def_prop_ro("turn", [](const Table& t) { return t.position().turn; })
        .def_prop_ro("over", [](const Table& t) { return t.position().over; })
        .def_prop_ro("winners", [](const Table& t) { return list(t.position().winners); })
        .def_prop_ro("captures_forbidden", [](const Table& t) { return t.position().captures_forbidden(); })
        .def("__eq__", &same_table, nb::is_operator(), nb::sig("def __eq__(self, arg: object, /) -> bool"))
        .def("__hash__", [](const Table& t) { return static_cast<std::size_t>(hash(t.position())); })
        .def("__getstate__", &table_state)
        .def("__setstate__", [](Table& self, const TableState& s) { new (&self) Table(restored_table(s)); });
}

}  // namespace limina

// Python bindings of Limit: layouts, boards, packed turns over tile indices. Notation and texts are made in Python.
#include <nanobind/operators.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <tuple>

#include "bindings/bindings.hpp"
#include "bindings/limit_board.hpp"
#include "limit/rules.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace limina {

namespace {

using namespace limit;

using TileList = std::vector<int>;
using PlaceTuple = std::tuple<int, int, int>;
using PositionState = std::tuple<Bitboard, std::array<Bitboard, kMaxPlayers>, std::uint32_t, int, bool, int>;
using PawnList = std::vector<std::pair<int, int>>;  // tile and player
using BoardState = std::tuple<std::vector<PlaceTuple>, int, PositionState, std::vector<PositionState>>;

using Tile = std::optional<std::uint8_t>;

Tile tile_or_none(std::uint8_t tile) { return tile == Turn::kNone ? std::nullopt : Tile(tile); }

std::tuple<Tile, Tile, Tile> turn_parts(std::uint32_t code) {
    const Turn turn = Turn::unpack(code);
    return {tile_or_none(turn.from), tile_or_none(turn.to), tile_or_none(turn.removed)};
}

std::uint32_t turn_code(Tile source, Tile target, Tile removed) {
    return Turn{source.value_or(Turn::kNone), target.value_or(Turn::kNone), removed.value_or(Turn::kNone)}.pack();
}

TileList to_list(Bitboard set) {
    TileList tiles;
    while (set != 0) tiles.push_back(pop_lsb(set));
    return tiles;
}

std::vector<Place> to_places(const std::vector<PlaceTuple>& tuples) {
    std::vector<Place> places;
    for (const auto& [q, r, color] : tuples) places.push_back({q, r, color});
    return places;
}

std::vector<PlaceTuple> places(const Layout& layout) {
    std::vector<PlaceTuple> tuples;
    for (int i = 0; i < layout.count; ++i) {
        const Place& place = layout.places[i];
        tuples.emplace_back(place.q, place.r, place.color);
    }
    return tuples;
}

std::shared_ptr<const Layout> checked_layout(const std::vector<PlaceTuple>& tuples, int players) {
    LayoutResult result = make_layout(to_places(tuples), players);
    if (!result.layout) throw std::invalid_argument("the layout breaks the set-up rules");
    return result.layout;
}

std::shared_ptr<const Layout> random_layout_or_throw(int size, int players, std::uint64_t seed) {
    std::shared_ptr<const Layout> layout;
    {
        nb::gil_scoped_release gil_release;
        layout = random_layout(size, players, seed);
    }
    if (!layout) throw std::invalid_argument("size must be from 4 to 16, players 2 or 3");
    return layout;
}

bool is_on_board(const Board& board, int tile) { return tile >= 0 && tile < board.layout->count; }

std::vector<std::uint32_t> packed_legal_turns(const Board& board) {
    std::vector<Turn> turns;
    legal_turns(*board.layout, board.position(), turns);
    std::vector<std::uint32_t> codes(turns.size());
    for (std::size_t i = 0; i < turns.size(); ++i) codes[i] = turns[i].pack();
    return codes;
}

// A legal turn, the position before it, the board after it, and its captures.
struct PlayedTurn {
    Turn turn;
    Position before;
    Board board;
    TurnEffects effects;
};

PlayedTurn play_turn(const Board& board, Turn turn) {
    PlayedTurn result{turn, board.position(), board, {}};
    result.effects = play(*board.layout, result.board.state, turn);
    return result;
}

std::variant<PlayedTurn, IllegalTurnReason> checked_play(const Board& board, std::uint32_t code) {
    const Turn turn = Turn::unpack(code);
    if (const auto problem = check_turn(*board.layout, board.position(), turn)) return *problem;
    return play_turn(board, turn);
}

// Appends the pawns with their players. A pawn that is not in the position belongs to the player to move: it was moved
// in this turn.
void append_pawns(PawnList& list, const Position& position, Bitboard pawns) {
    while (pawns != 0) {
        const int tile = pop_lsb(pawns);
        int player = 0;
        while (player < kMaxPlayers && !contains(position.pawns[player], tile)) ++player;
        list.emplace_back(tile, player < kMaxPlayers ? player : position.to_move);
    }
}

PawnList pawn_list(const Position& position, Bitboard pawns) {
    PawnList list;
    append_pawns(list, position, pawns);
    return list;
}

PawnList all_captured(const PlayedTurn& p) {
    PawnList list;
    for (const Bitboard pawns : {p.effects.captured_by_move, p.effects.captured_enemies, p.effects.captured_friends}) {
        append_pawns(list, p.before, pawns);
    }
    return list;
}

// Lists pawns that would be captured together: pawns of a player whose groups have the same single freedom.
std::vector<std::tuple<int, TileList, int>> endangered_groups(const Board& board) {
    std::vector<std::tuple<int, TileList, int>> result;
    for (int player = 0; player < board.layout->players; ++player) {
        const std::size_t before = result.size();
        for (Bitboard pawns = pawns_in_danger(*board.layout, board.position(), player); pawns != 0;) {
            const int pawn = pop_lsb(pawns), freedom = lsb(freedoms(*board.layout, board.position(), pawn));
            std::size_t at = before;
            while (at < result.size() && std::get<2>(result[at]) != freedom) ++at;
            if (at == result.size()) result.emplace_back(player, TileList{}, freedom);
            std::get<1>(result[at]).push_back(pawn);
        }
    }
    return result;
}

std::vector<std::tuple<int, int, PawnList>> pawn_move_tuples(const Board& board) {
    std::vector<std::tuple<int, int, PawnList>> result;
    for (const auto& [from, to, captured] : pawn_moves(*board.layout, board.position())) {
        result.emplace_back(from, to, pawn_list(board.position(), captured));
    }
    return result;
}

std::vector<PlayedTurn> all_completions(const Board& board, std::uint32_t code) {
    Turn turn = Turn::unpack(code);
    std::vector<PlayedTurn> result;
    for (Bitboard tiles = removals_after_move(*board.layout, board.position(), turn); tiles != 0;) {
        turn.removed = static_cast<std::uint8_t>(pop_lsb(tiles));
        result.push_back(play_turn(board, turn));
    }
    return result;
}

MoveResult checked_pawn_move(const Board& board, std::uint32_t code) {
    const Turn turn = Turn::unpack(code);
    if (!is_on_board(board, turn.from) || !is_on_board(board, turn.to) ||
        !contains(reachable_tiles(*board.layout, board.position(), turn.from), turn.to)) {
        throw std::invalid_argument("no pawn of the player to move can make this move");
    }
    return after_move(*board.layout, board.position(), turn.from, turn.to);
}

Board after_pawn_move(const Board& board, std::uint32_t turn) {
    Board after = board;
    after.state.position = checked_pawn_move(board, turn).position;
    return after;
}

PositionState state_of(const Position& p) { return {p.tiles, p.pawns, p.turn, p.to_move, p.over, p.winners}; }

Position restore_position(const Layout& layout, const PositionState& state) {
    const auto& [tiles, pawns, turn, to_move, over, winners] = state;
    Position p = initial_position(layout);
    Bitboard all_pawns = 0;
    bool is_valid =
        (tiles & ~layout.all_tiles()) == 0 && to_move >= 0 && to_move < layout.players && winners >= 0 && winners < 8;
    for (const Bitboard set : pawns) {
        is_valid = is_valid && (set & ~tiles) == 0 && (set & all_pawns) == 0;
        all_pawns |= set;
    }
    const bool is_ongoing = layout.count == 0 ? state == state_of(p) : pawns[to_move] != 0;
    is_valid = is_valid && (layout.players == 3 || pawns[2] == 0) && (over ? layout.count > 0 : is_ongoing);
    if (!is_valid) throw std::invalid_argument("this is not the state of a board");
    p.tiles = tiles;
    p.pawns = pawns;
    p.turn = turn;
    p.to_move = static_cast<std::uint8_t>(to_move);
    p.over = over;
    p.winners = static_cast<std::uint8_t>(winners);
    p.edge_tiles = find_edge_tiles(layout, tiles);
    return p;
}

BoardState state_of_board(const Board& board) {
    std::vector<PositionState> ends;
    for (const Position& end : board.state.history.ends()) ends.push_back(state_of(end));
    return {places(*board.layout), board.layout->players, state_of(board.position()), ends};
}

Board restore_board(const BoardState& state) {
    const auto& [tuples, players, position, ends] = state;
    auto layout = tuples.empty() ? empty_layout(players) : checked_layout(tuples, players);
    if (!layout) throw std::invalid_argument("this is not the state of a board");
    Board board{std::move(layout), {}};
    board.state.position = restore_position(*board.layout, position);
    for (const PositionState& end : ends)
        board.state.history = board.state.history.with_end(restore_position(*board.layout, end));
    return board;
}

bool is_same_board(const Board& one, const Board& other) {
    const bool layouts = one.layout == other.layout ||
                         (one.layout->players == other.layout->players && one.layout->places == other.layout->places);
    return layouts && one.state.position == other.state.position && one.state.history == other.state.history;
}

}  // namespace

void bind_limit(nb::module_ m) {
    nb::enum_<LayoutProblem>(m, "LayoutProblem", "The set-up rule that a layout breaks.")
        .value("NONE", LayoutProblem::none)
        .value("PLAYER_COUNT", LayoutProblem::player_count)
        .value("TILE_COUNT", LayoutProblem::tile_count)
        .value("INVALID_PLACE", LayoutProblem::invalid_place)
        .value("INVALID_COLOR", LayoutProblem::invalid_color)
        .value("DUPLICATE_PLACE", LayoutProblem::duplicate_place)
        .value("UNEVEN_COLORS", LayoutProblem::uneven_colors)
        .value("FEWER_THAN_TWO_NEIGHBORS", LayoutProblem::fewer_than_two_neighbors)
        .value("NOT_CONNECTED", LayoutProblem::not_connected)
        .value("SAME_COLOR_TOUCHES", LayoutProblem::same_color_touches)
        .value("PAWN_WITHOUT_EMPTY_NEIGHBOR", LayoutProblem::pawn_without_empty_neighbor);

    nb::enum_<IllegalTurnReason>(m, "IllegalTurnReason", "The rule that a turn breaks.")
        .value("GAME_OVER", IllegalTurnReason::game_over)
        .value("NO_LAYOUT", IllegalTurnReason::no_layout)
        .value("INCOMPLETE_MOVE", IllegalTurnReason::incomplete_move)
        .value("NO_SUCH_TILE", IllegalTurnReason::no_such_tile)
        .value("NO_PAWN_ON_SOURCE", IllegalTurnReason::no_pawn_on_source)
        .value("ENEMY_PAWN", IllegalTurnReason::enemy_pawn)
        .value("SOURCE_IS_TARGET", IllegalTurnReason::source_is_target)
        .value("TARGET_OCCUPIED", IllegalTurnReason::target_occupied)
        .value("TARGET_NOT_REACHABLE", IllegalTurnReason::target_not_reachable)
        .value("MOVE_CAPTURES", IllegalTurnReason::move_captures)
        .value("REMOVED_OCCUPIED", IllegalTurnReason::removed_occupied)
        .value("NO_FREE_EDGE", IllegalTurnReason::no_free_edge)
        .value("SPLITS_PAWNS", IllegalTurnReason::splits_pawns)
        .value("REMOVAL_CAPTURES", IllegalTurnReason::removal_captures)
        .value("MUST_REMOVE", IllegalTurnReason::must_remove)
        .value("MOVE_ALLOWS_NO_REMOVAL", IllegalTurnReason::move_allows_no_removal)
        .value("MUST_MOVE", IllegalTurnReason::must_move)
        .value("MUST_ACT", IllegalTurnReason::must_act);

    nb::class_<Board>(m, "Board", "A layout and the state of a game on it. Immutable: `play` returns a new board.")
        .def_static(
            "check_layout",
            [](const std::vector<PlaceTuple>& tuples, int players) {
                const LayoutResult result = make_layout(to_places(tuples), players);
                return std::pair(result.problem, result.place);
            },
            "places"_a, "players"_a,
            "Return the rule that a layout of (q, r, color) breaks, and the index of the tile concerned, or -1.")
        .def(
            "__init__",
            [](Board* self, const std::vector<PlaceTuple>& tuples, int players) {
                auto layout = checked_layout(tuples, players);
                new (self) Board{layout, {initial_position(*layout), {}}};
            },
            "places"_a, "players"_a)
        .def_static(
            "random",
            [](int size, int players, std::uint64_t seed) {
                auto layout = random_layout_or_throw(size, players, seed);
                return Board{layout, {initial_position(*layout), {}}};
            },
            "size"_a, "players"_a, "seed"_a, "Return the initial board of a random layout.")
        .def_static(
            "empty",
            [](int players) {
                auto layout = empty_layout(players);
                if (!layout) throw std::invalid_argument("players must be 2 or 3");
                return Board{layout, {initial_position(*layout), {}}};
            },
            "players"_a, "Return a board without a layout.")
        .def(
            "places", [](const Board& b) { return places(*b.layout); },
            "Return the tiles of the layout as (q, r, color).")
        .def(
            "tiles", [](const Board& b) { return to_list(b.position().tiles); }, "Return the tiles that are left.")
        .def(
            "pawns",
            [](const Board& b, int player) {
                if (player < 0 || player >= b.layout->players) throw std::invalid_argument("no such player");
                return to_list(b.position().pawns[player]);
            },
            "player"_a, "Return the tiles of the player's pawns.")
        .def("legal_turns", &packed_legal_turns, "Return all legal turns, packed.")
        .def("play", &checked_play, "turn"_a,
             "Return the board after the turn with its effects, or the rule that the turn breaks.")
        .def("pawn_moves", &pawn_move_tuples,
             "Return the pawn moves of all legal turns: source, target, and captured pawns as (tile, player).")
        .def("completions", &all_completions, "turn"_a,
             "Return each legal turn with the pawn move of this turn and a removal, played.")
        .def(
            "captures",
            [](const Board& b, std::uint32_t turn) {
                return pawn_list(b.position(), checked_pawn_move(b, turn).captured);
            },
            "turn"_a, "Return the pawns that the pawn move of this turn captures, as (tile, player).")
        .def("after_pawn_move", &after_pawn_move, "turn"_a,
             "Return the board after the pawn move of this turn, for inspection. No turn may be played on it.")
        .def(
            "reachable_tiles",
            [](const Board& b, int pawn) {
                return is_on_board(b, pawn) ? to_list(reachable_tiles(*b.layout, b.position(), pawn)) : TileList{};
            },
            "pawn"_a, "Return the tiles that a pawn can reach.")
        .def(
            "freedoms",
            [](const Board& b, int pawn) {
                return is_on_board(b, pawn) ? to_list(freedoms(*b.layout, b.position(), pawn)) : TileList{};
            },
            "pawn"_a, "Return the empty tiles that touch the pawn's group.")
        .def(
            "pawns_in_danger",
            [](const Board& b, int player) {
                if (player < 0 || player >= b.layout->players) throw std::invalid_argument("no such player");
                return to_list(pawns_in_danger(*b.layout, b.position(), player));
            },
            "player"_a, "Return the player's pawns in groups with one freedom.")
        .def("endangered_groups", &endangered_groups,
             "Return the pawns with the same single freedom: player, pawns, freedom.")
        .def(
            "playouts",
            [](const Board& b, std::uint64_t games, std::uint64_t seed) {
                require_layout(b);
                nb::gil_scoped_release gil_release;
                const PlayoutResult result = playouts(*b.layout, b.state, games, seed);
                return std::tuple(result.wins, result.shared_wins, result.win_credit, result.turns);
            },
            "games"_a, "seed"_a,
            "Play random games; return the wins of each player, shared wins, win credits and the number of turns.")
        .def_prop_ro("players", [](const Board& b) { return b.layout->players; })
        .def_prop_ro("to_move", [](const Board& b) { return static_cast<int>(b.position().to_move); })
        .def_prop_ro("turn", [](const Board& b) { return b.position().turn; })
        .def_prop_ro("over", [](const Board& b) { return b.position().over; })
        .def_prop_ro("winners", [](const Board& b) { return to_list(b.position().winners); })
        .def_prop_ro("captures_forbidden", [](const Board& b) { return b.position().captures_forbidden(); })
        .def("__eq__", &is_same_board, nb::is_operator(), nb::sig("def __eq__(self, arg: object, /) -> bool"))
        .def("__hash__", [](const Board& b) { return static_cast<std::size_t>(hash(b.position())); })
        .def("__getstate__", &state_of_board)
        .def("__setstate__", [](Board& self, const BoardState& s) { new (&self) Board(restore_board(s)); });

    nb::class_<PlayedTurn>(m, "PlayedTurn", "A turn with the board after it and its effects. Pawns are (tile, player).")
        .def_prop_ro("turn", [](const PlayedTurn& p) { return p.turn.pack(); })
        .def_prop_ro("board", [](const PlayedTurn& p) { return p.board; })
        .def_prop_ro(
            "sunk", [](const PlayedTurn& p) { return to_list(p.effects.sunk); },
            "The removed tile and the tiles that sank with it.")
        .def_prop_ro("captured", &all_captured, "All captured pawns, in the order of the three lists.")
        .def_prop_ro(
            "captured_by_move", [](const PlayedTurn& p) { return pawn_list(p.before, p.effects.captured_by_move); },
            "Enemies captured by the pawn move.")
        .def_prop_ro(
            "captured_enemies", [](const PlayedTurn& p) { return pawn_list(p.before, p.effects.captured_enemies); },
            "Enemies captured at the end of the turn.")
        .def_prop_ro(
            "captured_friends", [](const PlayedTurn& p) { return pawn_list(p.before, p.effects.captured_friends); },
            "Own pawns captured after them.");

    m.def(
        "random_layout",
        [](int size, int players, std::uint64_t seed) { return places(*random_layout_or_throw(size, players, seed)); },
        "size"_a, "players"_a, "seed"_a,
        "Return a random layout as (q, r, color), the same as that of `Board.random`.");
    m.def("turn_parts", &turn_parts, "turn"_a,
          "Return the parts of a packed turn: source and target of the pawn, removed tile. Each may be None.");
    m.def("turn_code", &turn_code, "source"_a.none() = nb::none(), "target"_a.none() = nb::none(),
          "removed"_a.none() = nb::none(), "Return the packed turn with these parts.");
}

}  // namespace limina

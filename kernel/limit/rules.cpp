#include "limit/rules.hpp"

#include <algorithm>
#include <cassert>
#include <variant>

#include "limit/simd_rules.hpp"

namespace limina::limit {

namespace {

// Finds legal removals. The part that depends only on the tiles is computed once for all pawn moves of a turn.
class RemovalFinder {
  public:
    RemovalFinder(const Layout& layout, const BoardSets<Bitboard>& board) : neighbors_{layout}, tiles_(board.tiles) {
        for (Bitboard remaining = board.edge_tiles; remaining != 0;) {
            const int tile = pop_lsb(remaining);
            const Bitboard present_neighbors = pext(tiles_, layout.neighbors[tile]);
            if (contains(layout.single_arc[tile], static_cast<int>(present_neighbors)) || !add_cut(bit_at(tile)))
                always_removable_ |= bit_at(tile);
        }
    }

    // Returns the tiles that may be removed. `board` must have the same tiles as the board of the constructor.
    Bitboard find(const BoardSets<Bitboard>& board, bool captures_forbidden) const {
        const Bitboard pawns = board.pawns();
        Bitboard removable = always_removable_;
        for (int i = 0; i < size_; ++i) {
            if (cuts_[i].has_pawns_together(pawns)) removable |= cuts_[i].tile;
        }
        removable &= board.empty_tiles();
        return captures_forbidden ? without_captures(board, removable) : removable;
    }

  private:
    // The groups of tiles without this tile. There are at most three, because a tile has six sides.
    struct Cut {
        Bitboard tile;
        std::array<Bitboard, 3> groups;

        bool has_pawns_together(Bitboard pawns) const {
            bool is_together = false;
            for (const Bitboard group : groups) is_together |= (pawns & ~group) == 0;
            return is_together;
        }
    };

    bool add_cut(Bitboard tile) {
        Bitboard remaining = tiles_ & ~tile;
        Cut cut{tile, {}};
        for (Bitboard& group : cut.groups) {
            group = flood_fill<Bitboard>(neighbors_, isolate_lsb(remaining), remaining);
            remaining &= ~group;
        }
        if (cut.groups[1] == 0) return false;
        cuts_[size_++] = cut;
        return true;
    }

    Bitboard without_captures(const BoardSets<Bitboard>& board, Bitboard removable) const {
        for (Bitboard remaining = removable; remaining != 0; remaining &= remaining - 1) {
            const Bitboard tile = isolate_lsb(remaining);
            const Bitboard remaining_tiles = (always_removable_ & tile) != 0
                                                 ? tiles_ & ~tile
                                                 : tiles_after_removal<Bitboard>(neighbors_, board, tile);
            if (captures_at_turn_end<Bitboard>(neighbors_, board, tile, remaining_tiles) != 0) removable &= ~tile;
        }
        return removable;
    }

    TableNeighbors neighbors_;
    Bitboard tiles_;
    Bitboard always_removable_ = 0;
    int size_ = 0;
    std::array<Cut, kMaxTiles> cuts_;
};

Bitboard reachable_tiles(const Layout& layout, Bitboard empty, int from) {
    return flood_fill<Bitboard>(TableNeighbors{layout}, layout.neighbors[from] & empty, empty);
}

// Calls visit(from, to, moved) for every pawn move that captures_forbidden allows, with the board after it.
template <typename Visit>
void for_each_move(const Layout& layout, const BoardSets<Bitboard>& board, bool captures_forbidden, Visit visit) {
    for (Bitboard pawns = board.own; pawns != 0;) {
        const int from = pop_lsb(pawns);
        for (Bitboard targets = reachable_tiles(layout, board.empty_tiles(), from); targets != 0;) {
            const int to = pop_lsb(targets);
            BoardSets<Bitboard> moved = board;
            const Bitboard captured = move_pawn<Bitboard>(TableNeighbors{layout}, moved, bit_at(from), bit_at(to));
            if (captured == 0 || !captures_forbidden) visit(from, to, moved);
        }
    }
}

void append_turns(std::vector<Turn>& turns, int from, int to, Bitboard removed) {
    const std::uint32_t move = Turn{static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to), 0}.pack();
    const std::size_t before = turns.size();
    turns.resize(before + popcount(removed));
    for (Turn* turn = turns.data() + before; removed != 0; ++turn) {
        *turn = Turn::unpack(move | static_cast<std::uint32_t>(pop_lsb(removed)) << 16);
    }
}

bool is_on_board(const Position& position, int tile) {
    return tile >= 0 && tile < kMaxTiles && contains(position.tiles, tile);
}

// Returns the player with a pawn on the tile, or -1.
int player_at(const Position& position, int tile) {
    for (int player = 0; player < kMaxPlayers; ++player) {
        if (is_on_board(position, tile) && contains(position.pawns[player], tile)) return player;
    }
    return -1;
}

// Returns the position after the pawn move of the turn, or the rule that it breaks.
std::variant<Position, IllegalTurnReason> check_move(const Layout& layout, const Position& position, Turn turn) {
    const int player = player_at(position, turn.from);
    if (player < 0) return IllegalTurnReason::no_pawn_on_source;
    if (player != position.to_move) return IllegalTurnReason::enemy_pawn;
    if (turn.from == turn.to) return IllegalTurnReason::source_is_target;
    if (player_at(position, turn.to) >= 0) return IllegalTurnReason::target_occupied;
    if (!contains(reachable_tiles(layout, position.empty_tiles(), turn.from), turn.to))
        return IllegalTurnReason::target_not_reachable;
    const MoveResult moved = after_move(layout, position, turn.from, turn.to);
    if (moved.captured != 0 && position.captures_forbidden()) return IllegalTurnReason::move_captures;
    return moved.position;
}

// Returns the rule that removing the tile breaks, or nothing. `position` is the one after the pawn move, if any.
std::optional<IllegalTurnReason> check_removal(const Layout& layout, const Position& position, int tile) {
    if (player_at(position, tile) >= 0) return IllegalTurnReason::removed_occupied;
    if (!contains(position.edge_tiles, tile)) return IllegalTurnReason::no_free_edge;
    const TableNeighbors neighbors{layout};
    const BoardSets<Bitboard> board = board_sets(position);
    const Bitboard remaining_tiles = tiles_after_removal<Bitboard>(neighbors, board, bit_at(tile));
    if (remaining_tiles == 0) return IllegalTurnReason::splits_pawns;
    const bool captures = position.captures_forbidden() &&
                          captures_at_turn_end<Bitboard>(neighbors, board, bit_at(tile), remaining_tiles) != 0;
    return captures ? std::optional(IllegalTurnReason::removal_captures) : std::nullopt;
}

// Returns the rule that a turn breaks which does not move a pawn or does not sink a tile, or nothing if it is legal.
std::optional<IllegalTurnReason> check_partial(const Layout& layout, const Position& position, Turn turn) {
    std::vector<Turn> turns;
    legal_turns(layout, position, turns);
    if (std::ranges::find(turns, turn) != turns.end()) return std::nullopt;
    const Turn legal = turns.front();  // all legal turns have the same parts
    if (!turn.moves()) {
        if (!turn.removes()) return IllegalTurnReason::must_act;
        return legal.moves() ? IllegalTurnReason::must_move : check_removal(layout, position, turn.removed);
    }
    const auto moved = check_move(layout, position, turn);
    if (const IllegalTurnReason* problem = std::get_if<IllegalTurnReason>(&moved)) return *problem;
    if (!legal.moves() || !legal.removes()) return IllegalTurnReason::move_captures;
    return legal_removals(layout, std::get<Position>(moved)) != 0 ? IllegalTurnReason::must_remove
                                                                  : IllegalTurnReason::move_allows_no_removal;
}

// Checks that a pawn move has both source and target, and that all tiles of the turn are on the board.
std::optional<IllegalTurnReason> check_tiles(const Position& position, Turn turn) {
    if ((turn.from == Turn::kNone) != (turn.to == Turn::kNone)) return IllegalTurnReason::incomplete_move;
    for (const int tile : {turn.from, turn.to, turn.removed}) {
        if (tile != Turn::kNone && !is_on_board(position, tile)) return IllegalTurnReason::no_such_tile;
    }
    return std::nullopt;
}

}  // namespace

Bitboard find_edge_tiles(const Layout& layout, Bitboard tiles) {
    Bitboard result = 0;
    for (Bitboard remaining = tiles; remaining != 0;) {
        const int tile = pop_lsb(remaining);
        if (popcount(layout.neighbors[tile] & tiles) < 6) result |= bit_at(tile);
    }
    return result;
}

Position initial_position(const Layout& layout) {
    Position position;
    position.tiles = layout.all_tiles();
    position.players = static_cast<std::uint8_t>(layout.players);
    for (int player = 0; player < layout.players; ++player) position.pawns[player] = layout.colors[player];
    for (int tile = 0; tile < layout.count; ++tile) {
        if (popcount(layout.neighbors[tile]) < 6) position.edge_tiles |= bit_at(tile);
    }
    return position;
}

PlayResult play(const Layout& layout, const Position& position, Turn turn) {
    assert(!check_turn(layout, position, turn));
    const TableNeighbors neighbors{layout};
    BoardSets<Bitboard> board = board_sets(position);
    PlayResult result{position, {}};
    Bitboard touched = 0;
    if (turn.moves()) {
        result.effects.captured_by_move = move_pawn<Bitboard>(neighbors, board, bit_at(turn.from), bit_at(turn.to));
        touched |= bit_at(turn.to);
    }
    if (turn.removes()) {
        const Bitboard remaining_tiles = tiles_after_removal<Bitboard>(neighbors, board, bit_at(turn.removed));
        result.effects.sunk = board.tiles & ~remaining_tiles;
        remove_tile<Bitboard>(neighbors, board, bit_at(turn.removed), remaining_tiles);
        touched |= layout.neighbors[turn.removed];
    }
    const Captures<Bitboard> captures = capture_at_turn_end<Bitboard>(neighbors, board, touched);
    result.effects.captured_enemies = captures.enemies;
    result.effects.captured_friends = captures.friends;
    store(board, result.position);
    finish_turn(result.position, position.players_in_game());
    return result;
}

TurnEffects play(const Layout& layout, State& state, Turn turn) {
    const Position before = state.position;
    const PlayResult result = play(layout, before, turn);
    state.position = result.position;
    apply_repetition_rule(state.history, before, state.position);
    return result.effects;
}

void legal_turns(const Layout& layout, const Position& position, std::vector<Turn>& turns) {
    turns.clear();
    if (position.over || position.tiles == 0) return;
    const BoardSets<Bitboard> board = board_sets(position);
    const bool captures_forbidden = position.captures_forbidden();
    const RemovalFinder removal_finder{layout, board};
    for_each_move(layout, board, captures_forbidden, [&](int from, int to, const BoardSets<Bitboard>& moved) {
        append_turns(turns, from, to, removal_finder.find(moved, captures_forbidden));
    });
    if (!turns.empty()) return;
    for_each_move(layout, board, captures_forbidden, [&](int from, int to, const BoardSets<Bitboard>& moved) {
        if (captures_forbidden && captures_at_turn_end<Bitboard>(TableNeighbors{layout}, moved, 0, moved.tiles) != 0)
            return;
        turns.push_back({static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to)});
    });
    if (!turns.empty()) return;
    append_turns(turns, Turn::kNone, Turn::kNone, removal_finder.find(board, captures_forbidden));
    if (turns.empty()) turns.push_back({});
}

std::optional<IllegalTurnReason> check_turn(const Layout& layout, const Position& position, Turn turn) {
    if (position.over) return IllegalTurnReason::game_over;
    if (position.tiles == 0) return IllegalTurnReason::no_layout;
    if (const auto problem = check_tiles(position, turn)) return problem;
    if (!turn.moves() || !turn.removes()) return check_partial(layout, position, turn);
    const auto moved = check_move(layout, position, turn);
    if (const IllegalTurnReason* problem = std::get_if<IllegalTurnReason>(&moved)) return *problem;
    return check_removal(layout, std::get<Position>(moved), turn.removed);
}

Bitboard reachable_tiles(const Layout& layout, const Position& position, int pawn) {
    return player_at(position, pawn) < 0 ? 0 : reachable_tiles(layout, position.empty_tiles(), pawn);
}

MoveResult after_move(const Layout& layout, const Position& position, int from, int to) {
    assert(is_on_board(position, to) && contains(reachable_tiles(layout, position, from), to));
    BoardSets<Bitboard> board = board_sets(position);
    MoveResult moved{position};
    moved.captured = move_pawn<Bitboard>(TableNeighbors{layout}, board, bit_at(from), bit_at(to));
    store(board, moved.position);
    return moved;
}

std::vector<PawnMove> pawn_moves(const Layout& layout, const Position& position) {
    std::vector<Turn> turns;
    legal_turns(layout, position, turns);
    std::vector<PawnMove> moves;
    for (const Turn& turn : turns) {
        // Turns with the same pawn move follow each other.
        if (!turn.moves() || (!moves.empty() && moves.back().from == turn.from && moves.back().to == turn.to)) continue;
        moves.push_back({turn.from, turn.to, after_move(layout, position, turn.from, turn.to).captured});
    }
    return moves;
}

Bitboard removals_after_move(const Layout& layout, const Position& position, Turn turn) {
    if (position.over || !turn.moves() || check_tiles(position, {turn.from, turn.to})) return 0;
    const auto moved = check_move(layout, position, turn);
    return std::holds_alternative<Position>(moved) ? legal_removals(layout, std::get<Position>(moved)) : 0;
}

Bitboard legal_removals(const Layout& layout, const Position& position) {
    const BoardSets<Bitboard> board = board_sets(position);
    return RemovalFinder(layout, board).find(board, position.captures_forbidden());
}

Bitboard pawn_group(const Layout& layout, const Position& position, int pawn) {
    const int player = player_at(position, pawn);
    return player < 0 ? 0 : flood_fill<Bitboard>(TableNeighbors{layout}, bit_at(pawn), position.pawns[player]);
}

Bitboard freedoms(const Layout& layout, const Position& position, int pawn) {
    return layout.neighbors_of(pawn_group(layout, position, pawn)) & position.empty_tiles();
}

Bitboard pawns_in_danger(const Layout& layout, const Position& position, int player) {
    if (player < 0 || player >= kMaxPlayers) return 0;
    Bitboard result = 0;
    for (Bitboard remaining = position.pawns[player]; remaining != 0;) {
        const int pawn = lsb(remaining);
        const Bitboard members = pawn_group(layout, position, pawn);
        if (std::has_single_bit(freedoms(layout, position, pawn))) result |= members;
        remaining &= ~members;
    }
    return result;
}

}  // namespace limina::limit

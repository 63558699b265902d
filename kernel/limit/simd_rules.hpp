// The parts of a turn, for one board (Set is Bitboard) and for a board in each SIMD lane (Set is SimdBitboard). They
// access the adjacency of tiles only by neighbors(set), which has two implementations. Internal to rules.cpp and
// playouts.cpp; other files use limit/rules.hpp.
#pragma once

#include "common/simd.hpp"
#include "limit/rules.hpp"

namespace limina::limit {

// Neighbors by lookup tables, for sets of tile indices.
struct TableNeighbors {
    const Layout& layout;

    Bitboard operator()(Bitboard set) const { return layout.neighbors_of(set); }
    template <MultiLane Set>
    Set operator()(const Set& sets) const {
        Set result{};
        for (int i = 0; 8 * i < layout.count; ++i)
            result |= lookup_lanes<Set>(layout.neighbors_by_byte[i], (sets >> (8 * i)) & 255);
        return result;
    }

    // Returns the empty set: Layout::single_arc is for single tiles, and a lookup for each tile saves nothing.
    template <typename Set>
    Set single_arc(const Set&) const {
        return Set{};
    }
};

// The preferred Layout::grid_stride, for which playouts are compiled with a constant stride.
inline constexpr int kDefaultStride = 8;

// Neighbors by shifts, for sets of grid cells (see Layout::grid_cells). The result may contain cells without a tile,
// which the rules ignore. Shifts by a compile-time constant are faster; with `Stride` 0 the stride is a runtime value.
template <int Stride>
struct GridNeighbors {
    int runtime_stride;

    int stride() const { return Stride != 0 ? Stride : runtime_stride; }

    template <typename Set>
    Set operator()(const Set& set) const {
        const Set up = set + set;
        const Set down = set >> 1;
        return up | down | ((set | up) >> stride()) | ((set | down) << stride());
    }

    // Returns cells whose neighboring tiles form at most one unbroken arc, so removing the tile does not split the
    // board.
    template <typename Set>
    Set single_arc(const Set& tiles) const {
        const Set low = tiles >> stride(), high = tiles << stride();
        const std::array<Set, 6> circle = {low, low << 1, tiles << 1, high, high >> 1, tiles >> 1};
        Set once{}, more{};
        for (std::size_t side = 0; side < circle.size(); ++side) {
            const Set ends = circle[side] & ~circle[(side + 1) % circle.size()];
            more |= once & ends;
            once |= ends;
        }
        return ~more;
    }
};

// Tiles and pawns: those of the player to move, of the next player, and of the one after. Empty for a player without
// pawns and for the third of two players.
template <typename Set>
struct BoardSets {
    Set tiles, edge_tiles, own, next, last;

    Set enemy_pawns() const { return next | last; }
    Set pawns() const { return own | next | last; }
    Set empty_tiles() const { return tiles & ~pawns(); }
};

// Returns the tiles of `within` that are connected with the seeds, which must be in `within` as well.
template <typename Set, typename Neighbors>
Set flood_fill(const Neighbors& neighbors, Set seeds, const Set& within) {
    while (true) {  // three steps for each comparison, which costs more than a step
        for (int i = 0; i < 2; ++i) seeds |= neighbors(seeds) & within;
        const Set reached = seeds | (neighbors(seeds) & within);
        if (is_equal(reached, seeds)) return reached;
        seeds = reached;
    }
}

// Returns the pawns of one player in groups without a freedom. `beside_empty` are the tiles that touch an empty one.
template <typename Set, typename Neighbors>
Set groups_without_freedom(const Neighbors& neighbors, const Set& pawns, const Set& beside_empty) {
    return pawns & ~flood_fill<Set>(neighbors, pawns & beside_empty, pawns);
}

// Removes enemies without a freedom and returns them. Only groups with a pawn in `touched` can have lost their last
// freedom, so the flood fill is mostly skipped.
template <typename Set, typename Neighbors>
Set capture_enemies(const Neighbors& neighbors, BoardSets<Set>& board, const Set& touched, const Set& beside_empty) {
    if (is_zero(board.enemy_pawns() & touched & ~beside_empty)) return Set{};
    Set captured = groups_without_freedom<Set>(neighbors, board.next, beside_empty);
    if (!is_zero(board.last)) captured |= groups_without_freedom<Set>(neighbors, board.last, beside_empty);
    board.next &= ~captured;
    board.last &= ~captured;
    return captured;
}

// Removes own pawns without a freedom and returns them, like capture_enemies.
template <typename Set, typename Neighbors>
Set capture_friends(const Neighbors& neighbors, BoardSets<Set>& board, const Set& touched, const Set& beside_empty) {
    if (is_zero(board.own & touched & ~beside_empty)) return Set{};
    const Set captured = groups_without_freedom<Set>(neighbors, board.own, beside_empty);
    board.own &= ~captured;
    return captured;
}

// Plays the pawn move of a turn. Returns the captured enemies.
template <typename Set, typename Neighbors>
Set move_pawn(const Neighbors& neighbors, BoardSets<Set>& board, const Set& from, const Set& to) {
    board.own ^= from | to;
    return capture_enemies<Set>(neighbors, board, neighbors(to), neighbors(board.empty_tiles()));
}

// Returns the tiles that stay on the board after the removal: the group with all pawns, or the empty set if the pawns
// are in several groups.
template <typename Set, typename Neighbors>
Set tiles_after_removal(const Neighbors& neighbors, const BoardSets<Set>& board, const Set& removed) {
    const Set pawns = board.pawns();
    const Set group = flood_fill<Set>(neighbors, pawns & -pawns, board.tiles & ~removed);
    return group & ~nonzero_mask(pawns & ~group);
}

// Plays the removal of a turn, without captures. `remaining` is the result of tiles_after_removal.
template <typename Set, typename Neighbors>
void remove_tile(const Neighbors& neighbors, BoardSets<Set>& board, const Set& removed, const Set& remaining) {
    board.tiles = remaining;
    board.edge_tiles = (board.edge_tiles | neighbors(removed)) & remaining;
}

template <typename Set>
struct Captures {
    Set enemies, friends;
};

// Removes the pawns captured at the end of a turn, also of a turn without a removal. `touched` must contain the
// neighbors of the removed tile and the pawn that moved, because its own group has not been checked yet.
template <typename Set, typename Neighbors>
Captures<Set> capture_at_turn_end(const Neighbors& neighbors, BoardSets<Set>& board, const Set& touched) {
    const Set beside_empty = neighbors(board.empty_tiles());
    const Set enemies = capture_enemies<Set>(neighbors, board, touched, beside_empty);
    const Set beside_empty_after = is_zero(enemies) ? beside_empty : neighbors(board.empty_tiles());
    return {enemies, capture_friends<Set>(neighbors, board, touched, beside_empty_after)};
}

// Returns the captures at the end of a turn with this removal, which may be empty. For turns when captures are
// forbidden.
template <typename Set, typename Neighbors>
Set captures_at_turn_end(const Neighbors& neighbors, BoardSets<Set> board, const Set& removed, const Set& remaining) {
    remove_tile<Set>(neighbors, board, removed, remaining);
    const Captures<Set> captures = capture_at_turn_end<Set>(neighbors, board, board.own | neighbors(removed));
    return captures.enemies | captures.friends;
}

inline BoardSets<Bitboard> board_sets(const Position& position) {
    const auto pawns = [&](int later) { return position.pawns[(position.to_move + later) % kMaxPlayers]; };
    return {position.tiles, position.edge_tiles, pawns(0), pawns(1), pawns(2)};
}

inline void store(const BoardSets<Bitboard>& board, Position& position) {
    position.tiles = board.tiles;
    position.edge_tiles = board.edge_tiles;
    position.pawns[position.to_move] = board.own;
    position.pawns[(position.to_move + 1) % kMaxPlayers] = board.next;
    position.pawns[(position.to_move + 2) % kMaxPlayers] = board.last;
}

// Passes the turn to the next player with pawns and ends the game if at most one is left. `players_before` is the set
// of players with pawns before the turn.
inline void finish_turn(Position& position, unsigned players_before) {
    const unsigned players_left = position.players_in_game();
    const unsigned other_players = players_before & ~(1U << position.to_move);
    ++position.turn;
    do {
        position.to_move = static_cast<std::uint8_t>((position.to_move + 1) % position.players);
    } while (players_left != 0 && !contains(players_left, position.to_move));
    if (popcount(players_left) > 1) return;
    position.over = true;
    position.winners = static_cast<std::uint8_t>(players_left != 0              ? players_left
                                                 : popcount(other_players) == 1 ? other_players
                                                                                : players_before);
}

// Applies the repetition rule after a turn from `before` to `now`. The initial position is not the end of a turn, so it
// is not added.
inline void apply_repetition_rule(History& history, const Position& before, Position& now) {
    if (now.tiles != before.tiles || popcount(now.all_pawns()) != popcount(before.all_pawns())) {
        history = {};
        return;
    }
    if (before.turn > 0) history = history.with_end(before);
    if (now.over || !history.contains(now)) return;
    now.over = true;
    now.winners = static_cast<std::uint8_t>(now.players_in_game());
}

}  // namespace limina::limit

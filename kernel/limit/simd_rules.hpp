// The parts of a turn, written once for one board (sets are Bitboard) and for several side by side (sets are Lanes).
// They see the tiles only through steps(set), the neighbours of a set, for which there are two ways. Used by the rules
// and by random play, and by nobody else: everybody else asks limit/rules.hpp.
#pragma once

#include "common/simd.hpp"
#include "limit/rules.hpp"

namespace limina::limit {

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

    // Known only of single tiles, so that it saves nothing here.
    template <typename Set>
    Set single_arc(const Set&) const {
        return Set{};
    }
};

// The first choice for Layout::stride, which random play knows best.
inline constexpr int kDefaultStride = 8;

// For sets of grid cells (see Layout::cells). May name cells without a tile, which no rule minds. Shifts by a number
// that the compiler knows are quicker; any other stride is `Stride` 0.
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

    // The cells whose neighbours among the tiles lie in at most one unbroken arc: taking such a tile splits nothing.
    // Some others may be left out.
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

// Tiles and pawns, the latter in the order of play: the player to move, the next one, the one after that. A player who
// is out of the game, and the third of two, has none.
template <typename Set>
struct BoardSets {
    Set tiles, edge_tiles, own, next, last;

    Set enemy_pawns() const { return next | last; }
    Set pawns() const { return own | next | last; }
    Set empty_tiles() const { return tiles & ~pawns(); }
};

// All that the seeds reach by steps inside `within`.
template <typename Set, typename Neighbors>
Set flood_fill(const Neighbors& neighbors, Set seeds, const Set& within) {
    while (true) {  // several steps at a time, since to ask whether it is done costs more than a step
        for (int i = 0; i < 2; ++i) seeds |= neighbors(seeds) & within;
        const Set reached = seeds | (neighbors(seeds) & within);
        if (is_equal(reached, seeds)) return reached;
        seeds = reached;
    }
}

// The pawns of one colour whose groups have no freedom; `beside_empty` are the tiles that touch an empty one.
template <typename Set, typename Neighbors>
Set groups_without_freedom(const Neighbors& neighbors, const Set& pawns, const Set& beside_empty) {
    return pawns & ~flood_fill<Set>(neighbors, pawns & beside_empty, pawns);
}

// Only groups with a pawn in `touched` can have lost their freedom since it was last judged, and mostly none has.
template <typename Set, typename Neighbors>
Set capture_enemies(const Neighbors& neighbors, BoardSets<Set>& board, const Set& touched, const Set& beside_empty) {
    if (is_zero(board.enemy_pawns() & touched & ~beside_empty)) return Set{};
    Set captured = groups_without_freedom<Set>(neighbors, board.next, beside_empty);
    if (!is_zero(board.last)) captured |= groups_without_freedom<Set>(neighbors, board.last, beside_empty);
    board.next &= ~captured;
    board.last &= ~captured;
    return captured;
}

template <typename Set, typename Neighbors>
Set capture_friends(const Neighbors& neighbors, BoardSets<Set>& board, const Set& touched, const Set& beside_empty) {
    if (is_zero(board.own & touched & ~beside_empty)) return Set{};
    const Set captured = groups_without_freedom<Set>(neighbors, board.own, beside_empty);
    board.own &= ~captured;
    return captured;
}

// Part 1 of a turn. Returns the captured enemies.
template <typename Set, typename Neighbors>
Set move_pawn(const Neighbors& neighbors, BoardSets<Set>& board, const Set& from, const Set& to) {
    board.own ^= from | to;
    return capture_enemies<Set>(neighbors, board, neighbors(to), neighbors(board.empty_tiles()));
}

// The tiles that stay on the board when one is removed: the group with the pawns, nothing if they are in several.
template <typename Set, typename Neighbors>
Set tiles_after_removal(const Neighbors& neighbors, const BoardSets<Set>& board, const Set& removed) {
    const Set pawns = board.pawns();
    const Set group = flood_fill<Set>(neighbors, pawns & -pawns, board.tiles & ~removed);
    return group & ~nonzero_mask(pawns & ~group);
}

// Part 2 of a turn but for its captures.
template <typename Set, typename Neighbors>
void remove_tile(const Neighbors& neighbors, BoardSets<Set>& board, const Set& removed, const Set& remaining) {
    board.tiles = remaining;
    board.edge_tiles = (board.edge_tiles | neighbors(removed)) & remaining;
}

template <typename Set>
struct Captures {
    Set enemies, friends;
};

// Captures at the end of a turn, also where the turn was a pawn move alone. Freedom can be lost around the removed
// tile and, since one's own side has not been judged yet, by the pawn that moved.
template <typename Set, typename Neighbors>
Captures<Set> capture_at_turn_end(const Neighbors& neighbors, BoardSets<Set>& board, const Set& touched) {
    const Set beside_empty = neighbors(board.empty_tiles());
    const Set enemies = capture_enemies<Set>(neighbors, board, touched, beside_empty);
    const Set beside_empty_now = is_zero(enemies) ? beside_empty : neighbors(board.empty_tiles());
    return {enemies, capture_friends<Set>(neighbors, board, touched, beside_empty_now)};
}

// For the first-move rule: what a turn that ends with this removal (of nothing, where no tile is removed) captures.
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

// Passes the turn on and judges the end; `players_before` are the players in the game when the turn began.
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

// The repetition ruling, after a turn that led from `before` to `now`. The set-up is not the end of a turn.
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

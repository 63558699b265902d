// The parts of a turn, written once for one board (sets are Word) and for several side by side (sets are Lanes). They
// see the tiles only through steps(set), the neighbours of a set, for which there are two ways. Used by the rules and
// by random play, and by nobody else: everybody else asks limit/rules.hpp.
#pragma once

#include "common/simd.hpp"
#include "limit/rules.hpp"

namespace limina::limit {

struct LookupSteps {
    const Layout& layout;

    Word operator()(Word set) const { return layout.near(set); }
    template <Vectors Set>
    Set operator()(const Set& sets) const {
        Set found{};
        for (int i = 0; 8 * i < layout.count; ++i) found |= look_up<Set>(layout.spread[i], (sets >> (8 * i)) & 255);
        return found;
    }

    // Known only of single tiles, so that it saves nothing here.
    template <typename Set>
    Set one_arc(const Set&) const {
        return Set{};
    }
};

// The first choice for Layout::stride, which random play knows best.
inline constexpr int kUsualStride = 8;

// For sets of grid cells (see Layout::cells). May name cells without a tile, which no rule minds. Shifts by a number
// that the compiler knows are quicker; any other stride is `Stride` 0.
template <int Stride>
struct GridSteps {
    int any_stride;

    int stride() const { return Stride != 0 ? Stride : any_stride; }

    template <typename Set>
    Set operator()(const Set& set) const {
        const Set up = set + set;
        const Set down = set >> 1;
        return up | down | ((set | up) >> stride()) | ((set | down) << stride());
    }

    // The cells whose neighbours among the tiles lie in at most one unbroken arc: taking such a tile splits nothing.
    // Some others may be left out.
    template <typename Set>
    Set one_arc(const Set& tiles) const {
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
struct Bitboards {
    Set tiles, rim, own, next, last;

    Set enemies() const { return next | last; }
    Set pawns() const { return own | next | last; }
    Set empty() const { return tiles & ~pawns(); }
};

// All that the seeds reach by steps inside `within`.
template <typename Set, typename Steps>
Set flood(const Steps& steps, Set seeds, const Set& within) {
    while (true) {  // several steps at a time, since to ask whether it is done costs more than a step
        for (int i = 0; i < 2; ++i) seeds |= steps(seeds) & within;
        const Set reached = seeds | (steps(seeds) & within);
        if (same(reached, seeds)) return reached;
        seeds = reached;
    }
}

// The pawns of one colour whose groups have no freedom; `breathing` are the tiles that touch an empty one.
template <typename Set, typename Steps>
Set without_freedom(const Steps& steps, const Set& pawns, const Set& breathing) {
    return pawns & ~flood<Set>(steps, pawns & breathing, pawns);
}

// Only groups with a pawn in `touched` can have lost their freedom since it was last judged, and mostly none has.
template <typename Set, typename Steps>
Set capture_enemies(const Steps& steps, Bitboards<Set>& board, const Set& touched, const Set& breathing) {
    if (none(board.enemies() & touched & ~breathing)) return Set{};
    Set captured = without_freedom<Set>(steps, board.next, breathing);
    if (!none(board.last)) captured |= without_freedom<Set>(steps, board.last, breathing);
    board.next &= ~captured;
    board.last &= ~captured;
    return captured;
}

template <typename Set, typename Steps>
Set capture_friends(const Steps& steps, Bitboards<Set>& board, const Set& touched, const Set& breathing) {
    if (none(board.own & touched & ~breathing)) return Set{};
    const Set captured = without_freedom<Set>(steps, board.own, breathing);
    board.own &= ~captured;
    return captured;
}

// Part 1 of a turn. Returns the captured enemies.
template <typename Set, typename Steps>
Set move_pawn(const Steps& steps, Bitboards<Set>& board, const Set& from, const Set& to) {
    board.own ^= from | to;
    return capture_enemies<Set>(steps, board, steps(to), steps(board.empty()));
}

// The tiles that stay on the board when one is removed: the group with the pawns, nothing if they are in several.
template <typename Set, typename Steps>
Set kept_without(const Steps& steps, const Bitboards<Set>& board, const Set& removed) {
    const Set pawns = board.pawns();
    const Set group = flood<Set>(steps, pawns & -pawns, board.tiles & ~removed);
    return group & ~filled(pawns & ~group);
}

// Part 2 of a turn but for its captures.
template <typename Set, typename Steps>
void remove_tile(const Steps& steps, Bitboards<Set>& board, const Set& removed, const Set& kept) {
    board.tiles = kept;
    board.rim = (board.rim | steps(removed)) & kept;
}

template <typename Set>
struct Captures {
    Set enemies, friends;
};

// Captures at the end of a turn, also where the turn was a pawn move alone. Freedom can be lost around the removed
// tile and, since one's own side has not been judged yet, by the pawn that moved.
template <typename Set, typename Steps>
Captures<Set> settle(const Steps& steps, Bitboards<Set>& board, const Set& touched) {
    const Set breathing = steps(board.empty());
    const Set enemies = capture_enemies<Set>(steps, board, touched, breathing);
    const Set breathing_now = none(enemies) ? breathing : steps(board.empty());
    return {enemies, capture_friends<Set>(steps, board, touched, breathing_now)};
}

// For the first-move rule: what a turn that ends with this removal (of nothing, where no tile is removed) captures.
template <typename Set, typename Steps>
Set end_captures(const Steps& steps, Bitboards<Set> board, const Set& removed, const Set& kept) {
    remove_tile<Set>(steps, board, removed, kept);
    const Captures<Set> captures = settle<Set>(steps, board, board.own | steps(removed));
    return captures.enemies | captures.friends;
}

inline Bitboards<Word> bitboards(const Position& position) {
    const auto pawns = [&](int later) { return position.pawns[(position.to_move + later) % kMostPlayers]; };
    return {position.tiles, position.rim, pawns(0), pawns(1), pawns(2)};
}

inline void put(const Bitboards<Word>& board, Position& position) {
    position.tiles = board.tiles;
    position.rim = board.rim;
    position.pawns[position.to_move] = board.own;
    position.pawns[(position.to_move + 1) % kMostPlayers] = board.next;
    position.pawns[(position.to_move + 2) % kMostPlayers] = board.last;
}

// Passes the turn on and judges the end; `began` are the players in the game when the turn began.
inline void finish(Position& position, unsigned began) {
    const unsigned left = position.in_game();
    const unsigned others = began & ~(1U << position.to_move);
    ++position.turn;
    do {
        position.to_move = static_cast<std::uint8_t>((position.to_move + 1) % position.players);
    } while (left != 0 && !has(left, position.to_move));
    if (count(left) > 1) return;
    position.over = true;
    position.winners = static_cast<std::uint8_t>(left != 0 ? left : count(others) == 1 ? others : began);
}

// The repetition ruling, after a turn that led from `before` to `now`. The set-up is not the end of a turn.
inline void judge_repetition(History& history, const Position& before, Position& now) {
    if (now.tiles != before.tiles || count(now.all_pawns()) != count(before.all_pawns())) {
        history = {};
        return;
    }
    if (before.turn > 0) history = history.with(before);
    if (now.over || !history.holds(now)) return;
    now.over = true;
    now.winners = static_cast<std::uint8_t>(now.in_game());
}

}  // namespace limina::limit

// The rules of Limit: set-up, legal turns, play, captures, outcome, and random playouts. Rules only, no judgement of
// positions. A tile is known by its index in the layout, a set of tiles or pawns is one word.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "common/bitboard.hpp"

namespace limina::limit {

inline constexpr int kMostTiles = 64;
inline constexpr int kMostPlayers = 3;
inline constexpr int kColours = 4;  // red, blue, yellow, black; player i has the pawns of colour i

// One tile as it is laid: axial coordinates (letter from 0, number) and colour.
struct Place {
    int q = 0;
    int r = 0;
    int colour = 0;
    bool operator==(const Place&) const = default;
};

// What never changes in a game: where the tiles were laid, and tables derived from that. Tiles are sorted by (q, r).
struct Layout {
    int count = 0;
    int players = 0;
    std::array<Place, kMostTiles> places{};
    std::array<Word, kColours> colours{};
    std::array<Word, kMostTiles> neighbours{};
    // Which of the six sides of a tile had a neighbour, a bit a side; the sides in the order of the tiles there.
    std::array<std::uint8_t, kMostTiles> sides{};
    // Bit gather(tiles, neighbours[t]) of one_arc[t] is set where the neighbours of t that are still there lie in one
    // unbroken arc around it: they touch each other in a row, so taking t away splits nothing.
    std::array<Word, kMostTiles> one_arc{};
    // spread[i][byte]: the union of the neighbours of the tiles in the i-th byte of a set.
    std::array<std::array<Word, 256>, kMostTiles / 8> spread{};

    // Most layouts of up to 36 tiles fit into one word as a grid: tile (q, r) in cell stride * q + r, less what brings
    // the first tile to cell 1. The order of tiles stays, and only neighbours are 1, stride or stride - 1 apart, so
    // that a step in all directions at once is a few shifts. `cells` are those in use; none where the layout does not
    // fit.
    Word cells = 0;
    int stride = 0;

    Word all() const { return count == kMostTiles ? ~Word{0} : bit(count) - 1; }

    // The tiles that touch any tile of the set.
    Word near(Word set) const {
        Word found = near_byte<0>(set) | near_byte<1>(set) | near_byte<2>(set) | near_byte<3>(set);
        if ((set >> 32) != 0) found |= near_byte<4>(set) | near_byte<5>(set) | near_byte<6>(set) | near_byte<7>(set);
        return found;
    }

    // The index of the tile laid at (q, r), or -1.
    int find(int q, int r) const;

  private:
    template <int I>
    Word near_byte(Word set) const {
        return spread[I][static_cast<std::uint8_t>(set >> (8 * I))];
    }
};

enum class LayoutProblem : std::uint8_t {
    none,
    players,             // neither two nor three
    count,               // not 4n tiles, n from 1 to 16
    place,               // letter beyond a..z or number beyond 0..999
    colour,              // no such colour
    duplicate,           // two tiles on one place
    colour_count,        // a colour that has not n tiles
    touches_fewer,       // a tile touches fewer than two others
    not_connected,       // a tile is not connected with the first one
    same_colour_touch,   // two tiles of one colour touch
    pawn_without_empty,  // a pawn touches no empty tile
};

// Either a layout, or what is wrong with the set-up and the first place concerned (-1 where it is none in particular).
struct LayoutResult {
    std::shared_ptr<const Layout> layout;
    LayoutProblem problem = LayoutProblem::none;
    int place = -1;
};

// Checks the set-up rules; the places may come in any order.
LayoutResult make_layout(std::span<const Place> places, int players);

// No tile: what there is before the tiles are laid; null unless players are 2 or 3.
std::shared_ptr<const Layout> empty_layout(int players);

// Deals a random layout, the same for the same seed; null unless size is 4 to 16 and players 2 or 3.
std::shared_ptr<const Layout> random_layout(int size, int players, Word seed);

// What a player does once. A part that is not done has kNone.
struct Turn {
    static constexpr std::uint8_t kNone = 255;

    std::uint8_t from = kNone;
    std::uint8_t to = kNone;
    std::uint8_t removed = kNone;
    std::uint8_t unused = 0;  // makes it one machine word to compare and copy

    bool moves() const { return from != kNone; }
    bool removes() const { return removed != kNone; }
    // A turn as one number, a byte for each part; the same on every machine.
    std::uint32_t pack() const { return std::uint32_t{from} | std::uint32_t{to} << 8 | std::uint32_t{removed} << 16; }
    static Turn unpack(std::uint32_t packed) {
        return {static_cast<std::uint8_t>(packed), static_cast<std::uint8_t>(packed >> 8),
                static_cast<std::uint8_t>(packed >> 16)};
    }
    bool operator==(const Turn&) const = default;
};

// Where a game stands between turns (or, after after_move, between the parts of one). A plain value.
struct Position {
    Word tiles = 0;
    std::array<Word, kMostPlayers> pawns{};
    Word rim = 0;  // the tiles with a free edge; follows from tiles, kept because it is needed so often
    std::uint32_t turn = 0;
    std::uint8_t players = 0;
    std::uint8_t to_move = 0;
    bool over = false;
    std::uint8_t winners = 0;  // a set of players, empty while the game goes on

    Word all_pawns() const { return pawns[0] | pawns[1] | pawns[2]; }
    Word empty() const { return tiles & ~all_pawns(); }
    Word own() const { return pawns[to_move]; }
    Word enemies() const { return all_pawns() & ~own(); }
    // The players who still have pawns, as a set.
    unsigned in_game() const {
        return unsigned{pawns[0] != 0} | unsigned{pawns[1] != 0} << 1 | unsigned{pawns[2] != 0} << 2;
    }
    // Turns on which nothing may be captured: the first of every player but the last one.
    bool captures_forbidden() const { return turn + 1 < players; }

    bool operator==(const Position&) const = default;
};

// Same tiles, same pawns, same player to move: what the repetition ruling compares.
bool repeats(const Position& one, const Position& other);

// A hash of what `repeats` compares, and of whether captures are forbidden: equal for positions with the same future.
Word hash(const Position& position);

// The ends of turns that a later turn could still repeat: those before the present one since a tile or pawn last left.
// Empty unless turns without a removal are being played. An immutable tree by the hash of what is repeated, most of
// which a longer history shares with the one it was made from: to copy it costs nothing, to add to it or to look into
// it takes a few steps however long the game is.
class History {
  public:
    bool empty() const { return root_ == nullptr; }
    std::size_t size() const;
    bool holds(const Position& position) const;
    History with(const Position& end) const;
    std::vector<Position> ends() const;  // in the order in which they came
    bool operator==(const History& other) const;

  private:
    struct Node;
    using Link = std::shared_ptr<const Node>;

    static Link with(const Link& node, const Position& end, std::uint32_t place, Word way);

    Link root_;
};

// A position with all of its past that matters for its future.
struct State {
    Position position;
    History history;
};

// The tiles with a free edge.
Word rim(const Layout& layout, Word tiles);

// The position in which the first player begins.
Position initial_position(const Layout& layout);

// What a turn took from the board.
struct Events {
    Word captured_by_move = 0;  // enemies, after the pawn move
    Word sunk = 0;              // the removed tile and the pawnless groups of tiles that left with it
    Word captured_enemies = 0;  // at the end of the turn
    Word captured_friends = 0;  // after those
};

struct Played {
    Position position;
    Events events;
};

// The position after a legal turn, without the repetition ruling.
Played play(const Layout& layout, const Position& position, Turn turn);

// Plays a legal turn with every ruling.
Events play(const Layout& layout, State& state, Turn turn);

// All legal turns, sorted by from, to, removed; empty where the game is over or no tile is laid. The vector is
// overwritten.
void legal_turns(const Layout& layout, const Position& position, std::vector<Turn>& turns);

enum class Problem : std::uint8_t {
    game_over,
    not_laid,                // no tile has been laid yet
    incomplete,              // a pawn move with only one of its two tiles
    no_such_tile,            // never laid, or gone
    no_pawn,                 // no pawn where the move begins
    enemy_pawn,              // an enemy's pawn where the move begins
    same_tile,               // the move ends where it begins
    occupied,                // a pawn where the move ends
    not_reachable,           // no way over empty tiles
    move_captures,           // the pawn move captures, on a turn that may not
    removed_occupied,        // a pawn on the tile to remove, after the move
    no_free_edge,            // the tile to remove is enclosed
    splits_pawns,            // the removal leaves pawns in two or more groups of tiles
    removal_captures,        // the removal captures, on a turn that may not
    must_remove,             // a tile can be removed too
    move_allows_no_removal,  // after this pawn move no tile can be removed, after another one can
    must_move,               // a pawn can be moved
    nothing,                 // a turn of nothing while something can be done
};

// Why the turn is not legal, if it is not. Any turn may be asked about. All turns are listed only for one without a
// move or without a removal, which is legal where nothing more can be done.
std::optional<Problem> check(const Layout& layout, const Position& position, Turn turn);

// Steps of a turn for a user interface. Tiles that hold no fitting pawn give empty sets.

// The tiles that the pawn may move to as far as the way is concerned.
Word reach(const Layout& layout, const Position& position, int pawn);

struct Moved {
    Position position;  // still the mover's turn
    Word captured = 0;
};

// The board after the first part of a turn; `to` must be in reach of `from`.
Moved after_move(const Layout& layout, const Position& position, int from, int to);

// A pawn move that legal turns begin with, and the enemies that it captures.
struct PawnMove {
    int from, to;
    Word captured;
};
std::vector<PawnMove> pawn_moves(const Layout& layout, const Position& position);

// The tiles that a legal turn with this turn's pawn move may remove; none where the pawn may not go that way.
Word completions(const Layout& layout, const Position& position, Turn turn);

// The tiles that may be removed in the position, which is one after a pawn move or, for a removal alone, before it.
Word removals(const Layout& layout, const Position& position);

// The pawns of the group that the pawn belongs to, and the empty tiles that touch this group.
Word group(const Layout& layout, const Position& position, int pawn);
Word freedoms(const Layout& layout, const Position& position, int pawn);

// The player's pawns in groups with exactly one freedom.
Word in_danger(const Layout& layout, const Position& position, int player);

// What came of a number of playouts.
struct Playouts {
    std::array<std::uint64_t, kMostPlayers> wins{};  // by one player alone
    std::uint64_t shared = 0;                        // won by several
    std::array<double, kMostPlayers> credit{};       // one a playout, divided among its winners
    std::uint64_t turns = 0;
};

// Plays n games on to the end: a random pawn move among those that allow a removal, then a random removal.
Playouts playouts(const Layout& layout, const State& state, std::uint64_t n, Word seed);

}  // namespace limina::limit

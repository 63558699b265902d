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

inline constexpr int kMaxTiles = 64;
inline constexpr int kMaxPlayers = 3;
inline constexpr int kColors = 4;  // red, blue, yellow, black; player i has the pawns of colour i

// One tile as it is laid: axial coordinates (letter from 0, number) and colour.
struct Place {
    int q = 0;
    int r = 0;
    int color = 0;
    bool operator==(const Place&) const = default;
};

// What never changes in a game: where the tiles were laid, and tables derived from that. Tiles are sorted by (q, r).
struct Layout {
    int count = 0;
    int players = 0;
    std::array<Place, kMaxTiles> places{};
    std::array<Bitboard, kColors> colors{};
    std::array<Bitboard, kMaxTiles> neighbors{};
    // Which of the six sides of a tile had a neighbour, a bit a side; the sides in the order of the tiles there.
    std::array<std::uint8_t, kMaxTiles> neighbor_sides{};
    // Bit gather(tiles, neighbours[t]) of single_arc[t] is set where the neighbours of t that are still there lie in
    // one unbroken arc around it: they touch each other in a row, so taking t away splits nothing.
    std::array<Bitboard, kMaxTiles> single_arc{};
    // spread[i][byte]: the union of the neighbours of the tiles in the i-th byte of a set.
    std::array<std::array<Bitboard, 256>, kMaxTiles / 8> neighbors_by_byte{};

    // Most layouts of up to 36 tiles fit into one word as a grid: tile (q, r) in cell stride * q + r, less what brings
    // the first tile to cell 1. The order of tiles stays, and only neighbours are 1, stride or stride - 1 apart, so
    // that a step in all directions at once is a few shifts. `grid_cells` are those in use; none where the layout does
    // not fit.
    Bitboard grid_cells = 0;
    int grid_stride = 0;

    Bitboard all_tiles() const { return count == kMaxTiles ? ~Bitboard{0} : bit_at(count) - 1; }

    // The tiles that touch any tile of the set.
    Bitboard neighbors_of(Bitboard set) const {
        Bitboard result = neighbors_of_byte<0>(set) | neighbors_of_byte<1>(set) | neighbors_of_byte<2>(set) |
                          neighbors_of_byte<3>(set);
        if ((set >> 32) != 0)
            result |= neighbors_of_byte<4>(set) | neighbors_of_byte<5>(set) | neighbors_of_byte<6>(set) |
                      neighbors_of_byte<7>(set);
        return result;
    }

    // The index of the tile laid at (q, r), or -1.
    int find_tile(int q, int r) const;

  private:
    template <int I>
    Bitboard neighbors_of_byte(Bitboard set) const {
        return neighbors_by_byte[I][static_cast<std::uint8_t>(set >> (8 * I))];
    }
};

enum class LayoutProblem : std::uint8_t {
    none,
    player_count,                 // neither two nor three
    tile_count,                   // not 4n tiles, n from 1 to 16
    invalid_place,                // letter beyond a..z or number beyond 0..999
    invalid_color,                // no such colour
    duplicate_place,              // two tiles on one place
    uneven_colors,                // a colour that has not n tiles
    fewer_than_two_neighbors,     // a tile touches fewer than two others
    not_connected,                // a tile is not connected with the first one
    same_color_touches,           // two tiles of one colour touch
    pawn_without_empty_neighbor,  // a pawn touches no empty tile
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
std::shared_ptr<const Layout> random_layout(int size, int players, std::uint64_t seed);

// What a player does once. A part that is not done has kNone.
struct Turn {
    static constexpr std::uint8_t kNone = 255;

    std::uint8_t from = kNone;
    std::uint8_t to = kNone;
    std::uint8_t removed = kNone;
    std::uint8_t padding = 0;  // makes it one machine word to compare and copy

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
    Bitboard tiles = 0;
    std::array<Bitboard, kMaxPlayers> pawns{};
    Bitboard edge_tiles = 0;  // the tiles with a free edge; follows from tiles, kept because it is needed so often
    std::uint32_t turn = 0;
    std::uint8_t players = 0;
    std::uint8_t to_move = 0;
    bool over = false;
    std::uint8_t winners = 0;  // a set of players, empty while the game goes on

    Bitboard all_pawns() const { return pawns[0] | pawns[1] | pawns[2]; }
    Bitboard empty_tiles() const { return tiles & ~all_pawns(); }
    Bitboard own_pawns() const { return pawns[to_move]; }
    Bitboard enemy_pawns() const { return all_pawns() & ~own_pawns(); }
    // The players who still have pawns, as a set.
    unsigned players_in_game() const {
        return unsigned{pawns[0] != 0} | unsigned{pawns[1] != 0} << 1 | unsigned{pawns[2] != 0} << 2;
    }
    // Turns on which nothing may be captured: the first of every player but the last one.
    bool captures_forbidden() const { return turn + 1 < players; }

    bool operator==(const Position&) const = default;
};

// Same tiles, same pawns, same player to move: what the repetition ruling compares.
bool is_repetition(const Position& one, const Position& other);

// A hash of what `is_repetition` compares, and of whether captures are forbidden: equal for positions with the same
// future.
std::uint64_t hash(const Position& position);

// The ends of turns that a later turn could still repeat: those before the present one since a tile or pawn last left.
// Empty unless turns without a removal are being played. An immutable tree by the hash of what is repeated, most of
// which a longer history shares with the one it was made from: to copy it costs nothing, to add to it or to look into
// it takes a few steps however long the game is.
class History {
  public:
    bool empty() const { return root_ == nullptr; }
    std::size_t size() const;
    bool contains(const Position& position) const;
    History with_end(const Position& end) const;
    std::vector<Position> ends() const;  // in the order in which they came
    bool operator==(const History& other) const;

  private:
    struct Node;
    using NodePtr = std::shared_ptr<const Node>;

    static NodePtr with_end(const NodePtr& node, const Position& end, std::uint32_t place, std::uint64_t path_bits);

    NodePtr root_;
};

// A position with all of its past that matters for its future.
struct State {
    Position position;
    History history;
};

// The tiles with a free edge.
Bitboard find_edge_tiles(const Layout& layout, Bitboard tiles);

// The position in which the first player begins.
Position initial_position(const Layout& layout);

// What a turn took from the board.
struct TurnEffects {
    Bitboard captured_by_move = 0;  // enemies, after the pawn move
    Bitboard sunk = 0;              // the removed tile and the pawnless groups of tiles that left with it
    Bitboard captured_enemies = 0;  // at the end of the turn
    Bitboard captured_friends = 0;  // after those
};

struct PlayResult {
    Position position;
    TurnEffects effects;
};

// The position after a legal turn, without the repetition ruling.
PlayResult play(const Layout& layout, const Position& position, Turn turn);

// Plays a legal turn with every ruling.
TurnEffects play(const Layout& layout, State& state, Turn turn);

// All legal turns, sorted by from, to, removed; empty where the game is over or no tile is laid. The vector is
// overwritten.
void legal_turns(const Layout& layout, const Position& position, std::vector<Turn>& turns);

enum class IllegalTurnReason : std::uint8_t {
    game_over,
    no_layout,               // no tile has been laid yet
    incomplete_move,         // a pawn move with only one of its two tiles
    no_such_tile,            // never laid, or gone
    no_pawn_on_source,       // no pawn where the move begins
    enemy_pawn,              // an enemy's pawn where the move begins
    source_is_target,        // the move ends where it begins
    target_occupied,         // a pawn where the move ends
    target_not_reachable,    // no way over empty tiles
    move_captures,           // the pawn move captures, on a turn that may not
    removed_occupied,        // a pawn on the tile to remove, after the move
    no_free_edge,            // the tile to remove is enclosed
    splits_pawns,            // the removal leaves pawns in two or more groups of tiles
    removal_captures,        // the removal captures, on a turn that may not
    must_remove,             // a tile can be removed too
    move_allows_no_removal,  // after this pawn move no tile can be removed, after another one can
    must_move,               // a pawn can be moved
    must_act,                // a turn of nothing while something can be done
};

// Why the turn is not legal, if it is not. Any turn may be asked about. All turns are listed only for one without a
// move or without a removal, which is legal where nothing more can be done.
std::optional<IllegalTurnReason> check_turn(const Layout& layout, const Position& position, Turn turn);

// Steps of a turn for a user interface. Tiles that hold no fitting pawn give empty sets.

// The tiles that the pawn may move to as far as the way is concerned.
Bitboard reachable_tiles(const Layout& layout, const Position& position, int pawn);

struct MoveResult {
    Position position;  // still the mover's turn
    Bitboard captured = 0;
};

// The board after the first part of a turn; `to` must be in reach of `from`.
MoveResult after_move(const Layout& layout, const Position& position, int from, int to);

// A pawn move that legal turns begin with, and the enemies that it captures.
struct PawnMove {
    int from, to;
    Bitboard captured;
};
std::vector<PawnMove> pawn_moves(const Layout& layout, const Position& position);

// The tiles that a legal turn with this turn's pawn move may remove; none where the pawn may not go that way.
Bitboard removals_after_move(const Layout& layout, const Position& position, Turn turn);

// The tiles that may be removed in the position, which is one after a pawn move or, for a removal alone, before it.
Bitboard legal_removals(const Layout& layout, const Position& position);

// The pawns of the group that the pawn belongs to, and the empty tiles that touch this group.
Bitboard pawn_group(const Layout& layout, const Position& position, int pawn);
Bitboard freedoms(const Layout& layout, const Position& position, int pawn);

// The player's pawns in groups with exactly one freedom.
Bitboard pawns_in_danger(const Layout& layout, const Position& position, int player);

// What came of a number of playouts.
struct PlayoutResult {
    std::array<std::uint64_t, kMaxPlayers> wins{};  // by one player alone
    std::uint64_t shared_wins = 0;                  // won by several
    std::array<double, kMaxPlayers> win_credit{};   // one a playout, divided among its winners
    std::uint64_t turns = 0;
};

// Plays n games on to the end: a random pawn move among those that allow a removal, then a random removal.
PlayoutResult playouts(const Layout& layout, const State& state, std::uint64_t n, std::uint64_t seed);

}  // namespace limina::limit

// The rules of Limit: set-up, legal turns, play, captures, outcome, and random playouts. A tile is identified by its
// index in the layout, so a set of tiles or pawns is a bitboard.
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
inline constexpr int kColors = 4;  // red, blue, yellow, black; player i has the pawns of color i

// A tile of the set-up: axial coordinates (letter from 0, number) and color.
struct Place {
    int q = 0;
    int r = 0;
    int color = 0;
    bool operator==(const Place&) const = default;
};

// The set-up of a game with lookup tables derived from it. Immutable. Tiles are sorted by (q, r).
struct Layout {
    int count = 0;
    int players = 0;
    std::array<Place, kMaxTiles> places{};
    std::array<Bitboard, kColors> colors{};
    std::array<Bitboard, kMaxTiles> neighbors{};
    // The sides of each tile that have a neighbor in the set-up, as bits. Sides are in the order of the neighbors'
    // indices.
    std::array<std::uint8_t, kMaxTiles> neighbor_sides{};
    // Bit pext(tiles, neighbors[t]) of single_arc[t] is set if the neighbors of t that are left form one unbroken arc
    // around it. Then they are connected without t, and removing t does not split the board.
    std::array<Bitboard, kMaxTiles> single_arc{};
    // neighbors_by_byte[i][byte]: the union of the neighbors of the tiles in the i-th byte of a set.
    std::array<std::array<Bitboard, 256>, kMaxTiles / 8> neighbors_by_byte{};

    // Most layouts of up to 36 tiles fit into a bitboard as a grid: tile (q, r) is in cell stride * q + r, shifted so
    // that the first tile is in cell 1. This keeps the order of tiles, and only neighbors are 1, stride or stride - 1
    // apart, so all neighbors of a set take a few shifts. `grid_cells` are the cells with a tile, or empty if the
    // layout does not fit.
    Bitboard grid_cells = 0;
    int grid_stride = 0;

    Bitboard all_tiles() const { return count == kMaxTiles ? ~Bitboard{0} : bit_at(count) - 1; }

    // Returns the tiles that touch a tile of the set.
    Bitboard neighbors_of(Bitboard set) const {
        Bitboard result = neighbors_of_byte<0>(set) | neighbors_of_byte<1>(set) | neighbors_of_byte<2>(set) |
                          neighbors_of_byte<3>(set);
        if ((set >> 32) != 0)
            result |= neighbors_of_byte<4>(set) | neighbors_of_byte<5>(set) | neighbors_of_byte<6>(set) |
                      neighbors_of_byte<7>(set);
        return result;
    }

    // Returns the index of the tile at (q, r) in the set-up, or -1.
    int find_tile(int q, int r) const;

  private:
    template <int I>
    Bitboard neighbors_of_byte(Bitboard set) const {
        return neighbors_by_byte[I][static_cast<std::uint8_t>(set >> (8 * I))];
    }
};

// The set-up rule that a layout breaks.
enum class LayoutProblem : std::uint8_t {
    none,
    player_count,                 // neither two nor three
    tile_count,                   // not 4n tiles, n from 1 to 16
    invalid_place,                // a letter beyond a..z or a number beyond 0..999
    invalid_color,                // no such color
    duplicate_place,              // two tiles have the same place
    uneven_colors,                // a color has not n tiles
    fewer_than_two_neighbors,     // a tile touches fewer than two others
    not_connected,                // a tile is not connected with the first one
    same_color_touches,           // two tiles of one color touch
    pawn_without_empty_neighbor,  // a pawn touches no empty tile
};

// A layout, or the rule that it breaks and the index of the first place concerned (-1 if there is none).
struct LayoutResult {
    std::shared_ptr<const Layout> layout;
    LayoutProblem problem = LayoutProblem::none;
    int place = -1;
};

// Checks the set-up rules and makes a layout of the places, in any order.
LayoutResult make_layout(std::span<const Place> places, int players);

// Returns the layout without tiles of a game before its set-up, or null unless players are 2 or 3.
std::shared_ptr<const Layout> empty_layout(int players);

// Returns a random layout, reproducible by seed, or null unless size is 4 to 16 and players 2 or 3.
std::shared_ptr<const Layout> random_layout(int size, int players, std::uint64_t seed);

// A turn: move a pawn and remove a tile. A part that is left out is kNone.
struct Turn {
    static constexpr std::uint8_t kNone = 255;

    std::uint8_t from = kNone;
    std::uint8_t to = kNone;
    std::uint8_t removed = kNone;
    std::uint8_t padding = 0;  // makes it 32 bits, which are compared and copied at once

    bool moves() const { return from != kNone; }
    bool removes() const { return removed != kNone; }
    // Packs the parts into the bytes of an integer, `from` in the lowest.
    std::uint32_t pack() const { return std::uint32_t{from} | std::uint32_t{to} << 8 | std::uint32_t{removed} << 16; }
    static Turn unpack(std::uint32_t packed) {
        return {static_cast<std::uint8_t>(packed), static_cast<std::uint8_t>(packed >> 8),
                static_cast<std::uint8_t>(packed >> 16)};
    }
    bool operator==(const Turn&) const = default;
};

// The position between two turns, or after `after_move` between the parts of one. Does not contain the history.
struct Position {
    Bitboard tiles = 0;
    std::array<Bitboard, kMaxPlayers> pawns{};
    Bitboard edge_tiles = 0;  // tiles with a free edge: derived from `tiles`, stored for speed
    std::uint32_t turn = 0;
    std::uint8_t players = 0;
    std::uint8_t to_move = 0;
    bool over = false;
    std::uint8_t winners = 0;  // set of players, empty until the game is over

    Bitboard all_pawns() const { return pawns[0] | pawns[1] | pawns[2]; }
    Bitboard empty_tiles() const { return tiles & ~all_pawns(); }
    Bitboard own_pawns() const { return pawns[to_move]; }
    Bitboard enemy_pawns() const { return all_pawns() & ~own_pawns(); }
    // Returns the set of players who have pawns.
    unsigned players_in_game() const {
        return unsigned{pawns[0] != 0} | unsigned{pawns[1] != 0} << 1 | unsigned{pawns[2] != 0} << 2;
    }
    // Returns true on the first turn of every player but the last one, when nothing may be captured.
    bool captures_forbidden() const { return turn + 1 < players; }

    bool operator==(const Position&) const = default;
};

// Returns true if tiles, pawns and player to move are equal, as the repetition rule requires.
bool equal_for_repetition(const Position& one, const Position& other);

// Returns a hash of what `equal_for_repetition` compares and of `captures_forbidden`. Positions with equal
// continuations have the same hash.
std::uint64_t hash(const Position& position);

// The positions that a later turn could repeat: the ends of the earlier turns since a tile or pawn last left the board.
// Usually empty, because most turns remove a tile. A persistent hash trie: copies are cheap, and a longer history
// shares most nodes with the one that it extends.
class History {
  public:
    bool empty() const { return root_ == nullptr; }
    std::size_t size() const;
    bool contains(const Position& position) const;
    History with_end(const Position& end) const;
    std::vector<Position> ends() const;  // in the order of play
    bool operator==(const History& other) const;

  private:
    struct Node;
    using NodePtr = std::shared_ptr<const Node>;

    static NodePtr with_end(const NodePtr& node, const Position& end, std::uint32_t place, std::uint64_t path_bits);

    NodePtr root_;
};

// A position with the part of its history that its continuations depend on.
struct State {
    Position position;
    History history;
};

// Returns the tiles with a free edge.
Bitboard find_edge_tiles(const Layout& layout, Bitboard tiles);

// Returns the position before the first turn.
Position initial_position(const Layout& layout);

// The pawns and tiles that a turn takes from the board.
struct TurnEffects {
    Bitboard captured_by_move = 0;  // enemies, by the pawn move
    Bitboard sunk = 0;              // the removed tile and the groups of tiles without pawns that leave with it
    Bitboard captured_enemies = 0;  // at the end of the turn
    Bitboard captured_friends = 0;  // own pawns, after captured_enemies
};

struct PlayResult {
    Position position;
    TurnEffects effects;
};

// Plays a legal turn without the repetition rule.
PlayResult play(const Layout& layout, const Position& position, Turn turn);

// Plays a legal turn with all rules.
TurnEffects play(const Layout& layout, State& state, Turn turn);

// Sets `turns` to all legal turns, sorted by from, to, removed. Empty if the game is over or there is no layout.
void legal_turns(const Layout& layout, const Position& position, std::vector<Turn>& turns);

// The rule that a turn breaks.
enum class IllegalTurnReason : std::uint8_t {
    game_over,
    no_layout,               // the set-up is missing
    incomplete_move,         // a pawn move with only one of its two tiles
    no_such_tile,            // not in the layout, or removed
    no_pawn_on_source,       // no pawn where the move begins
    enemy_pawn,              // an enemy's pawn where the move begins
    source_is_target,        // the move ends where it begins
    target_occupied,         // a pawn where the move ends
    target_not_reachable,    // no way over empty tiles
    move_captures,           // the pawn move captures while captures are forbidden
    removed_occupied,        // a pawn on the tile to remove, after the move
    no_free_edge,            // the tile to remove has six neighbors
    splits_pawns,            // the removal leaves pawns in two or more groups of tiles
    removal_captures,        // the removal captures while captures are forbidden
    must_remove,             // a tile can be removed after the move
    move_allows_no_removal,  // after this pawn move no tile can be removed, after another one can
    must_move,               // a pawn can be moved
    must_act,                // an empty turn although a part is possible
};

// Returns the rule that the turn breaks, or nothing if it is legal. Accepts any turn. Fast for turns with both parts;
// for others it lists all legal turns, because a part may be left out only if no turn has both.
std::optional<IllegalTurnReason> check_turn(const Layout& layout, const Position& position, Turn turn);

// --- parts of a turn and groups, for user interfaces. A tile without a suitable pawn gives an empty set.

// Returns the tiles that the pawn reaches over empty tiles, without checking captures and removals.
Bitboard reachable_tiles(const Layout& layout, const Position& position, int pawn);

struct MoveResult {
    Position position;  // with the same player to move
    Bitboard captured = 0;
};

// Returns the position after a pawn move. `to` must be reachable from `from`.
MoveResult after_move(const Layout& layout, const Position& position, int from, int to);

// A pawn move of a legal turn, and the enemies that it captures.
struct PawnMove {
    int from, to;
    Bitboard captured;
};
// Returns the distinct pawn moves of all legal turns.
std::vector<PawnMove> pawn_moves(const Layout& layout, const Position& position);

// Returns the tiles that may be removed after the pawn move of the turn. Empty if the move is illegal.
Bitboard removals_after_move(const Layout& layout, const Position& position, Turn turn);

// Returns the tiles that may be removed in the position: one after a pawn move, or before a turn without a move.
Bitboard legal_removals(const Layout& layout, const Position& position);

// Return the pawns of the pawn's group, and the empty tiles that touch the group.
Bitboard pawn_group(const Layout& layout, const Position& position, int pawn);
Bitboard freedoms(const Layout& layout, const Position& position, int pawn);

// Returns the player's pawns in groups with exactly one freedom.
Bitboard pawns_in_danger(const Layout& layout, const Position& position, int player);

// The sums over a number of playouts.
struct PlayoutResult {
    std::array<std::uint64_t, kMaxPlayers> wins{};  // of each player alone
    std::uint64_t shared_wins = 0;                  // won by several players
    std::array<double, kMaxPlayers> win_credit{};   // 1 for each playout, divided among its winners
    std::uint64_t turns = 0;
};

// Plays n random games from the state: a uniform pawn move of those that allow a removal, then a uniform removal.
PlayoutResult playouts(const Layout& layout, const State& state, std::uint64_t n, std::uint64_t seed);

}  // namespace limina::limit

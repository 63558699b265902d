// The rules of Limes: legal turns, play, points, winners, and random playouts. Players do not interact, so apart from
// `winners` everything concerns the display of one player.
//
// A display spans at most 4x4 cards, which are 8x8 zones, so a set of zones is a bitboard with bit 8*y + x. These zones
// are relative to the upper left corner of the display. `left` and `top` are the cell of that corner on the 7x7 grid,
// in which the first card has the fixed cell d4.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "common/bitboard.hpp"

namespace limina::limes {

inline constexpr int kRounds = 16;
inline constexpr int kWorkersPerPlayer = 7;
inline constexpr int kDeckSize = 24;
inline constexpr int kMaxSpan = 4;     // cells of a full display in a row or column
inline constexpr int kGridSide = 7;    // cells of the grid in a row or column
inline constexpr int kTurnings = 4;    // quarter turns
inline constexpr int kFirstCell = 27;  // d4

enum class Landscape : std::uint8_t { field, water, forest, rock };
enum class Profession : std::uint8_t { farmer, fisherman, woodcutter, watchman };  // in the order of the landscapes

// The landscapes of zones as two bit planes (`lo` is bit 0 of the landscape), and the zones with huts.
template <class Set>
struct BasicGround {
    Set lo{}, hi{}, huts{};

    friend bool operator==(const BasicGround&, const BasicGround&) = default;
};
using Ground = BasicGround<Bitboard>;

// One zone of the printed face of a card.
struct FaceZone {
    Landscape landscape;
    bool hut;
};

// A card. Holds its ground at the corner of a display for each of the four turnings.
class Card {
  public:
    Card() = default;
    explicit Card(const std::array<FaceZone, 4>& face);  // in the order nw, ne, sw, se

    const Ground& turned(int turning) const { return turned_[turning]; }

  private:
    std::array<Ground, kTurnings> turned_{};
};

// A turn: place the card, and place or move a worker. Cells and zones are those of the grid, so they do not change when
// the display grows to the left or upwards. A cell is 8*row + column, a zone 16*y + x.
struct Turn {
    static constexpr std::uint8_t kNone = 255;

    std::uint8_t cell = 0;
    std::uint8_t turning = 0;
    std::uint8_t source = kNone;  // zone that the worker leaves, or kNone for the supply
    std::uint8_t target = kNone;  // zone that the worker goes to, or kNone for no worker action

    // Packs the parts into the bytes of an integer, the cell in the lowest.
    std::uint32_t pack() const {
        return std::uint32_t{cell} | std::uint32_t{turning} << 8 | std::uint32_t{source} << 16 |
               std::uint32_t{target} << 24;
    }
    static Turn unpack(std::uint32_t packed) {
        return {static_cast<std::uint8_t>(packed), static_cast<std::uint8_t>(packed >> 8),
                static_cast<std::uint8_t>(packed >> 16), static_cast<std::uint8_t>(packed >> 24)};
    }

    friend bool operator==(const Turn&, const Turn&) = default;
};

// The rule that a turn breaks.
enum class IllegalTurnReason : std::uint8_t {
    display_full,       // the display has 16 cards
    no_such_cell,       // the cell is outside the grid
    first_card_off_d4,  // the first card must be placed on d4
    cell_taken,         // the cell has a card
    not_beside_card,    // the cell touches no card
    too_wide,           // the display would be 5 cards wide
    too_tall,
    no_such_turning,
    empty_supply,
    target_off_card,  // a worker from the supply must be placed on the new card
    no_worker_on_source,
    no_card_under_target,
    target_in_own_territory,  // the worker would stay in their territory
    target_not_adjacent,      // the territory of the target is not adjacent to the worker's
};

// The optional rules of a game.
struct Variants {
    bool diagonal = false;
    bool ferryman = false;

    friend bool operator==(const Variants&, const Variants&) = default;
};

// The zones of a display with ground and workers. With a vector type as Set, those of several displays in lanes.
template <class Set>
struct ZoneLayers {
    Set covered{};  // zones with a card
    BasicGround<Set> ground;
    Set workers_bit0{}, workers_bit1{}, workers_bit2{};  // number of workers on each zone, in three bit planes

    Set rock() const { return ground.lo & ground.hi; }
    Set forest() const { return ground.hi & ~ground.lo; }
    Set water() const { return ground.lo & ~ground.hi; }
    Set field() const { return covered & ~(ground.lo | ground.hi); }
    Set workers() const { return workers_bit0 | workers_bit1 | workers_bit2; }

    friend bool operator==(const ZoneLayers&, const ZoneLayers&) = default;
};

// The cards and workers of one player.
struct Display : ZoneLayers<Bitboard> {
    std::uint8_t left = 3, top = 3, width = 0, height = 0;  // in cells
    std::uint8_t supply = kWorkersPerPlayer;
    std::uint8_t card_count = 0;
    Variants variants;

    int workers_on(int zone) const {
        return contains(workers_bit0, zone) + 2 * contains(workers_bit1, zone) + 4 * contains(workers_bit2, zone);
    }

    friend bool operator==(const Display&, const Display&) = default;
};

// A worker with the points that their territory scores.
struct WorkerScore {
    std::uint8_t zone;  // on the grid
    Profession profession;
    bool is_scoring;  // only one worker of a territory scores
    Bitboard territory;
    std::vector<Bitboard> counted;  // the set of zones that makes each point

    int points() const { return static_cast<int>(counted.size()); }
};

// --- cards

// Returns the cells of the grid where a card may be placed, as bits 8*row + column.
Bitboard open_cells(const Display& display);
// Places a card on an open cell.
void place_card(Display& display, int cell, const Ground& card);

// --- workers, with zones of the display

void add_worker(Display& display, Bitboard zone);
void remove_worker(Display& display, Bitboard zone);

// --- turns

std::vector<Turn> legal_turns(const Display& display, const Card& card);
// Returns the display after the turn, or the rule that the turn breaks. Accepts any turn.
std::variant<Display, IllegalTurnReason> play(const Display& display, const Card& card, const Turn& turn);

// A legal turn with the total after it.
struct ScoredTurn {
    Turn turn;
    int total;
};
// Returns all legal turns. Turns with the same cell and turning follow each other.
std::vector<ScoredTurn> scored_turns(const Display& display, const Card& card);

// --- points

int total(const Display& display);
std::vector<WorkerScore> scores(const Display& display);
// Returns the points of the scoring workers, best first, filled up with 0.
std::array<std::uint8_t, kWorkersPerPlayer> tie_break_points(const Display& display);
// Returns the indices of the displays that win or share the win.
std::vector<int> winners(std::span<const Display> displays);
// Returns the rating of a solitaire total.
std::string_view rating(int total);

// --- territories

// Returns the zones of each territory.
std::vector<Bitboard> list_territories(const Display& display);

// --- random play

struct PlayoutResult {
    // How often each final total was reached. The last element counts all totals from 255.
    std::array<std::uint64_t, 256> count_by_total{};
};

// Plays `games` random games from `display` to the 16th card. The next card is `next` (0 to 23), or random if it is -1;
// all other cards are random from `unseen`. Cell, turning and worker action are uniform, in this order.
PlayoutResult playouts(const Display& display, std::span<const Card> deck, std::uint32_t unseen, int next,
                       std::uint64_t games, std::uint64_t seed);

// Returns the zone of the grid for a zone of the display.
inline int zone_on_grid(const Display& display, int zone) {
    return 16 * ((zone >> 3) + 2 * display.top) + (zone & 7) + 2 * display.left;
}

}  // namespace limina::limes

// Limes: one player's display. Players never touch each other's displays, so this is the whole of the rules but for
// the comparison at the end.
//
// A display spans at most 4x4 cards and so 8x8 zones: every set of zones is one word, bit 8*y + x. The board is kept
// pushed into its upper left corner; `left` and `top` remember which cell of the table's 7x7 grid that corner is.
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
inline constexpr int kMaxSpan = 4;     // cells of the full display in a row or column
inline constexpr int kGridSide = 7;    // cells of the table's grid in a row or column
inline constexpr int kTurnings = 4;    // quarter turns
inline constexpr int kFirstCell = 27;  // d4

enum class Landscape : std::uint8_t { field, water, forest, rock };
enum class Profession : std::uint8_t { farmer, fisherman, woodcutter, watchman };  // in the order of the landscapes

// Some zones of a card or a display: the landscape in two bit planes, the huts in a third.
template <class Set>
struct BasicGround {
    Set lo{}, hi{}, huts{};

    friend bool operator==(const BasicGround&, const BasicGround&) = default;
};
using Ground = BasicGround<Bitboard>;

// One zone of a printed face.
struct FaceZone {
    Landscape landscape;
    bool hut;
};

// A card: its ground at the board's corner, for each of the four turnings.
class Card {
  public:
    Card() = default;
    explicit Card(const std::array<FaceZone, 4>& face);  // nw ne sw se

    const Ground& turned(int turning) const { return turned_[turning]; }

  private:
    std::array<Ground, kTurnings> turned_{};
};

// What a player does once. Cells and zones are those of the table's grid, so a turn means the same however the
// board has been pushed: a cell is 8*row + column, a zone 16*y + x.
struct Turn {
    static constexpr std::uint8_t kNone = 255;

    std::uint8_t cell = 0;
    std::uint8_t turning = 0;
    std::uint8_t source = kNone;  // where the worker comes from; none when he comes from the supply
    std::uint8_t target = kNone;  // where he goes; none when the workers are left alone

    // A turn as one number, a byte for each part; the same on every machine.
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

// Why a turn is not legal.
enum class IllegalTurnReason : std::uint8_t {
    display_full,       // 16 cards lie already
    no_such_cell,       // outside the grid
    first_card_off_d4,  // the first card lies on d4
    cell_taken,         // a card lies there
    not_beside_card,    // touches no card
    too_wide,           // the display would be 5 cards wide
    too_tall,
    no_such_turning,
    empty_supply,
    target_off_card,          // a worker from the supply goes onto the card just laid
    no_worker_on_source,      // nobody stands on the source
    no_card_under_target,     // the target has no card
    target_in_own_territory,  // the target lies in the worker's own territory
    target_not_adjacent,      // ... in a territory that is not adjacent to his
};

struct Variants {
    bool diagonal = false;
    bool ferryman = false;

    friend bool operator==(const Variants&, const Variants&) = default;
};

// What lies on the zones of a display, or of several side by side where a set is more than one word.
template <class Set>
struct ZoneLayers {
    Set covered{};  // zones with a card
    BasicGround<Set> ground;
    Set workers_bit0{}, workers_bit1{}, workers_bit2{};  // workers on each zone, as a number in three bit planes

    Set rock() const { return ground.lo & ground.hi; }
    Set forest() const { return ground.hi & ~ground.lo; }
    Set water() const { return ground.lo & ~ground.hi; }
    Set field() const { return covered & ~(ground.lo | ground.hi); }
    Set workers() const { return workers_bit0 | workers_bit1 | workers_bit2; }

    friend bool operator==(const ZoneLayers&, const ZoneLayers&) = default;
};

struct Display : ZoneLayers<Bitboard> {
    std::uint8_t left = 3, top = 3, width = 0, height = 0;
    std::uint8_t supply = kWorkersPerPlayer;
    std::uint8_t card_count = 0;
    Variants variants;

    int workers_on(int zone) const {
        return contains(workers_bit0, zone) + 2 * contains(workers_bit1, zone) + 4 * contains(workers_bit2, zone);
    }

    friend bool operator==(const Display&, const Display&) = default;
};

// A worker's points and what they were counted on.
struct WorkerScore {
    std::uint8_t zone;  // of the table's grid
    Profession profession;
    bool is_scoring;  // he is the one who scores in his territory
    Bitboard territory;
    std::vector<Bitboard> counted;  // a set of zones for each point

    int points() const { return static_cast<int>(counted.size()); }
};

// --- laying cards

// The cells of the table's grid where a card may be laid, bit 8*row + column.
Bitboard open_cells(const Display& display);
// Lays a card; the cell must be open.
void place_card(Display& display, int cell, const Ground& card);

// --- workers, in the board's own zones

void add_worker(Display& display, Bitboard zone);
void remove_worker(Display& display, Bitboard zone);

// --- turns

std::vector<Turn> legal_turns(const Display& display, const Card& card);
// The display after the turn, or why it is not legal. Any turn may be asked about.
std::variant<Display, IllegalTurnReason> play(const Display& display, const Card& card, const Turn& turn);

// A legal turn, and the total after it.
struct ScoredTurn {
    Turn turn;
    int total;
};
// All legal turns, those with the same cell and turning in a row.
std::vector<ScoredTurn> scored_turns(const Display& display, const Card& card);

// --- points

int total(const Display& display);
std::vector<WorkerScore> scores(const Display& display);
// The points of the workers who score, best first, missing workers as 0.
std::array<std::uint8_t, kWorkersPerPlayer> tie_break_points(const Display& display);
// Who wins or shares the win.
std::vector<int> winners(std::span<const Display> displays);
// The wording for a lone player's total.
std::string_view rating(int total);

// --- territories for drawing and for players' questions

std::vector<Bitboard> list_territories(const Display& display);

// --- random play

struct PlayoutResult {
    std::array<std::uint64_t, 256>
        count_by_total{};  // how often each final total was reached; the last holds all above
};

// Plays `display` to its 16th card `games` times: the next card from `next` if it is one (0 to 23), all others uniform
// from `unseen`; a uniform cell, then turning, then worker action.
PlayoutResult playouts(const Display& display, std::span<const Card> deck, std::uint32_t unseen, int next,
                       std::uint64_t games, std::uint64_t seed);

inline int zone_on_grid(const Display& display, int zone) {
    return 16 * ((zone >> 3) + 2 * display.top) + (zone & 7) + 2 * display.left;
}

}  // namespace limina::limes

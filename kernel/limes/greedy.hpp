// Turns by the evaluation alone, without search: the policy of rollouts and the candidates of a search.
#pragma once

#include <span>
#include <vector>

#include "limes/evaluator.hpp"
#include "limes/zones.hpp"

namespace limina::limes {

// A turn with its value. Zones are those of the display after the card is placed.
struct BoardTurn {
    static constexpr std::int8_t kNone = -1;

    float value = -1e9F;
    std::uint8_t cell = 0, turning = 0;
    std::int8_t from = kNone;  // zone, or kNone for the supply
    std::int8_t to = kNone;    // zone, or kNone for no worker action

    bool operator==(const BoardTurn&) const = default;
};

// Calls visit(cell, turning, after_card, corner) for every placement of the card with a distinct result. `corner` is
// the zone of the card's nw quarter. `map` is set to the territories of `after_card` for each call.
template <class Visit>
void for_each_placement(const Display& d, const Card& card, TerritoryMap& map, Visit visit) {
    std::array<TerritoryMap, 4> maps_before;  // territories before the card, for each shift of the display
    unsigned ready_maps = 0;
    for (Bitboard cells = open_cells(d); cells != 0;) {
        const int cell = pop_lsb(cells);
        const int right = std::max(0, d.left - (cell & 7)), down = std::max(0, d.top - (cell >> 3));
        const auto shift_index = static_cast<std::size_t>((right > 0) + 2 * (down > 0));
        const int corner = 2 * ((cell & 7) - d.left + right) + 16 * ((cell >> 3) - d.top + down);
        // The display shifts by more than one cell only if cards may touch at corners. Such a map is not reused.
        if (!contains(ready_maps, static_cast<int>(shift_index)) || right > 1 || down > 1) {
            const int shift = 2 * right + 16 * down;
            Display shifted = d;
            for (Bitboard* bits : {&shifted.covered, &shifted.ground.lo, &shifted.ground.hi, &shifted.ground.huts})
                *bits <<= shift;
            find_territories(shifted, maps_before[shift_index]);
            ready_maps = right > 1 || down > 1 ? ready_maps & ~(1U << shift_index) : ready_maps | 1U << shift_index;
        }
        // Turning the first card only turns the whole display.
        for (int turning = 0; turning < (d.card_count == 0 ? 1 : kTurnings); ++turning) {
            bool is_duplicate = false;
            for (int other = 0; other < turning; ++other) is_duplicate |= card.turned(other) == card.turned(turning);
            if (is_duplicate) continue;
            Display after_card = d;
            place_card(after_card, cell, card.turned(turning));
            add_card_to_map(after_card, maps_before[shift_index], corner, map);
            score_territories(after_card, map);
            visit(cell, turning, after_card, corner);
        }
    }
}

// Returns the territories of the placed card, where a worker from the supply may go.
inline Bitboard card_territories(const TerritoryMap& map, int corner) {
    Bitboard territories = 0;
    for (const int quarter : kQuarterOffsets) territories |= bit_at(map.territory_of_zone[corner + quarter]);
    return territories;
}

// Returns the territories that at least one worker may go to.
inline Bitboard reachable_by_workers(const Display& after_card, const TerritoryMap& map,
                                     const WorkersByTerritory& workers, int corner) {
    Bitboard territories = after_card.supply > 0 ? card_territories(map, corner) : 0;
    for (Bitboard remaining = workers.occupied; remaining != 0;) {
        territories |= reachable_territories(map, workers.occupied, pop_lsb(remaining), after_card.variants.ferryman);
    }
    return territories;
}

// Calls visit(from, to) for every worker action with a distinct result. `from` and `to` are territories; `from` is -1
// for the supply, and both are -1 for no action.
template <class Visit>
void for_each_action(const Display& after_card, const TerritoryMap& map, const WorkersByTerritory& workers, int corner,
                     Visit visit) {
    visit(-1, -1);
    if (after_card.supply > 0) {
        for (Bitboard targets = card_territories(map, corner); targets != 0;) visit(-1, pop_lsb(targets));
    }
    for (Bitboard remaining = workers.occupied; remaining != 0;) {
        const int from = pop_lsb(remaining);
        Bitboard targets = reachable_territories(map, workers.occupied, from, after_card.variants.ferryman);
        while (targets != 0) visit(from, pop_lsb(targets));
    }
}

// Converts territories to zones. Any zone of a territory will do, because territories never split.
BoardTurn to_board_turn(float value, int cell, int turning, const Display& after_card, const TerritoryMap& map,
                        int corner, int from, int to);

// Returns the best turn by the evaluation. `remaining` describes the unseen cards after this one.
BoardTurn greedy_turn(const Weights& weights, const Display& display, const Card& card, const RemainingDeck& remaining);
// Returns up to `max_turns` of the best turns by the evaluation, best first. May miss some, because it evaluates only
// three actions of each placement exactly. Much faster than `all_turns`.
std::vector<BoardTurn> best_turns(const Weights& weights, const Display& display, const Card& card,
                                  const RemainingDeck& remaining, std::size_t max_turns);
// Returns all turns with distinct results and their values, best first.
std::vector<BoardTurn> all_turns(const Weights& weights, const Display& display, const Card& card,
                                 const RemainingDeck& remaining);
// Returns the value of a display with at least one card. `features` receives the active features except those of the
// remaining deck.
float evaluate(const Weights& weights, const Display& display, const RemainingDeck& remaining,
               std::vector<int>* features = nullptr);

Display play_board_turn(const Display& display, const Card& card, const BoardTurn& turn);
Turn to_turn(const Display& display, const Card& card, const BoardTurn& turn);

}  // namespace limina::limes

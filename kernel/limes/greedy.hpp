// One turn by the values alone: the policy of every rollout, and the list of turns that a search begins with.
#pragma once

#include <span>
#include <vector>

#include "limes/evaluator.hpp"
#include "limes/zones.hpp"

namespace limina::limes {

// A turn in the zones of the board as it is once the card lies.
struct BoardTurn {
    static constexpr std::int8_t kNone = -1;

    float value = -1e9F;
    std::uint8_t cell = 0, turning = 0;
    std::int8_t from = kNone;  // a zone; none when the worker comes from the supply
    std::int8_t to = kNone;    // a zone; none when no worker goes anywhere

    bool operator==(const BoardTurn&) const = default;
};

// Calls visit(cell, turning, laid display, corner) for every way to lay the card that differs, with `map` as it is
// then; the corner is the zone of the card's nw quarter.
template <class Visit>
void for_each_placement(const Display& d, const Card& card, TerritoryMap& map, Visit visit) {
    std::array<TerritoryMap, 4> maps_before;  // the land before, for each way that the new card pushes the board
    unsigned ready_maps = 0;
    for (Bitboard cells = open_cells(d); cells != 0;) {
        const int cell = pop_lsb(cells);
        const int right = std::max(0, d.left - (cell & 7)), down = std::max(0, d.top - (cell >> 3));
        const auto shift_index = static_cast<std::size_t>((right > 0) + 2 * (down > 0));
        const int corner = 2 * ((cell & 7) - d.left + right) + 16 * ((cell >> 3) - d.top + down);
        // A push is always by one cell but where only corners touch; then nothing is kept for the next.
        if (!contains(ready_maps, static_cast<int>(shift_index)) || right > 1 || down > 1) {
            const int shift = 2 * right + 16 * down;
            Display shifted = d;
            for (Bitboard* bits : {&shifted.covered, &shifted.ground.lo, &shifted.ground.hi, &shifted.ground.huts})
                *bits <<= shift;
            find_territories(shifted, maps_before[shift_index]);
            ready_maps = right > 1 || down > 1 ? ready_maps & ~(1U << shift_index) : ready_maps | 1U << shift_index;
        }
        // Turning the very first card turns the whole game.
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

// The territories of the card just laid: where a worker from the supply may go.
inline Bitboard card_territories(const TerritoryMap& map, int corner) {
    Bitboard territories = 0;
    for (const int quarter : kQuarterOffsets) territories |= bit_at(map.territory_of_zone[corner + quarter]);
    return territories;
}

// All territories that some worker may go to.
inline Bitboard reachable_by_workers(const Display& after_card, const TerritoryMap& map,
                                     const WorkersByTerritory& workers, int corner) {
    Bitboard territories = after_card.supply > 0 ? card_territories(map, corner) : 0;
    for (Bitboard remaining = workers.occupied; remaining != 0;) {
        territories |= reachable_territories(map, workers.occupied, pop_lsb(remaining), after_card.variants.ferryman);
    }
    return territories;
}

// Calls visit(from, to) with territories (-1: none, or the supply) for every worker action that differs.
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

// The choice as zones: where in a territory a worker stands makes no difference, as territories never part.
BoardTurn to_board_turn(float value, int cell, int turning, const Display& after_card, const TerritoryMap& map,
                        int corner, int from, int to);

// The best turn by the values. The outlook is that on the cards which may come after this one.
BoardTurn greedy_turn(const Weights& weights, const Display& display, const Card& card, const RemainingDeck& remaining);
// About the best so many turns by the values, best first; much quicker than to evaluate all.
std::vector<BoardTurn> best_turns(const Weights& weights, const Display& display, const Card& card,
                                  const RemainingDeck& remaining, std::size_t max_turns);
// All turns that differ, with their values, best first.
std::vector<BoardTurn> all_turns(const Weights& weights, const Display& display, const Card& card,
                                 const RemainingDeck& remaining);
// The value of a display in which at least one card lies; `features` receives what it is made of beside the outlook.
float evaluate(const Weights& weights, const Display& display, const RemainingDeck& remaining,
               std::vector<int>* features = nullptr);

Display play_board_turn(const Display& display, const Card& card, const BoardTurn& turn);
Turn to_turn(const Display& display, const Card& card, const BoardTurn& turn);

}  // namespace limina::limes

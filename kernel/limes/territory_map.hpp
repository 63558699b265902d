// All territories of a display, with the points of a worker in each and its potential to grow. The evaluator takes its
// features from here. Points are computed faster than in limes/rules.hpp; the tests compare both.
//
// A search tries every cell and turning of a card, so `add_card_to_map` updates a TerritoryMap by one card instead of
// flood-filling the whole display.
#pragma once

#include <array>
#include <cstdint>

#include "limes/rules.hpp"

namespace limina::limes {

struct TerritoryMap {
    // The index of a territory: rocks count down from 63, all others up from 0, so SIMD lanes hold territories of one
    // kind, which score differently.
    alignas(64) std::array<Bitboard, 64> zones;
    alignas(64) std::array<Bitboard, 64> adjacent;  // adjacent territories, as a set of indices
    std::array<std::uint8_t, 64> points;            // points of a worker in the territory
    std::array<std::uint8_t, 64> open_zones;        // empty zones beside it; for a rock those in its lines of sight
    alignas(64) std::array<Bitboard, 64> joinable_zones;  // zones of its landscape beyond an empty cell beside it
    std::array<std::uint8_t, 64> growth_potential;   // zones beyond an empty cell that would score if it grew there
    std::array<std::uint8_t, 64> territory_of_zone;  // index of the territory of every zone
    Bitboard territories = 0;                        // indices in use
    std::array<Bitboard, 4> by_landscape{};          // ... by landscape
    int non_rock_count = 0, rock_count = 0;          // indices used so far; merged ones are not used again
};

// Finds the territories and which are adjacent. Does not set `points` and `growth_potential`.
void find_territories(const Display& display, TerritoryMap& map);
// Sets `points` and `growth_potential` of all territories.
void score_territories(const Display& display, TerritoryMap& map);
// Sets `map` to the territories of `display`. Does not set `points` and `growth_potential`. `before` is the map without
// the card whose nw quarter is zone `corner`, in the coordinates of `display`.
void add_card_to_map(const Display& display, const TerritoryMap& before, int corner, TerritoryMap& map);

// The number of workers in each territory.
struct WorkersByTerritory {
    Bitboard occupied = 0;                // territories with workers
    std::array<std::uint8_t, 64> counts;  // by territory; set only for `occupied`
};
WorkersByTerritory workers_by_territory(const Display& display, const TerritoryMap& map);

// Returns the territories that a worker in territory `from` may move to.
inline Bitboard reachable_territories(const TerritoryMap& map, Bitboard occupied, int from, bool ferryman) {
    Bitboard targets = map.adjacent[from];
    if (ferryman) {
        for (Bitboard ferries = targets & map.by_landscape[1] & occupied; ferries != 0;) {
            targets |= map.adjacent[pop_lsb(ferries)];
        }
        targets &= ~bit_at(from);
    }
    return targets;
}

}  // namespace limina::limes

// All territories of a display at once, with what a worker would score in each and how far each could still grow.
// This is what values are made of. The rules stay in limes/rules.hpp; the tests compare the points here with theirs.
//
// A search looks at every cell and turning of a card: `add_card_to_map` adds one card to a finished `TerritoryMap`
// without flooding the whole display again.
#pragma once

#include <array>
#include <cstdint>

#include "limes/rules.hpp"

namespace limina::limes {

struct TerritoryMap {
    // A territory is a number: rocks count down from 63, all others up from 0, so that each sort fills its own lanes.
    alignas(64) std::array<Bitboard, 64> zones;
    alignas(64) std::array<Bitboard, 64> adjacent;        // the territories beside it, as a set of numbers
    std::array<std::uint8_t, 64> points;                  // what a worker scores there
    std::array<std::uint8_t, 64> open_zones;              // empty zones beside it; for a rock those in view
    alignas(64) std::array<Bitboard, 64> joinable_zones;  // zones of its landscape beyond an empty cell beside it
    std::array<std::uint8_t, 64> growth_potential;   // what lies beyond an empty cell and would count if it grew there
    std::array<std::uint8_t, 64> territory_of_zone;  // of every zone
    Bitboard territories = 0;                        // the numbers in use
    std::array<Bitboard, 4> by_landscape{};          // ... by landscape
    int non_rock_count = 0, rock_count = 0;          // numbers given so far
};

// The territories as such, without points: what `add_card_to_map` starts from.
void find_territories(const Display& display, TerritoryMap& map);
// Points and openings of all territories.
void score_territories(const Display& display, TerritoryMap& map);
// The outline of `display`, in which the card at `corner` (zone of its nw quarter) is new since `before`.
void add_card_to_map(const Display& display, const TerritoryMap& before, int corner, TerritoryMap& map);

// The workers by territory.
struct WorkersByTerritory {
    Bitboard occupied = 0;                // territories with workers
    std::array<std::uint8_t, 64> counts;  // of workers in each of them; others are not set
};
WorkersByTerritory workers_by_territory(const Display& display, const TerritoryMap& map);

// The territories that a worker of territory `from` may move to.
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

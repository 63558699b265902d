// Arrangements of a whole deal. The points of the territories of a full display depend only on its cards, so a search
// that knows all cards first finds an arrangement and then plans the workers.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "limes/territory_map.hpp"

namespace limina::limes {

// The cell (4*row + column in the full display) and turning of each card, in the order in which they are drawn.
struct Arrangement {
    std::array<std::uint8_t, kRounds> cell, turning;
};

// For each cell of the full display, the cells where a card would touch a card in it.
using CellNeighbors = std::array<std::uint16_t, kRounds>;
CellNeighbors cell_neighbors(Variants variants);

// Returns true if each card touches an earlier one.
bool is_playable(const Arrangement& arrangement, const CellNeighbors& cell_neighbors);

// Returns the first `card_count` cards in their cells of the full display: not shifted to its corner, and without
// workers.
Display to_display(const Arrangement& arrangement, std::span<const Card> cards, int card_count = kRounds);

// The turns of an arrangement with worker actions, and its total.
struct WorkerPlan {
    int total;
    std::vector<Turn> turns;
};
// Plans the worker actions greedily. `full_map` has the territories of the whole arrangement.
WorkerPlan plan_workers(const Arrangement& arrangement, std::span<const Card> cards, const TerritoryMap& full_map);

}  // namespace limina::limes

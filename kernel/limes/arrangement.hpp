// A whole deal laid out at once. What a full display can score depends on its ground alone, so whoever knows all cards
// may look for a good arrangement first and send the workers afterwards.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "limes/territory_map.hpp"

namespace limina::limes {

// Of each card, in the order they are drawn, the cell of the full square (4*row + column) and how it is turned.
struct Arrangement {
    std::array<std::uint8_t, kRounds> cell, turning;
};

// For each cell of the square the cells where a card touches one that lies there.
using CellNeighbors = std::array<std::uint16_t, kRounds>;
CellNeighbors cell_neighbors(Variants variants);

// Whether each card touches one before it.
bool is_playable(const Arrangement& arrangement, const CellNeighbors& cell_neighbors);

// The first so many cards as they lie in the full square: not pushed into its corner, and without workers.
Display to_display(const Arrangement& arrangement, std::span<const Card> cards, int card_count = kRounds);

// A arrangement as turns, with the workers sent where they score most.
struct WorkerPlan {
    int total;
    std::vector<Turn> turns;
};
// `full_map` is the land of the whole arrangement.
WorkerPlan plan_workers(const Arrangement& arrangement, std::span<const Card> cards, const TerritoryMap& full_map);

}  // namespace limina::limes

// The upper bound of the points of watchmen in a deal.
#pragma once

#include <array>
#include <span>

#include "limes/rules.hpp"

namespace limina::limes {

// Returns for each number of watchmen an upper bound of their points: forest zones in sight, counted once for each
// watchman. `forest` holds the forest of each card, with a bit for each of the quarters nw, ne, sw, se.
std::array<int, kWorkersPerPlayer + 1> max_seen_by_watchmen(std::span<const unsigned> forest);

}  // namespace limina::limes

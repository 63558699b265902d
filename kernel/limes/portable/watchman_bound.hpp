// What watchmen can see at most all together, for the bound of a deal.
#pragma once

#include <array>
#include <span>

#include "limes/rules.hpp"

namespace limina::limes {

// For every number of watchmen the most forest zones that they see, a zone once for each of them who does. Of each card
// its forest is given, a bit for each of its quarters nw ne sw se.
std::array<int, kWorkersPerPlayer + 1> max_seen_by_watchmen(std::span<const unsigned> forest);

}  // namespace limina::limes

// A proven upper bound of the total of a deal whose 16 cards are known in advance.
#pragma once

#include <span>

#include "limes/rules.hpp"

namespace limina::limes {

// Returns a total that no display of these cards exceeds, in any order and with any variants.
int upper_bound(std::span<const Card> cards);

}  // namespace limina::limes

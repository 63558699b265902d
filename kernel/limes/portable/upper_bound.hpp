// An upper bound of what a deal can score when all 16 cards are known in advance: proven, and quick to find.
#pragma once

#include <span>

#include "limes/rules.hpp"

namespace limina::limes {

// No full display of these cards scores more, in whatever order they are drawn and with whatever variants.
int upper_bound(std::span<const Card> cards);

}  // namespace limina::limes

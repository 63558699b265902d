// Par: the best total found for a deal when all 16 cards are known in advance, by annealing whole arrangements.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/deadline.hpp"
#include "limes/rules.hpp"

namespace limina::limes {

// Without turns when the search was stopped before it had found any.
struct ParResult {
    int total = 0;
    std::vector<Turn> turns;
    std::uint64_t arrangements_tried = 0;  // arrangements
};

// The cards in the order they are drawn; at most so many arrangements are tried. The threads change nothing but the
// time.
ParResult find_par(std::span<const Card> cards, Variants variants, std::uint64_t max_arrangements, int threads,
                   double seconds, const CancelToken& cancel_token);

}  // namespace limina::limes

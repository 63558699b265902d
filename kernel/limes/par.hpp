// Par: the best total found for a deal if all 16 cards are known in advance, by simulated annealing of arrangements.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/deadline.hpp"
#include "limes/rules.hpp"

namespace limina::limes {

struct ParResult {
    int total = 0;
    std::vector<Turn> turns;  // empty if the search was canceled before the first arrangement
    std::uint64_t arrangements_tried = 0;
};

// Searches for the best total. `cards` are in the order in which they are drawn. Unless the time is over, the result
// does not depend on the number of threads.
ParResult find_par(std::span<const Card> cards, Variants variants, std::uint64_t max_arrangements, int threads,
                   double seconds, const CancelToken& cancel_token);

}  // namespace limina::limes

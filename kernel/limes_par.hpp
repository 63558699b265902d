// Par: the best total found for a deal when all 16 cards are known in advance, by a wide beam that the values guide.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "limes_greedy.hpp"
#include "search.hpp"

namespace limina::limes {

// Without turns when the search was stopped before it had found any.
struct Par {
    int total = 0;
    std::vector<Turn> turns;
    std::uint64_t tried = 0;  // turns that were judged
    int width = 0;            // of the beam where it was widest
};

// The cards in the order they are drawn; `width` displays are kept after each of them. The threads change nothing
// but the time.
Par par(const Values& values, std::span<const Card> cards, Variants variants, int width, int threads, double seconds,
        const Stop& stop);

}  // namespace limina::limes

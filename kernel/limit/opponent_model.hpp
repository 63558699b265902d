// What the turns of a player tell of him: whether he looks at his own turn only, or ahead.
#pragma once

#include <span>
#include <vector>

#include "limit/portable/search.hpp"

namespace limina::limit {

// A turn that somebody played, and where.
struct PastTurn {
    const Layout* layout;
    State before;
    Turn turn;
};

// Judgements that it takes to look at one turn.
inline constexpr std::uint64_t kEvidenceWorkPerTurn = 16'000;

// Of each turn how much more likely one who looks at his own turn only plays it than one who looks ahead, as a
// logarithm, for as many as there is time for. Each is compared with what either would play.
std::vector<double> myopic_evidence(std::span<const PastTurn> turns, const Weights& weights, double milliseconds,
                                    const CancelToken* cancel_token, std::uint64_t seed);

}  // namespace limina::limit

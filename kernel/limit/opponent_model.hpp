// A model of opponents: whether a player is myopic (looks no further than their own turn) or looks ahead, judged by the
// turns that they have played.
#pragma once

#include <span>
#include <vector>

#include "limit/portable/search.hpp"

namespace limina::limit {

// A turn of the game so far, with the state before it.
struct PastTurn {
    const Layout* layout;
    State before;
    Turn turn;
};

// Evaluations that `myopic_evidence` needs for each turn.
inline constexpr std::uint64_t kEvidenceWorkPerTurn = 16'000;

// Returns for each turn the log-likelihood ratio of a myopic player to one who looks ahead. The likelihoods are
// estimated by how often seeded searches of either kind choose the turn. The result is shorter than `turns` if the time
// is over.
std::vector<double> myopic_evidence(std::span<const PastTurn> turns, const Weights& weights, double milliseconds,
                                    const CancelToken* cancel_token, std::uint64_t seed);

}  // namespace limina::limit

// Features of the cards that are still unseen. A player who does not count cards uses a default RemainingDeck, which
// expects an average card.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "limes/rules.hpp"

namespace limina::limes {

// How the unseen cards differ from average cards.
struct RemainingDeck {
    static constexpr int kFeatures = 5;
    // Excess over the average, for the zones of each landscape and then the huts of an unseen card, scaled.
    std::array<float, kFeatures> excess{};
};

// Returns the sums over the cards of the zones of each landscape, and then of the huts.
inline std::array<int, RemainingDeck::kFeatures> count_zones(std::span<const Card> deck, std::uint32_t cards) {
    std::array<int, RemainingDeck::kFeatures> sums{};
    for (Bitboard remaining = cards; remaining != 0;) {
        const Ground& ground = deck[pop_lsb(remaining)].turned(0);
        const std::array<int, 3> other_landscapes = {popcount(ground.lo & ~ground.hi), popcount(ground.hi & ~ground.lo),
                                                     popcount(ground.lo & ground.hi)};
        sums[0] += 4 - other_landscapes[0] - other_landscapes[1] - other_landscapes[2];
        for (std::size_t landscape = 0; landscape < other_landscapes.size(); ++landscape)
            sums[landscape + 1] += other_landscapes[landscape];
        sums[4] += popcount(ground.huts);
    }
    return sums;
}

// Returns the features of the unseen cards, a set of card indices.
inline RemainingDeck remaining_deck(std::span<const Card> deck, std::uint32_t unseen) {
    // Weights are trained with the default deck, which has these sums and averages. For another deck the averages
    // are shifted by the difference of the sums.
    constexpr std::array<int, RemainingDeck::kFeatures> kTrainingDeckZones = {25, 27, 20, 24, 29};
    constexpr std::array<float, RemainingDeck::kFeatures> kTrainingAverages = {1, 1, 1, 1, 1.2F};
    // Scales most features to within 1. Clamps the others so that they stay near the range of the training.
    constexpr float kScale = 4, kMaxExcess = 2;
    RemainingDeck result;
    if (unseen == 0) return result;
    const auto deck_zones = count_zones(deck, (1U << kDeckSize) - 1), remaining = count_zones(deck, unseen);
    const auto cards = static_cast<float>(popcount(unseen));
    for (std::size_t i = 0; i < remaining.size(); ++i) {
        const float average =
            kTrainingAverages[i] + static_cast<float>(deck_zones[i] - kTrainingDeckZones[i]) / kDeckSize;
        result.excess[i] =
            std::clamp(kScale * (static_cast<float>(remaining[i]) / cards - average), -kMaxExcess, kMaxExcess);
    }
    return result;
}

}  // namespace limina::limes

// What the cards that may still come hold, so that values know what to hope for. A player has seen which cards are
// gone; whoever does not look has no outlook, and expects the same of all cards.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "limes/rules.hpp"

namespace limina::limes {

struct RemainingDeck {
    static constexpr int kFeatures = 5;
    // How many more zones of each landscape, and then huts, a card holds than is usual; nothing where nobody looked.
    std::array<float, kFeatures> excess{};
};

// Zones of each landscape, and then huts, on some cards of a deck together.
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

// The outlook on these unseen cards, a set.
inline RemainingDeck remaining_deck(std::span<const Card> deck, std::uint32_t unseen) {
    // Values are learned with our own deck, which holds this; what is usual in another one differs as the whole decks
    // do.
    constexpr std::array<int, RemainingDeck::kFeatures> kTrainingDeckZones = {25, 27, 20, 24, 29};
    constexpr std::array<float, RemainingDeck::kFeatures> kTrainingAverages = {1, 1, 1, 1, 1.2F};
    // Scaled so that most numbers are within 1, and none is far beyond what was learned.
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

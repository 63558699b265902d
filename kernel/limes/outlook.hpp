// What the cards that may still come hold, so that values know what to hope for. A player has seen which cards are
// gone; whoever does not look has no outlook, and expects the same of all cards.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "limes/rules.hpp"

namespace limina::limes {

struct Outlook {
    static constexpr int kNumbers = 5;
    // How many more zones of each landscape, and then huts, a card holds than is usual; nothing where nobody looked.
    std::array<float, kNumbers> more{};
};

// Zones of each landscape, and then huts, on some cards of a deck together.
inline std::array<int, Outlook::kNumbers> holdings(std::span<const Card> deck, std::uint32_t cards) {
    std::array<int, Outlook::kNumbers> sums{};
    for (Word left = cards; left != 0;) {
        const Ground& ground = deck[at(pop(left))].turned(0);
        const std::array<int, 3> others = {count(ground.lo & ~ground.hi), count(ground.hi & ~ground.lo),
                                           count(ground.lo & ground.hi)};
        sums[0] += 4 - others[0] - others[1] - others[2];
        for (std::size_t kind = 0; kind < others.size(); ++kind) sums[kind + 1] += others[kind];
        sums[4] += count(ground.huts);
    }
    return sums;
}

// The outlook on these unseen cards, a set.
inline Outlook outlook(std::span<const Card> deck, std::uint32_t unseen) {
    // Values are learned with our own deck, which holds this; what is usual in another one differs as the whole decks
    // do.
    constexpr std::array<int, Outlook::kNumbers> kLearned = {25, 27, 20, 24, 29};
    constexpr std::array<float, Outlook::kNumbers> kUsual = {1, 1, 1, 1, 1.2F};
    // Scaled so that most numbers are within 1, and none is far beyond what was learned.
    constexpr float kScale = 4, kMost = 2;
    Outlook found;
    if (unseen == 0) return found;
    const auto all = holdings(deck, (1U << kCards) - 1), left = holdings(deck, unseen);
    const auto cards = static_cast<float>(count(unseen));
    for (std::size_t i = 0; i < left.size(); ++i) {
        const float usual = kUsual[i] + static_cast<float>(all[i] - kLearned[i]) / kCards;
        found.more[i] = std::clamp(kScale * (static_cast<float>(left[i]) / cards - usual), -kMost, kMost);
    }
    return found;
}

}  // namespace limina::limes

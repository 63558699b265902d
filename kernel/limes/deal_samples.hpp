// Random orders of the unseen cards, for rollouts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/bitboard.hpp"

namespace limina::limes {

using CardOrder = std::vector<std::uint8_t>;

// Random orders of the unseen cards, accessed by index and reproducible by seed. Each card is the first one equally
// often (stratified sampling).
class DealSamples {
  public:
    DealSamples(std::uint32_t unseen, int length, std::uint64_t seed) : length_(length), seed_(seed) {
        for (Bitboard remaining = unseen; remaining != 0;)
            cards_.push_back(static_cast<std::uint8_t>(pop_lsb(remaining)));
        Rng rng(seed);
        shuffle(cards_, 0, rng);
    }

    // Returns the number of distinct samples if there are few, else a large number.
    int max_samples() const { return length_ == 0 ? 1 : length_ == 1 ? static_cast<int>(cards_.size()) : 1 << 30; }

    CardOrder operator[](int index) const {
        CardOrder order = cards_;
        if (length_ == 0) return {};
        std::swap(order[0], order[index % order.size()]);
        Rng rng(seed_ ^ (0x9e3779b97f4a7c15ULL * static_cast<std::uint64_t>(index + 1)));
        shuffle(order, 1, rng);
        order.resize(length_);
        return order;
    }

  private:
    static void shuffle(CardOrder& cards, std::size_t start, Rng& rng) {
        for (std::size_t n = start; n + 1 < cards.size(); ++n) {
            std::swap(cards[n], cards[n + rng.below(static_cast<unsigned>(cards.size() - n))]);
        }
    }

    std::size_t length_;
    std::uint64_t seed_;
    CardOrder cards_;
};

}  // namespace limina::limes

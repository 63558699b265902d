// Sampled orders of unseen cards.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/bitboard.hpp"

namespace limina::limes {

using Order = std::vector<std::uint8_t>;

// Orders of the unseen cards. The first card goes round, so that no card comes first by luck more often than others.
class Orders {
  public:
    Orders(std::uint32_t unseen, int length, Word seed) : length_(static_cast<std::size_t>(length)), seed_(seed) {
        for (Word left = unseen; left != 0;) cards_.push_back(static_cast<std::uint8_t>(pop(left)));
        Rng rng(seed);
        shuffle(cards_, 0, rng);
    }

    // All different ones when they are few, in which case more would bring nothing.
    int limit() const { return length_ == 0 ? 1 : length_ == 1 ? static_cast<int>(cards_.size()) : 1 << 30; }

    Order operator[](int index) const {
        Order order = cards_;
        if (length_ == 0) return {};
        std::swap(order[0], order[static_cast<std::size_t>(index) % order.size()]);
        Rng rng(seed_ ^ (0x9e3779b97f4a7c15ULL * static_cast<Word>(index + 1)));
        shuffle(order, 1, rng);
        order.resize(length_);
        return order;
    }

  private:
    static void shuffle(Order& cards, std::size_t from, Rng& rng) {
        for (std::size_t n = from; n + 1 < cards.size(); ++n) {
            std::swap(cards[n], cards[n + rng.below(static_cast<unsigned>(cards.size() - n))]);
        }
    }

    std::size_t length_;
    Word seed_;
    Order cards_;
};

}  // namespace limina::limes

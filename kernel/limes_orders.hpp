// Sampled orders of unseen cards, and many small jobs on several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "bits.hpp"

namespace limina::limes {

using Order = std::vector<std::uint8_t>;

// Orders of the unseen cards. The first card goes round, so that no card comes first by luck more often than others.
class Orders {
  public:
    Orders(std::uint32_t unseen, int length, Word seed) : length_(static_cast<std::size_t>(length)), seed_(seed) {
        for (Word left = unseen; left != 0;) cards_.push_back(static_cast<std::uint8_t>(pop(left)));
        Chance chance(seed);
        shuffle(cards_, 0, chance);
    }

    // All different ones when they are few, in which case more would bring nothing.
    int limit() const { return length_ == 0 ? 1 : length_ == 1 ? static_cast<int>(cards_.size()) : 1 << 30; }

    Order operator[](int index) const {
        Order order = cards_;
        if (length_ == 0) return {};
        std::swap(order[0], order[static_cast<std::size_t>(index) % order.size()]);
        Chance chance(seed_ ^ (0x9e3779b97f4a7c15ULL * static_cast<Word>(index + 1)));
        shuffle(order, 1, chance);
        order.resize(length_);
        return order;
    }

  private:
    static void shuffle(Order& cards, std::size_t from, Chance& chance) {
        for (std::size_t n = from; n + 1 < cards.size(); ++n) {
            std::swap(cards[n], cards[n + chance.below(static_cast<unsigned>(cards.size() - n))]);
        }
    }

    std::size_t length_;
    Word seed_;
    Order cards_;
};

// Runs work(i) for all i below n on some threads; ends early when work says so.
template <class Work>
void in_parallel(int n, int threads, const Work& work) {
    std::atomic<int> next{0};
    const auto run = [&] {
        for (int i = next++; i < n; i = next++) {
            if (!work(i)) return;
        }
    };
    std::vector<std::thread> others;
    for (int i = 1; i < std::min(threads, n); ++i) others.emplace_back(run);
    run();
    for (std::thread& other : others) other.join();
}

}  // namespace limina::limes

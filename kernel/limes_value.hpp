// What a display will be worth at the end: learned numbers for the entries that it comes to (see limes_evaluator.hpp).
//
// An entry counts twice. Its number in the table, one table for each number of cards laid, is added up; and its row of
// the network is added to the network's middle, which sees how entries go together: seven workers cannot take ten good
// territories.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "limes.hpp"

namespace limina::limes {

// What an entry may be; a table holds them in this order.
namespace entry {
// Buckets: points of a territory, openings, gain next door, how well a worker could be spared, points of the best
// neighbour, poorly paid workers, zones ahead, ways to merge.
inline constexpr int kPoints = 13, kOpen = 8, kGain = 6, kSpared = 4, kBest = 9, kLow = 4, kAheads = 4, kMerges = 3;
inline constexpr int kTaken = 0;                                       // a territory with a worker
inline constexpr int kFree = kTaken + 4 * kPoints * kOpen * kGain;     // one without
inline constexpr int kSecond = kFree + 4 * kPoints * kOpen * kSpared;  // a second worker in a territory
inline constexpr int kSupply = kSecond + kBest;                        // workers in the supply
inline constexpr int kShape = kSupply + (kWorkers + 1) * kLow;         // width and height
inline constexpr int kAhead = kShape + kSide * kSide;                  // what a territory could reach, taken or not
inline constexpr int kMerge = kAhead + 2 * 3 * kPoints * kAheads;      // what it could join, taken or not
inline constexpr int kEntries = kMerge + 2 * 3 * kPoints * kMerges;
}  // namespace entry

// The network's middle.
inline constexpr int kHidden = 16;
using Hidden = float __attribute__((vector_size(kHidden * sizeof(float))));

// Entries added up. Not set to nothing by itself: there are many of them.
struct Sum {
    Hidden hidden;
    float plain;

    Sum& operator+=(const Sum& other) {
        hidden += other.hidden;
        plain += other.plain;
        return *this;
    }
    Sum& operator-=(const Sum& other) {
        hidden -= other.hidden;
        plain -= other.plain;
        return *this;
    }
};

class Values {
  public:
    // The network first: its rows are read as vectors.
    static constexpr int kRows = 0;  // one for each entry
    static constexpr int kHeads =
        kRows + entry::kEntries * kHidden;  // by cards: where it begins, what its middle counts
    static constexpr int kTables = kHeads + (kRounds - 1) * 2 * kHidden;
    static constexpr int kSize = kTables + (kRounds - 1) * entry::kEntries;

    // Knows nothing but the points of the moment.
    Values();
    // As a file holds them, checked; the reason when they are not.
    static std::optional<Values> read(std::span<const std::uint8_t> file, std::string& problem);
    std::vector<std::uint8_t> write() const;

    static constexpr int row(int entry) { return kRows + entry * kHidden; }
    static constexpr int head(int cards) { return kHeads + (cards - 1) * 2 * kHidden; }
    static constexpr int table(int cards) { return kTables + (cards - 1) * entry::kEntries; }
    std::span<float> weights() { return {reinterpret_cast<float*>(chunks_.data()), kSize}; }
    std::span<const float> weights() const { return {reinterpret_cast<const float*>(chunks_.data()), kSize}; }

    // The values for displays with so many cards.
    class Stage {
      public:
        Stage(const Values& values, int cards)
            : rows_(values.weights().data() + row(0)),
              head_(values.weights().data() + head(cards)),
              table_(values.weights().data() + table(cards)) {}

        Sum begin() const { return {loaded(head_), 0}; }
        void add(Sum& sum, int entry) const {
            sum.hidden += loaded(rows_ + entry * kHidden);
            sum.plain += table_[entry];
        }
        float worth(const Sum& sum) const;

      private:
        static Hidden loaded(const float* numbers) {
            Hidden hidden;
            std::memcpy(&hidden, std::assume_aligned<sizeof hidden>(numbers), sizeof hidden);
            return hidden;
        }

        const float *rows_, *head_, *table_;
    };

  private:
    struct alignas(sizeof(Hidden)) Chunk {
        std::array<float, kHidden> numbers;
    };
    std::vector<Chunk> chunks_;
};

inline float Values::Stage::worth(const Sum& sum) const {
    const Hidden counted = (sum.hidden > 0 ? sum.hidden : Hidden{}) * loaded(head_ + kHidden);
    // Halves are added to halves, in the same order on every machine.
    using Half = float __attribute__((vector_size(32)));
    using Quarter = float __attribute__((vector_size(16)));
    const Half half = __builtin_shufflevector(counted, counted, 0, 1, 2, 3, 4, 5, 6, 7) +
                      __builtin_shufflevector(counted, counted, 8, 9, 10, 11, 12, 13, 14, 15);
    const Quarter quarter =
        __builtin_shufflevector(half, half, 0, 1, 2, 3) + __builtin_shufflevector(half, half, 4, 5, 6, 7);
    return sum.plain + ((quarter[0] + quarter[2]) + (quarter[1] + quarter[3]));
}

}  // namespace limina::limes

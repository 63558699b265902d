// What a display will be worth at the end: learned numbers for the entries that it comes to (see limes/evaluator.hpp).
//
// An entry counts twice. Its number in the table, one table for each number of cards laid, is added up; and its row of
// the network is added to the network's middle, which sees how entries go together: seven workers cannot take ten good
// territories.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "limes/outlook.hpp"
#include "limes/rules.hpp"

namespace limina::limes {

// What an entry may be; a table holds them in this order.
namespace entry {
// Buckets: points of a territory, openings, gain next door, how well a worker could be spared, points of the best
// neighbour, poorly paid workers, zones ahead, ways to merge, what a landscape is beside an empty cell, its sides.
inline constexpr int kPoints = 13, kOpen = 8, kGain = 6, kSpared = 4, kBest = 9, kLow = 4, kAheads = 4, kMerges = 3,
                     kBeside = 3, kSides = 4;
inline constexpr int kTaken = 0;                                       // a territory with a worker
inline constexpr int kFree = kTaken + 4 * kPoints * kOpen * kGain;     // one without
inline constexpr int kSecond = kFree + 4 * kPoints * kOpen * kSpared;  // a second worker in a territory
inline constexpr int kSupply = kSecond + kBest;                        // workers in the supply
inline constexpr int kShape = kSupply + (kWorkers + 1) * kLow;         // width and height
inline constexpr int kAhead = kShape + kSide * kSide;                  // what a territory could reach, taken or not
inline constexpr int kMerge = kAhead + 2 * 3 * kPoints * kAheads;      // what it could join, taken or not
inline constexpr int kCell = kMerge + 2 * 3 * kPoints * kMerges;       // an empty cell, by all landscapes beside it
// What the unseen cards hold, as often as it says.
inline constexpr int kOutlook = kCell + kBeside * kBeside * kBeside * kBeside * kSides;
inline constexpr int kEntries = kOutlook + Outlook::kNumbers;
}  // namespace entry

// The network's middle, in parts as wide as a register: wider ones are slow where the compiler has to split them.
inline constexpr int kHidden = 16;
#if defined(__AVX512F__)
using Part = float __attribute__((vector_size(64)));
#elif defined(__AVX__)
using Part = float __attribute__((vector_size(32)));
#else
using Part = float __attribute__((vector_size(16)));
#endif
inline constexpr int kParts = static_cast<int>(kHidden * sizeof(float) / sizeof(Part));
struct alignas(kHidden * sizeof(float)) Hidden {
    std::array<Part, kParts> parts;

    Hidden() = default;
    // Part by part: what is copied in smaller pieces cannot be read as a whole until it has left the store buffer.
    Hidden(const Hidden& other) { *this = other; }
    Hidden& operator=(const Hidden& other) {
        for (std::size_t i = 0; i < kParts; ++i) parts[i] = other.parts[i];
        return *this;
    }

    float operator[](int k) const {
        return std::bit_cast<std::array<float, kHidden>>(parts)[static_cast<std::size_t>(k)];
    }
};

// Entries added up. Not set to nothing by itself: there are many of them.
struct Sum {
    Hidden hidden;
    float plain;

    Sum& operator+=(const Sum& other) {
        for (std::size_t i = 0; i < kParts; ++i) hidden.parts[i] += other.hidden.parts[i];
        plain += other.plain;
        return *this;
    }
    Sum& operator-=(const Sum& other) {
        for (std::size_t i = 0; i < kParts; ++i) hidden.parts[i] -= other.hidden.parts[i];
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

    // The values for displays with so many cards, while these may still come.
    class Stage {
      public:
        Stage(const Values& values, int cards, const Outlook& outlook)
            : rows_(values.weights().data() + row(0)),
              head_(values.weights().data() + head(known(cards))),
              table_(values.weights().data() + table(known(cards))),
              begin_{loaded(head_), 0} {
            for (int i = 0; i < Outlook::kNumbers; ++i) {
                const Hidden row = loaded(rows_ + (entry::kOutlook + i) * kHidden);
                const float times = outlook.more[at(i)];
                for (std::size_t k = 0; k < kParts; ++k) begin_.hidden.parts[k] += times * row.parts[k];
                begin_.plain += times * table_[entry::kOutlook + i];
            }
        }

        // The sum of a display without entries.
        const Sum& begin() const { return begin_; }
        void add(Sum& sum, int entry) const {
            const Hidden row = loaded(rows_ + entry * kHidden);
            for (std::size_t i = 0; i < kParts; ++i) sum.hidden.parts[i] += row.parts[i];
            sum.plain += table_[entry];
        }
        float worth(const Sum& sum) const;

      private:
        // A full display needs no values, but may be asked about.
        static int known(int cards) { return std::min(cards, kRounds - 1); }
        static Hidden loaded(const float* numbers) {
            Hidden hidden;
            const float* from = std::assume_aligned<sizeof hidden>(numbers);
            for (Part& part : hidden.parts) {
                std::memcpy(&part, from, sizeof part);
                from += sizeof part / sizeof *from;
            }
            return hidden;
        }

        const float *rows_, *head_, *table_;
        Sum begin_;
    };

  private:
    struct alignas(sizeof(Hidden)) Chunk {
        std::array<float, kHidden> numbers;
    };
    std::vector<Chunk> chunks_;
};

inline float Values::Stage::worth(const Sum& sum) const {
    const Hidden weights = loaded(head_ + kHidden);
    std::array<Part, kParts> counted;
    for (std::size_t i = 0; i < kParts; ++i) {
        const Part& part = sum.hidden.parts[i];
        counted[i] = (part > 0 ? part : Part{}) * weights.parts[i];
    }
    // Halves are added to halves, in the same order on every machine.
    for (std::size_t half = kParts / 2; half > 0; half /= 2) {
        for (std::size_t i = 0; i < half; ++i) counted[i] += counted[i + half];
    }
    using Quarter = float __attribute__((vector_size(16)));
    const auto parts = std::bit_cast<std::array<Quarter, sizeof(Part) / sizeof(Quarter)>>(counted[0]);
    Quarter quarter = parts[0];
    if constexpr (parts.size() == 2) quarter = parts[0] + parts[1];
    if constexpr (parts.size() == 4) quarter = (parts[0] + parts[2]) + (parts[1] + parts[3]);
    return sum.plain + ((quarter[0] + quarter[2]) + (quarter[1] + quarter[3]));
}

}  // namespace limina::limes

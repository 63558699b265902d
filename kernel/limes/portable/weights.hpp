// The weights of the evaluation of Limes (see limes/evaluator.hpp): the estimated final total of a display is the sum
// of two models over its active features.
//
// The linear model adds the weight of each feature, from a table for each number of placed cards. The network has one
// hidden layer, to which each feature adds its row. It captures interactions: seven workers cannot use ten good
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

#include "limes/remaining_deck.hpp"
#include "limes/rules.hpp"

namespace limina::limes {

// The indices of the features, in the order of a table.
namespace feature {
// Number of buckets: points of a territory, empty zones beside it, gain in an adjacent territory, gain of an adjacent
// worker, points of the best adjacent territory, workers with few points, zones to grow to, zones to join, kind of a
// landscape beside an empty cell, sides of an empty cell.
inline constexpr int kPointBuckets = 13, kOpenBuckets = 8, kGainBuckets = 6, kSpareLevels = 4, kBestNeighborBuckets = 9,
                     kPoorWorkerBuckets = 4, kGrowthBuckets = 4, kJoinBuckets = 3, kBesideBuckets = 3, kSideBuckets = 4;
inline constexpr int kOccupied = 0;                                                        // territory with a worker
inline constexpr int kFree = kOccupied + 4 * kPointBuckets * kOpenBuckets * kGainBuckets;  // territory without a worker
inline constexpr int kSecondWorker =
    kFree + 4 * kPointBuckets * kOpenBuckets * kSpareLevels;          // each further worker in a territory
inline constexpr int kSupply = kSecondWorker + kBestNeighborBuckets;  // workers in the supply
inline constexpr int kShape = kSupply + (kWorkersPerPlayer + 1) * kPoorWorkerBuckets;  // width and height
inline constexpr int kGrowth = kShape + kMaxSpan * kMaxSpan;                    // zones that a territory could grow to
inline constexpr int kJoin = kGrowth + 2 * 3 * kPointBuckets * kGrowthBuckets;  // zones that it could join
inline constexpr int kEmptyCell =
    kJoin + 2 * 3 * kPointBuckets * kJoinBuckets;  // empty cell by the landscapes beside it
// Remaining deck: real-valued features, see RemainingDeck.
inline constexpr int kRemainingDeck =
    kEmptyCell + kBesideBuckets * kBesideBuckets * kBesideBuckets * kBesideBuckets * kSideBuckets;
inline constexpr int kCount = kRemainingDeck + RemainingDeck::kFeatures;
}  // namespace feature

// The hidden layer, as vectors of the size of a register. The compiler splits wider ones into slow code.
inline constexpr int kHiddenSize = 16;
#if defined(__AVX512F__)
using SimdFloats = float __attribute__((vector_size(64)));
#elif defined(__AVX__)
using SimdFloats = float __attribute__((vector_size(32)));
#else
using SimdFloats = float __attribute__((vector_size(16)));
#endif
inline constexpr int kHiddenVectors = static_cast<int>(kHiddenSize * sizeof(float) / sizeof(SimdFloats));
struct alignas(kHiddenSize * sizeof(float)) HiddenLayer {
    std::array<SimdFloats, kHiddenVectors> vectors;

    HiddenLayer() = default;
    // Copies whole vectors. If the compiler copies smaller pieces, the next vector load stalls, because the store
    // buffer cannot forward it.
    HiddenLayer(const HiddenLayer& other) { *this = other; }
    HiddenLayer& operator=(const HiddenLayer& other) {
        for (std::size_t i = 0; i < kHiddenVectors; ++i) vectors[i] = other.vectors[i];
        return *this;
    }

    float operator[](int k) const { return std::bit_cast<std::array<float, kHiddenSize>>(vectors)[k]; }
};

// The sum of active features. Not initialized, because the evaluator has large arrays of them.
struct Accumulator {
    HiddenLayer hidden;
    float linear;

    Accumulator& operator+=(const Accumulator& other) {
        for (std::size_t i = 0; i < kHiddenVectors; ++i) hidden.vectors[i] += other.hidden.vectors[i];
        linear += other.linear;
        return *this;
    }
    Accumulator& operator-=(const Accumulator& other) {
        for (std::size_t i = 0; i < kHiddenVectors; ++i) hidden.vectors[i] -= other.hidden.vectors[i];
        linear -= other.linear;
        return *this;
    }
};

class Weights {
  public:
    // Offsets. The network comes first because its rows must be aligned.
    static constexpr int kFeatureRows = 0;  // a row for each feature
    static constexpr int kStageParameters =
        kFeatureRows + feature::kCount * kHiddenSize;  // by number of cards: biases of the hidden layer, output weights
    static constexpr int kTables = kStageParameters + (kRounds - 1) * 2 * kHiddenSize;
    static constexpr int kSize = kTables + (kRounds - 1) * feature::kCount;

    // Makes untrained weights, which evaluate a display by its present total.
    Weights();
    // Reads a file. Returns nothing and sets `error` if it is invalid.
    static std::optional<Weights> from_bytes(std::span<const std::uint8_t> bytes, std::string& error);
    std::vector<std::uint8_t> to_bytes() const;

    static constexpr int row_offset(int feature) { return kFeatureRows + feature * kHiddenSize; }
    static constexpr int stage_offset(int cards) { return kStageParameters + (cards - 1) * 2 * kHiddenSize; }
    static constexpr int table_offset(int cards) { return kTables + (cards - 1) * feature::kCount; }
    std::span<float> floats() { return {reinterpret_cast<float*>(storage_.data()), kSize}; }
    std::span<const float> floats() const { return {reinterpret_cast<const float*>(storage_.data()), kSize}; }

    // The weights for displays with `cards` cards and this remaining deck. Keeps a reference to `weights`.
    class Stage {
      public:
        Stage(const Weights& weights, int cards, const RemainingDeck& remaining)
            : rows_(weights.floats().data() + row_offset(0)),
              stage_parameters_(weights.floats().data() + stage_offset(clamp_cards(cards))),
              table_(weights.floats().data() + table_offset(clamp_cards(cards))),
              initial_{load_hidden(stage_parameters_), 0} {
            for (int i = 0; i < RemainingDeck::kFeatures; ++i) {
                const HiddenLayer feature_row = load_hidden(rows_ + (feature::kRemainingDeck + i) * kHiddenSize);
                const float excess = remaining.excess[i];
                for (std::size_t k = 0; k < kHiddenVectors; ++k)
                    initial_.hidden.vectors[k] += excess * feature_row.vectors[k];
                initial_.linear += excess * table_[feature::kRemainingDeck + i];
            }
        }

        // Returns the sum without features of the display.
        const Accumulator& initial() const { return initial_; }
        void add(Accumulator& sum, int feature) const {
            const HiddenLayer feature_row = load_hidden(rows_ + feature * kHiddenSize);
            for (std::size_t i = 0; i < kHiddenVectors; ++i) sum.hidden.vectors[i] += feature_row.vectors[i];
            sum.linear += table_[feature];
        }
        float output(const Accumulator& sum) const;

      private:
        // A full display has no weights; it uses those of 15 cards.
        static int clamp_cards(int cards) { return std::min(cards, kRounds - 1); }
        static HiddenLayer load_hidden(const float* floats) {
            HiddenLayer hidden;
            const float* from = std::assume_aligned<sizeof hidden>(floats);
            for (SimdFloats& vector : hidden.vectors) {
                std::memcpy(&vector, from, sizeof vector);
                from += sizeof vector / sizeof *from;
            }
            return hidden;
        }

        const float *rows_, *stage_parameters_, *table_;
        Accumulator initial_;
    };

  private:
    struct alignas(sizeof(HiddenLayer)) AlignedFloats {
        std::array<float, kHiddenSize> floats;
    };
    std::vector<AlignedFloats> storage_;
};

inline float Weights::Stage::output(const Accumulator& sum) const {
    const HiddenLayer output_weights = load_hidden(stage_parameters_ + kHiddenSize);
    std::array<SimdFloats, kHiddenVectors> weighted;
    for (std::size_t i = 0; i < kHiddenVectors; ++i) {
        const SimdFloats& vector = sum.hidden.vectors[i];
        weighted[i] = (vector > 0 ? vector : SimdFloats{}) * output_weights.vectors[i];
    }
    // Adds halves to halves, so the order of additions and thus the rounding is the same on every ISA.
    for (std::size_t half = kHiddenVectors / 2; half > 0; half /= 2) {
        for (std::size_t i = 0; i < half; ++i) weighted[i] += weighted[i + half];
    }
    using Quarter = float __attribute__((vector_size(16)));
    const auto vectors = std::bit_cast<std::array<Quarter, sizeof(SimdFloats) / sizeof(Quarter)>>(weighted[0]);
    Quarter quarter = vectors[0];
    if constexpr (vectors.size() == 2) quarter = vectors[0] + vectors[1];
    if constexpr (vectors.size() == 4) quarter = (vectors[0] + vectors[2]) + (vectors[1] + vectors[3]);
    return sum.linear + ((quarter[0] + quarter[2]) + (quarter[1] + quarter[3]));
}

}  // namespace limina::limes

// What a display will be worth at the end: learned tables over its territories, one set for each number of cards laid.
//
// A territory without a worker is looked up by landscape, points, openings and by how well a worker beside it could be
// spared; one with a worker by landscape, points, openings and by what he could gain next door. A full display is worth
// its points.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "limes_land.hpp"

namespace limina::limes {

class Values {
  public:
    static constexpr int kPoints = 13, kOpen = 8, kGain = 6, kSpared = 4, kBest = 9, kLow = 4;
    static constexpr int kTaken = 0;
    static constexpr int kFree = kTaken + 4 * kPoints * kOpen * kGain;
    static constexpr int kSecond = kFree + 4 * kPoints * kOpen * kSpared;  // a second worker in a territory
    static constexpr int kSupply = kSecond + kBest;
    static constexpr int kShape = kSupply + (kWorkers + 1) * kLow;
    static constexpr int kTable = kShape + kSide * kSide;
    static constexpr int kSize = (kRounds - 1) * kTable;

    Values();
    // The tables as a file holds them, checked; the reason when they are not.
    static std::optional<Values> read(std::span<const std::uint8_t> file, std::string& problem);
    std::vector<std::uint8_t> write() const;

    const float* table(int cards) const { return weights_.data() + (cards - 1) * kTable; }
    std::span<float> weights() { return weights_; }
    std::span<const float> weights() const { return weights_; }

  private:
    std::vector<float> weights_;
};

// The value of a land with workers on it, and of all that one worker may change.
class Judge {
  public:
    Judge(const Values& values, const Display& display, const Land& land);

    // The value with these workers; `indices` receives the entries it is the sum of.
    float value(const Crew& crew, int supply, std::vector<int>* indices = nullptr) const;
    // Prepares `after`: the values of each territory taken and free while the others stay as they are.
    void prepare(const Crew& crew, int supply);
    float now() const { return now_; }
    // About the value when one worker comes to a territory, from another or (-1) from the supply.
    float after(int from, int to) const {
        return now_ + come_[static_cast<std::size_t>(to)] + (from < 0 ? place_ : go_[static_cast<std::size_t>(from)]);
    }

  private:
    int entry(int number) const { return entry_[static_cast<std::size_t>(number)]; }
    int best_beside(Word adjacent, Word free) const;
    int spared(int number, const Lanes& lows, Word standing) const;
    Lanes lows(const Crew& crew) const;
    int low_workers(const Crew& crew) const;

    const float* table_;  // null when the display is full
    const Land& land_;
    int shape_;
    Lanes at_least_{};  // lane k: the territories with more than k points
    std::array<std::uint16_t, 64> entry_;
    float now_ = 0, place_ = 0;
    std::array<float, 64> come_, go_;
};

}  // namespace limina::limes

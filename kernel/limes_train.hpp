// Learning the values: games against oneself by the values so far, each display corrected towards what followed.
#pragma once

#include <span>
#include <vector>

#include "limes_value.hpp"
#include "search.hpp"

namespace limina::limes {

// Values while they are learned: each entry has its own pace, high while its corrections agree (temporal coherence).
class Training {
  public:
    Training();
    Training(std::vector<float> weights, std::vector<float> sums, std::vector<float> sizes);

    // Plays and learns; returns the mean total of the games that were finished. `rate` scales all corrections.
    double run(std::span<const Card> deck, std::uint64_t games, float rate, float lambda, Word seed, const Stop& stop);

    const Values& values() const { return values_; }
    const std::vector<float>& sums() const { return sums_; }
    const std::vector<float>& sizes() const { return sizes_; }

  private:
    Values values_;
    std::vector<float> sums_, sizes_;  // of the corrections, with and without their signs
};

}  // namespace limina::limes

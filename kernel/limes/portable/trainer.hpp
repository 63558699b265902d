// Learning the values: games against oneself by the values so far, each display corrected towards what followed.
#pragma once

#include <span>
#include <vector>

#include "common/deadline.hpp"
#include "limes/portable/weights.hpp"

namespace limina::limes {

// Values while they are learned. An entry of a table has its own pace, high while its corrections agree (temporal
// coherence); the network goes by steps of one size, whatever the size of the slopes. Every game pushes the weights
// about; their mean over many games is what was learned.
class Trainer {
  public:
    Trainer();
    Trainer(std::span<const float> weights, std::span<const float> means, std::vector<float> sums,
            std::vector<float> sizes);

    // How far to go: `tables` scales all corrections of the tables, `network` is the size of a step.
    struct Pace {
        float tables, network;
        float trace;    // how much of a correction comes from the end of the game, the rest from the next value
        float explore;  // how often any turn is played: values that only know what they like never learn better
        float recent;   // how much of the mean is what comes out of this run, the rest what came out of those before
    };
    // Plays and learns; returns the mean total of the games that were finished.
    double run(std::span<const Card> deck, std::uint64_t games, const Pace& pace, Word seed, const Stop& stop);

    // What was learned.
    const Values& values() const { return means_; }
    const Values& weights() const { return values_; }
    const std::vector<float>& sums() const { return sums_; }
    const std::vector<float>& sizes() const { return sizes_; }

  private:
    void learn(int cards, std::span<const int> entries, const Outlook& outlook, float error, const Pace& pace);
    void step(std::span<float> weights, std::size_t size_at, std::span<const float> slopes, float step);

    Values values_, means_;
    // Of the tables' corrections the sums with and without their signs; of the network's slopes the mean squares, those
    // of a row where the row begins.
    std::vector<float> sums_, sizes_;
};

}  // namespace limina::limes

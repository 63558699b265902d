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
    Trainer(std::span<const float> weights, std::span<const float> averages, std::vector<float> correction_sums,
            std::vector<float> magnitudes);

    // How far to go: `table_rate` scales all corrections of the tables, `network_step` is the size of a step.
    struct TrainingRates {
        float table_rate, network_step;
        float trace_decay;  // how much of a correction comes from the end of the game, the rest from the next value
        float
            exploration_rate;  // how often any turn is played: values that only know what they like never learn better
        float averaging_weight;  // how much of the mean is what comes out of this run, the rest what came out of those
                                 // before
    };
    // Plays and learns; returns the mean total of the games that were finished.
    double train(std::span<const Card> deck, std::uint64_t games, const TrainingRates& rates, std::uint64_t seed,
                 const CancelToken& cancel_token);

    // What was learned.
    const Weights& averaged_weights() const { return averaged_weights_; }
    const Weights& weights() const { return weights_; }
    const std::vector<float>& correction_sums() const { return correction_sums_; }
    const std::vector<float>& magnitudes() const { return magnitudes_; }

  private:
    void update(int cards, std::span<const int> features, const RemainingDeck& remaining, float error,
                const TrainingRates& rates);
    void rms_step(std::span<float> weights, std::size_t index, std::span<const float> gradient, float step_size);

    Weights weights_, averaged_weights_;
    // Of the tables' corrections the sums with and without their signs; of the network's slopes the mean squares, those
    // of a row where the row begins.
    std::vector<float> correction_sums_, magnitudes_;
};

}  // namespace limina::limes

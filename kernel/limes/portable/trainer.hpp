// Training of the weights of Limes by TD(lambda) on greedy self-play.
#pragma once

#include <span>
#include <vector>

#include "common/deadline.hpp"
#include "limes/portable/weights.hpp"

namespace limina::limes {

// Weights in training. Each table entry has its own learning rate, which is high while its corrections agree (temporal
// coherence learning). The network uses normalized gradients (RMSprop). The result is an average of the weights over
// the training, because single games make them noisy.
class Trainer {
  public:
    Trainer();
    Trainer(std::span<const float> weights, std::span<const float> averages, std::vector<float> correction_sums,
            std::vector<float> magnitudes);

    struct TrainingRates {
        float table_rate;        // factor of all corrections of the tables
        float network_step;      // step size of the network
        float trace_decay;       // lambda: 1 learns from the final total, 0 from the next value
        float exploration_rate;  // probability of a random turn instead of the greedy one
        float averaging_weight;  // weight of the weights after this run in the averages
    };
    // Plays games, learns from them, and returns the mean total of the finished games.
    double train(std::span<const Card> deck, std::uint64_t games, const TrainingRates& rates, std::uint64_t seed,
                 const CancelToken& cancel_token);

    // The result of the training.
    const Weights& averaged_weights() const { return averaged_weights_; }
    const Weights& weights() const { return weights_; }
    const std::vector<float>& correction_sums() const { return correction_sums_; }
    const std::vector<float>& magnitudes() const { return magnitudes_; }

  private:
    void update(int cards, std::span<const int> features, const RemainingDeck& remaining, float error,
                const TrainingRates& rates);
    void rms_step(std::span<float> weights, std::size_t index, std::span<const float> gradient, float step_size);

    Weights weights_, averaged_weights_;
    // For tables: the sums of corrections, and of their absolute values. For the network, in `magnitudes_` only: the
    // mean squared gradient, at the first index of each row.
    std::vector<float> correction_sums_, magnitudes_;
};

}  // namespace limina::limes

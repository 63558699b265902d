// Training of Limit's weights by self-play. Positions inside the small searches before each turn are trained towards
// what the search found, positions of the game towards its outcome.
#pragma once

#include <cstdint>
#include <vector>

#include "limit/search_tree.hpp"

namespace limina::limit {

struct SelfPlayOptions {
    int size = 8;
    int players = 2;
    std::uint64_t work = 1500;  // evaluations of the search before each turn
    float rate = 0.02F;         // learning rate
    int min_tiles = 0;          // below so many tiles the game ends with the search's result, and nothing is learned
};

class Trainer {
  public:
    Trainer() : squared_gradients_(patterns::kWeightCount) {}

    // Plays one game and learns from it. Returns the mean cross-entropy, in nats, between the outcome and the
    // evaluations of the positions of the game.
    double play_game(const SelfPlayOptions& options, std::uint64_t seed);

    // Continues from trained weights, with smaller learning rates than for new ones.
    void start_from(const Weights& weights);

    Weights& weights() { return weights_; }
    const Weights& weights() const { return weights_; }
    // The sum of squared gradients of each weight, which divides its learning rate (AdaGrad).
    std::vector<float>& squared_gradients() { return squared_gradients_; }

  private:
    // Makes one gradient step. Returns the cross-entropy between the target and the evaluation before it.
    double update_towards(const Layout& layout, const Position& position, TurnPart part, const WinProbabilities& target,
                          float rate);

    Weights weights_;
    std::vector<float> squared_gradients_;
    std::vector<int> active_;  // scratch space
};

}  // namespace limina::limit

// Learns the values of Limit from self-play: every position that a small search has looked into is pulled towards what
// the search found there, and every position played towards how the game ended.
#pragma once

#include <cstdint>
#include <vector>

#include "limit/search_tree.hpp"

namespace limina::limit {

struct SelfPlayOptions {
    int size = 8;
    int players = 2;
    std::uint64_t work = 1500;  // of the search before each turn
    float rate = 0.02F;
    int min_tiles = 0;  // with fewer nothing is learnt: the game ends there as the search judges it
};

class Trainer {
  public:
    Trainer() : squared_gradients_(patterns::kWeightCount) {}

    // Plays one game and learns from it. Returns the mean loss (in nats) of judging its positions by how it ended.
    double play_game(const SelfPlayOptions& options, std::uint64_t seed);

    // Begins with values that were learnt before, whose weights are held fast a little.
    void start_from(const Weights& weights);

    Weights& weights() { return weights_; }
    const Weights& weights() const { return weights_; }
    // Of each weight: the sum of the squares of all its pulls. What was pulled much moves little.
    std::vector<float>& squared_gradients() { return squared_gradients_; }

  private:
    double update_towards(const Layout& layout, const Position& position, TurnPart part, const WinProbabilities& target,
                          float rate);

    Weights weights_;
    std::vector<float> squared_gradients_;
    std::vector<int> active_;
};

}  // namespace limina::limit

// Learns the values of Limit from self-play: every position that a small search has looked into is pulled towards what
// the search found there, and every position played towards how the game ended.
#pragma once

#include <cstdint>
#include <vector>

#include "limit/search_tree.hpp"

namespace limina::limit {

struct Lesson {
    int size = 8;
    int players = 2;
    std::uint64_t work = 1500;  // of the search before each turn
    float rate = 0.02F;
    int least_tiles = 0;  // with fewer nothing is learnt: the game ends there as the search judges it
};

class Trainer {
  public:
    Trainer() : squares_(patterns::kCount) {}

    // Plays one game and learns from it. Returns the mean loss (in nats) of judging its positions by how it ended.
    double play_game(const Lesson& lesson, Word seed);

    // Begins with values that were learnt before, whose weights are held fast a little.
    void begin(const Values& values);

    Values& values() { return values_; }
    const Values& values() const { return values_; }
    // Of each weight: the sum of the squares of all its pulls. What was pulled much moves little.
    std::vector<float>& squares() { return squares_; }

  private:
    double pull(const Layout& layout, const Position& position, Part part, const Chances& target, float rate);

    Values values_;
    std::vector<float> squares_;
    std::vector<int> seen_;
};

}  // namespace limina::limit

// Search of a turn: rollouts of the turns with the highest values, over sampled orders of the unseen cards, with
// sequential halving. Near the end the last cards are enumerated instead.
#pragma once

#include <span>
#include <vector>

#include "common/deadline.hpp"
#include "limes/greedy.hpp"

namespace limina::limes {

// The amount of search. `seconds` is an upper limit; results are reproducible if it is not reached.
struct SearchOptions {
    int rollouts = 1000;  // of all candidates together in the middle of a game; more when they are shorter
    int candidates = 24;  // turns that get rollouts
    int depth = kRounds;  // turns of a rollout; then it ends with the value of the display
    int threads = 1;
    double seconds = 60;
};

// The information of a player: their display, the deck, the drawn card, the unseen cards, the displays of others.
struct InformationSet {
    Display display;
    std::span<const Card> deck;
    int card;              // 0 to 23
    std::uint32_t unseen;  // set of cards without the drawn card
    std::vector<Display> opponents;
};

struct Candidate {
    BoardTurn turn;
    double points = 0;           // expected final total
    double win_probability = 0;  // equal to points without opponents
    int rollouts = 0;
};

struct SearchResult {
    std::vector<Candidate> candidates;  // best first
    std::uint64_t rollouts = 0;
    bool finished = true;  // false if canceled or out of time
};

// Evaluates all turns with the drawn card.
SearchResult search(const Weights& weights, const InformationSet& info, const SearchOptions& options,
                    std::uint64_t seed, const CancelToken& cancel_token);

// Plays up to `depth` of `cards` in this order greedily and returns the value at the end, which for a full display is
// the total. The greedy player knows the set of unseen cards, which contains `cards`, but not their order.
float rollout(const Weights& weights, Display display, std::span<const Card> deck, std::uint32_t unseen,
              std::span<const std::uint8_t> cards, int depth);

}  // namespace limina::limes

// A turn by search: the turns that the values like best are played on to the end, or for some turns, over sampled
// orders of the unseen cards. All turns meet the same orders, and the worse half of them is dropped again and again
// (sequential halving). The last cards are counted out.
#pragma once

#include <span>
#include <vector>

#include "common/deadline.hpp"
#include "limes/greedy.hpp"

namespace limina::limes {

// How much to search. The work decides; the time is only a cap.
struct SearchOptions {
    int rollouts = 1000;  // at most, over all turns, in the middle of a game; more where they are shorter
    int candidates = 24;  // turns that are played on
    int depth = kRounds;  // turns of a rollout before the values estimate the rest
    int threads = 1;
    double seconds = 60;
};

// What the player knows: one's own display, the deck, the drawn card, the unseen ones, the other players' displays.
struct InformationSet {
    Display display;
    std::span<const Card> deck;
    int card;              // 0 to 23
    std::uint32_t unseen;  // a set; the drawn card is not in it
    std::vector<Display> opponents;
};

struct Candidate {
    BoardTurn turn;
    double points = 0;           // expected at the end
    double win_probability = 0;  // to win, with rivals; else the same as points
    int rollouts = 0;
};

struct SearchResult {
    std::vector<Candidate> candidates;  // best first
    std::uint64_t rollouts = 0;
    bool finished = true;  // neither stopped nor out of time
};

SearchResult search(const Weights& weights, const InformationSet& info, const SearchOptions& options,
                    std::uint64_t seed, const CancelToken& cancel_token);

// Greedy play of `cards` in this order, at most `depth` of them; the total, or the value where it ends early. Whoever
// plays knows which cards are unseen, `cards` among them, but not their order.
float rollout(const Weights& weights, Display display, std::span<const Card> deck, std::uint32_t unseen,
              std::span<const std::uint8_t> cards, int depth);

}  // namespace limina::limes

// One turn deeper: what a display is worth when the next card is met not by the values alone but by a small search.
#pragma once

#include <span>

#include "limes_greedy.hpp"

namespace limina::limes {

// The mean of the best reply to the card: `replies` of them are played on to the end, each `rollouts` times, the
// better half three times as often. `unseen` are the cards that may follow. Adds its rollouts to `work`.
double reply_worth(const Values& values, const Display& display, std::span<const Card> deck, int card,
                   std::uint32_t unseen, int replies, int rollouts, Word seed, std::uint64_t& work);

}  // namespace limina::limes

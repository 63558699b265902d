// With two cards to come there are so few orders of them that a turn can be counted out instead of sampled.
#pragma once

#include "limes/portable/search.hpp"

namespace limina::limes {

// The rollouts that it takes, each of one turn.
double last_cards_rollouts(const InformationSet& info);

// Compares the first of the report's candidates by the mean, over all cards that may come next, of the best of several
// replies to each, and those by the mean of the best totals over all last cards. Sorts them.
void solve_last_cards(const Weights& weights, const InformationSet& info, int threads, const Deadline& deadline,
                      SearchResult& result);

}  // namespace limina::limes

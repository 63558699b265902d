// Exact expectations over the last two cards, instead of sampling.
#pragma once

#include "limes/portable/search.hpp"

namespace limina::limes {

// Returns the number of rollouts of one turn that solve_last_cards takes.
double last_cards_rollouts(const InformationSet& info);

// Evaluates and sorts the best candidates of `result` by expectimax: the mean over all next cards of the best of
// several replies, each by the mean over all last cards of the best total. Changes no candidate if the time is over.
void solve_last_cards(const Weights& weights, const InformationSet& info, int threads, const Deadline& deadline,
                      SearchResult& result);

}  // namespace limina::limes

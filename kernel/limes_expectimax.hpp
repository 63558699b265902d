// Expectimax one turn deep: the few best turns are compared again by the mean, over all cards that may come next, of
// the best of several replies to each.
#pragma once

#include "limes_search.hpp"

namespace limina::limes {

// The rollouts it takes at least: every reply to every card is played on but once at first.
double least_expectimax(const InformationSet& info, const SearchOptions& options);

// The rollouts with which, two cards before the end, all orders of those to come are counted out for more turns.
double counted_out(const InformationSet& info, const SearchOptions& options);

// Judges the first of the report's candidates anew with about so many rollouts, and sorts them.
void expectimax(const Values& values, const InformationSet& info, const SearchOptions& options, double rollouts,
                Word seed, const Deadline& deadline, Report& report);

}  // namespace limina::limes

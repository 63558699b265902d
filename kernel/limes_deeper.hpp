// One turn deeper: the few best turns are compared again, the next card now met not by the values alone but by the best
// of several replies.
#pragma once

#include "limes_search.hpp"

namespace limina::limes {

// The rollouts of a deeper look in which every reply to every card is played on but once at first.
double least_deeper(const Question& question, const Effort& effort);

// Judges the first of the answer's candidates anew with about so many rollouts, and sorts them.
void look_deeper(const Values& values, const Question& question, const Effort& effort, double rollouts, Word seed,
                 const Deadline& deadline, Answer& answer);

}  // namespace limina::limes

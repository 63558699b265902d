#include "limes_search.hpp"

#include <algorithm>
#include <cmath>

#include "limes_deeper.hpp"
#include "limes_halving.hpp"

namespace limina::limes {

namespace {

// With so many turns to come, most points and most wins are the same.
constexpr int kFarFromTheEnd = 8;
// The part of the time that work is planned for; the rest is for surprises.
constexpr double kCaution = 0.9;

// A rollout is long at the beginning of a game and short at its end, where there are fewer places for a card as well.
// So that every turn takes about the same time, there are more rollouts the fewer turns are left.
Effort levelled(const Effort& effort, int turns_left) {
    const double ratio = static_cast<double>(kRounds) / 2 / std::max(turns_left, 1);
    Effort level = effort;
    level.rollouts = static_cast<int>(std::min(ratio * std::sqrt(ratio) * effort.rollouts, 1e9));
    return level;
}

// With the last card: the total is known, and between equals the tie-break decides.
void settle(const Question& q, const Card& card, std::vector<Candidate>& list) {
    const auto tied =
        std::find_if(list.begin(), list.end(), [&](const Candidate& c) { return c.points < list[0].points; });
    std::stable_sort(list.begin(), tied, [&](const Candidate& a, const Candidate& b) {
        return ranking(played(q.display, card, a.choice)) > ranking(played(q.display, card, b.choice));
    });
}

}  // namespace

float rollout(const Values& values, Display d, std::span<const Card> deck, std::span<const std::uint8_t> cards,
              int depth) {
    const std::size_t turns = std::min(cards.size(), static_cast<std::size_t>(std::max(depth, 0)));
    if (turns == 0) return d.cards > 0 ? value(values, d) : 0;
    for (std::size_t i = 0;; ++i) {
        const Card& card = deck[cards[i]];
        const Choice choice = greedy(values, d, card);
        if (i + 1 == turns) return choice.value;
        d = played(d, card, choice);
    }
}

Answer search(const Values& values, const Question& q, const Effort& asked, Word seed, const Stop& stop) {
    const Timer timer;
    const Card& card = q.deck[static_cast<std::size_t>(q.card)];
    const int turns_left = kRounds - q.display.cards - 1;
    const Effort effort = levelled(asked, turns_left);
    Answer answer;
    for (const Choice& choice : choices(values, q.display, card)) {
        answer.candidates.push_back({choice, choice.value, choice.value, 0});
    }
    if (turns_left == 0) {
        settle(q, card, answer.candidates);
        return answer;
    }
    // Before the last card everything can be counted out, so that more turns can be looked at.
    const int most = std::max(1, turns_left == 1 ? 8 * effort.candidates : effort.candidates);
    Halving halving(values, q, effort, seed, std::min(answer.candidates.size(), static_cast<std::size_t>(most)),
                    answer);
    bool deeper = effort.replies > 0 && turns_left > 1 && (q.rivals.empty() || turns_left >= kFarFromTheEnd) &&
                  effort.rollouts >= least_deeper(q, effort);
    const auto affordable = [&](double seconds) {
        return static_cast<double>(answer.rollouts) / timer.seconds() * seconds;
    };
    for (int stage = 0; stage < halving.stages() && !stop.is_set(); ++stage) {
        // When time runs short, each stage gets its part of it, so that the halving keeps its shape.
        const double seconds = deeper ? effort.seconds / 2 : effort.seconds;
        halving.stage(stage, {timer, seconds * (stage + 1) / halving.stages(), stop});
        deeper = deeper && affordable(effort.seconds / 2) >= least_deeper(q, effort);
    }
    halving.finish();
    if (deeper && !stop.is_set()) {
        const double left = kCaution * affordable(effort.seconds - timer.seconds());
        look_deeper(values, q, effort, std::min<double>(effort.rollouts, left), seed, {timer, effort.seconds, stop},
                    answer);
    }
    return answer;
}

}  // namespace limina::limes

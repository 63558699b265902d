#include "limes_search.hpp"

#include <algorithm>
#include <cmath>

#include "limes_expectimax.hpp"
#include "limes_halving.hpp"

namespace limina::limes {

namespace {

// With so many turns to come, most points and most wins are the same.
constexpr int kFarFromTheEnd = 8;
// The part of the time that work is planned for; the rest is for surprises.
constexpr double kCaution = 0.9;

// A rollout is long at the beginning of a game and short at its end, where there are fewer places for a card as well.
// So that every turn takes about the same time, there are more rollouts the fewer turns are left.
SearchOptions levelled(const SearchOptions& options, int turns_left) {
    const double ratio = static_cast<double>(kRounds) / 2 / std::max(turns_left, 1);
    SearchOptions level = options;
    level.rollouts = static_cast<int>(std::min(ratio * std::sqrt(ratio) * options.rollouts, 1e9));
    return level;
}

// With the last card: the total is known, and between equals the tie-break decides.
void settle(const InformationSet& info, const Card& card, std::vector<Candidate>& list) {
    const auto tied =
        std::find_if(list.begin(), list.end(), [&](const Candidate& c) { return c.points < list[0].points; });
    std::stable_sort(list.begin(), tied, [&](const Candidate& a, const Candidate& b) {
        return ranking(played(info.display, card, a.choice)) > ranking(played(info.display, card, b.choice));
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

Report search(const Values& values, const InformationSet& info, const SearchOptions& asked, Word seed,
              const Stop& stop) {
    const Timer timer;
    const Card& card = info.deck[static_cast<std::size_t>(info.card)];
    const int turns_left = kRounds - info.display.cards - 1;
    const SearchOptions options = levelled(asked, turns_left);
    Report report;
    for (const Choice& choice : choices(values, info.display, card)) {
        report.candidates.push_back({choice, choice.value, choice.value, 0});
    }
    if (turns_left == 0) {
        settle(info, card, report.candidates);
        return report;
    }
    // Before the last card everything can be counted out, so that more turns can be looked at.
    const int most = std::max(1, turns_left == 1 ? 8 * options.candidates : options.candidates);
    // Where the deeper look then counts out all that can come, the first one only has to say at which turns.
    SearchOptions first = options;
    if (turns_left == 2 && info.rivals.empty() && options.rollouts >= counted_out(info, options)) first.rollouts /= 4;
    SequentialHalving halving(values, info, first, seed,
                              std::min(report.candidates.size(), static_cast<std::size_t>(most)), report);
    bool deeper = options.replies > 0 && turns_left > 1 && (info.rivals.empty() || turns_left >= kFarFromTheEnd) &&
                  options.rollouts >= least_expectimax(info, options);
    const auto affordable = [&](double seconds) {
        return static_cast<double>(report.rollouts) / timer.seconds() * seconds;
    };
    for (int stage = 0; stage < halving.stages() && !stop.is_set(); ++stage) {
        // When time runs short, each stage gets its part of it, so that the halving keeps its shape.
        const double seconds = deeper ? options.seconds / 2 : options.seconds;
        halving.stage(stage, {timer, seconds * (stage + 1) / halving.stages(), &stop});
        deeper = deeper && affordable(options.seconds / 2) >= least_expectimax(info, options);
    }
    halving.finish();
    if (deeper && !stop.is_set()) {
        const double left = kCaution * affordable(options.seconds - timer.seconds());
        expectimax(values, info, options, std::min<double>(options.rollouts, left), seed,
                   {timer, options.seconds, &stop}, report);
    }
    return report;
}

}  // namespace limina::limes

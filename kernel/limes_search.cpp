#include "limes_search.hpp"

#include <algorithm>
#include <numeric>

#include "limes_expectimax.hpp"
#include "limes_halving.hpp"

namespace limina::limes {

namespace {

// With so many turns to come, most points and most wins are the same.
constexpr int kFarFromTheEnd = 8;
// Where a deeper look follows, the first one only has to say at which turns: it gets this part of the rollouts, and the
// deeper look so many times as many as were asked for.
constexpr double kFirst = 0.5, kDeeper = 1.5;
// The part of the time that work is planned for; the rest is for surprises.
constexpr double kCaution = 0.9;

// More than anybody waits for; what they find is kept until all turns have met the same orders.
constexpr double kMostRollouts = 1e7;

// What a greedy turn takes, by the cards that lie before it (microseconds with AVX2; only their ratios count): a card
// has few places where little lies, and where little is left.
constexpr std::array<int, kRounds> kGreedyTurn = {1, 6, 12, 16, 20, 22, 26, 26, 26, 24, 21, 18, 15, 12, 9, 2};

// What a rollout takes that begins when so many cards lie.
double effort(int cards, int depth) {
    const int end = std::min(kRounds, cards + std::max(depth, 1));
    return std::accumulate(kGreedyTurn.begin() + std::min(cards, end), kGreedyTurn.begin() + end, 0.0);
}

// What the rollouts for a turn take on average, if so many cards lie before it: those of the deeper look begin later.
double effort(int cards, const SearchOptions& options) {
    const double first = effort(cards + 1, options.depth), deeper = effort(cards + 2, options.depth - 1);
    return options.replies > 0 ? (kFirst * first + kDeeper * deeper) / (kFirst + kDeeper) : first;
}

// So that every turn takes about the same time, there are more rollouts where they are short.
SearchOptions levelled(SearchOptions options, int cards) {
    options.depth = std::min(options.depth, kRounds);
    const double ratio = effort(kRounds / 2, options) / effort(cards, options);
    options.rollouts = static_cast<int>(std::min(ratio * options.rollouts, kMostRollouts));
    return options;
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

float rollout(const Values& values, Display d, std::span<const Card> deck, std::uint32_t unseen,
              std::span<const std::uint8_t> cards, int depth) {
    const std::size_t turns = std::min(cards.size(), static_cast<std::size_t>(std::max(depth, 0)));
    if (turns == 0) return d.cards > 0 ? value(values, d, outlook(deck, unseen)) : 0;
    for (std::size_t i = 0;; ++i) {
        const Card& card = deck[cards[i]];
        unseen &= ~(1U << cards[i]);
        const Choice choice = greedy(values, d, card, outlook(deck, unseen));
        if (i + 1 == turns) return choice.value;
        d = played(d, card, choice);
    }
}

Report search(const Values& values, const InformationSet& info, const SearchOptions& asked, Word seed,
              const Stop& stop) {
    const Timer timer;
    const Card& card = info.deck[static_cast<std::size_t>(info.card)];
    const int turns_left = kRounds - info.display.cards - 1;
    Report report;
    for (const Choice& choice : choices(values, info.display, card, outlook(info.deck, info.unseen))) {
        report.candidates.push_back({choice, choice.value, choice.value, 0});
    }
    if (turns_left == 0) {
        settle(info, card, report.candidates);
        return report;
    }
    const SearchOptions options = levelled(asked, info.display.cards);
    // Before the last card everything can be counted out, so that more turns can be looked at.
    const int most = std::max(1, turns_left == 1 ? 8 * options.candidates : options.candidates);
    bool deeper = options.replies > 0 && turns_left > 1 && (info.rivals.empty() || turns_left >= kFarFromTheEnd) &&
                  kDeeper * options.rollouts >= least_expectimax(info, options);
    SearchOptions first = options;
    if (deeper) first.rollouts = static_cast<int>(kFirst * options.rollouts);
    // Less still where the deeper look counts out all that can come.
    if (turns_left == 2 && deeper && kDeeper * options.rollouts >= counted_out(info, options)) first.rollouts /= 2;
    SequentialHalving halving(values, info, first, seed,
                              std::min(report.candidates.size(), static_cast<std::size_t>(most)), report);
    const auto affordable = [&](double seconds) {
        return static_cast<double>(report.rollouts) / timer.seconds() * seconds;
    };
    for (int stage = 0; stage < halving.stages() && !stop.is_set(); ++stage) {
        // When time runs short, each stage gets its part of it, so that the halving keeps its shape.
        const double seconds = deeper ? options.seconds * kFirst / (kFirst + kDeeper) : options.seconds;
        halving.stage(stage, {timer, seconds * (stage + 1) / halving.stages(), &stop});
        deeper = deeper && affordable(options.seconds - seconds) >= least_expectimax(info, options);
    }
    halving.finish();
    if (deeper && !stop.is_set()) {
        const double left = kCaution * affordable(options.seconds - timer.seconds());
        expectimax(values, info, options, std::min(kDeeper * options.rollouts, left), seed,
                   {timer, options.seconds, &stop}, report);
    }
    return report;
}

}  // namespace limina::limes

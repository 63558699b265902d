#include "limes/portable/search.hpp"

#include <algorithm>
#include <numeric>

#include "limes/portable/endgame.hpp"
#include "limes/portable/sequential_halving.hpp"

namespace limina::limes {

namespace {

// With two cards to come the rollouts only have to say which turns to count out, and get this part of the time and
// work.
constexpr double kBeforeEndgame = 0.25;

// More than anybody waits for; what they find is kept until all turns have met the same orders.
constexpr double kMostRollouts = 2e6, kMostSeconds = 1e6;

// What a greedy turn takes, by the cards that lie before it (microseconds with AVX2; only their ratios count): a card
// has few places where little lies, and where little is left.
constexpr std::array<int, kRounds> kGreedyTurn = {1, 6, 12, 16, 20, 22, 26, 26, 26, 24, 21, 18, 15, 12, 9, 2};

// What a rollout takes that begins when so many cards lie.
double effort(int cards, int depth) {
    const int end = std::min(kRounds, cards + std::max(depth, 1));
    return std::accumulate(kGreedyTurn.begin() + std::min(cards, end), kGreedyTurn.begin() + end, 0.0);
}

// So that every turn takes about the same time, there are more rollouts where they are short.
SearchOptions levelled(SearchOptions options, int cards) {
    options.depth = std::min(options.depth, kRounds);
    options.seconds = std::min(kMostSeconds, options.seconds);
    const double ratio = effort(kRounds / 2 + 1, options.depth) / effort(cards + 1, options.depth);
    options.rollouts = static_cast<int>(std::min(ratio * options.rollouts, kMostRollouts));
    return options;
}

// All turns, those first that are worth playing on: the best by the values, but of each way to lay the card only a few
// actions of the workers. Where the values are mistaken, they are so for many of them at once.
std::vector<Choice> promising_first(const Values& values, const InformationSet& info, const Card& card, int most) {
    const Outlook outlook = limes::outlook(info.deck, info.unseen);
    std::vector<Choice> list = best_choices(values, info.display, card, outlook, at(most));
    const std::size_t promising = list.size();
    for (const Choice& choice : choices(values, info.display, card, outlook)) {
        const auto end = list.begin() + static_cast<std::ptrdiff_t>(promising);
        if (std::find(list.begin(), end, choice) == end) list.push_back(choice);
    }
    return list;
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
    const bool sampling = turns_left > 1;
    Report report;
    // With one card to come nothing is sampled: every turn worth a look meets all that may come.
    for (const Choice& choice : sampling ? promising_first(values, info, card, asked.candidates)
                                         : choices(values, info.display, card, outlook(info.deck, info.unseen))) {
        report.candidates.push_back({choice, choice.value, choice.value, 0});
    }
    if (turns_left == 0) {
        settle(info, card, report.candidates);
        return report;
    }
    const SearchOptions options = levelled(asked, info.display.cards);
    const std::size_t most = at(options.candidates) * (sampling ? 1 : 8);
    const bool planned =
        turns_left == 2 && info.rivals.empty() && (1 - kBeforeEndgame) * options.rollouts >= endgame_rollouts(info);
    SearchOptions sampled = options;
    if (planned) sampled.rollouts = static_cast<int>(kBeforeEndgame * options.rollouts);
    SequentialHalving halving(values, info, sampled, seed, std::min(report.candidates.size(), most), report);
    bool endgame = planned;
    // Rollouts of the endgame are shorter: what the time was enough for before is enough for more of them.
    const double shorter = effort(info.display.cards + 1, options.depth) / effort(kRounds - 1, 1);
    for (int stage = 0; stage < halving.stages() && !stop.is_set(); ++stage) {
        // When time runs short, each stage gets its part of it, so that the halving keeps its shape.
        const double seconds = (endgame ? kBeforeEndgame : 1) * options.seconds;
        halving.stage(stage, {timer, seconds * (stage + 1) / halving.stages(), &stop});
        const double rate = shorter * static_cast<double>(report.rollouts) / timer.seconds();
        endgame = endgame && rate * (options.seconds - seconds) >= endgame_rollouts(info);
    }
    halving.finish();
    if (endgame && !stop.is_set()) {
        count_out(values, info, options.threads, {timer, options.seconds, &stop}, report);
    }
    report.finished = report.finished && endgame == planned && !stop.is_set();
    return report;
}

}  // namespace limina::limes

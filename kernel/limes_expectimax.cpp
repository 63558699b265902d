#include "limes_expectimax.hpp"

#include <algorithm>

#include "limes_orders.hpp"
#include "parallel.hpp"

namespace limina::limes {

namespace {

constexpr std::size_t kFinalists = 4;
// With two cards to come there are so few orders that all are met, and time for more turns and twice the replies.
constexpr std::size_t kLastFinalists = 12;

// How often each reply is played on at first, and how often more the better half of them.
struct Share {
    int first, more;
};

// The mean of the best reply to the card: `replies` of them are played on for `depth` turns. `unseen` are the cards
// that may follow. Adds its rollouts to `work`.
double reply_worth(const Values& values, const Display& d, std::span<const Card> deck, int card_number,
                   std::uint32_t unseen, int replies, Share share, int depth, Word seed, std::uint64_t& work) {
    const Card& card = deck[static_cast<std::size_t>(card_number)];
    const int turns_left = kRounds - d.cards - 1;
    if (turns_left == 0) {
        ++work;
        return greedy(values, d, card, outlook(deck, unseen)).value;
    }
    struct Reply {
        Display display;
        double sum = 0;
        int met = 0;
    };
    std::vector<Reply> list;
    for (const Choice& choice :
         best_choices(values, d, card, outlook(deck, unseen), static_cast<std::size_t>(replies))) {
        list.push_back({played(d, card, choice)});
    }
    const Orders orders(unseen, turns_left, seed);
    int done = 0;
    for (const int wanted : {share.first, share.more}) {
        const int until = std::min(done + wanted, orders.limit());
        for (; done < until; ++done) {
            const Order order = orders[done];
            for (Reply& reply : list) {
                reply.sum += rollout(values, reply.display, deck, unseen, order, depth);
                ++reply.met;
                ++work;
            }
        }
        std::stable_sort(list.begin(), list.end(), [](const Reply& a, const Reply& b) { return a.sum > b.sum; });
        if (done == share.first && until < orders.limit()) list.resize((list.size() + 1) / 2);
    }
    return list[0].sum / list[0].met;
}

}  // namespace

double least_expectimax(const InformationSet& info, const SearchOptions& options) {
    return static_cast<double>(std::popcount(info.unseen)) * kFinalists * options.replies * 2;
}

double counted_out(const InformationSet& info, const SearchOptions& options) {
    const double cards = std::popcount(info.unseen);
    return kLastFinalists * cards * 2 * options.replies * (cards - 1);
}

void expectimax(const Values& values, const InformationSet& info, const SearchOptions& options, double rollouts,
                Word seed, const Deadline& deadline, Report& report) {
    const bool all_orders = info.display.cards + 3 == kRounds && rollouts >= counted_out(info, options);
    const double trust = all_orders ? 1 : 0.7;  // in the deeper look; the rest in the first one
    const int replies = all_orders ? 2 * options.replies : options.replies;
    std::vector<Candidate>& list = report.candidates;
    const std::size_t finalists = std::min(all_orders ? kLastFinalists : kFinalists, list.size());
    if (finalists < 2) return;
    const Card& card = info.deck[static_cast<std::size_t>(info.card)];
    std::vector<Display> displays;
    for (std::size_t n = 0; n < finalists; ++n) displays.push_back(played(info.display, card, list[n].choice));
    std::vector<int> next;
    for (Word left = info.unseen; left != 0;) next.push_back(pop(left));
    Share share{static_cast<int>(next.size()), 0};
    if (!all_orders) {
        // Twice as often the better half, and what is left over goes to it as well.
        const double all = rollouts / static_cast<double>(next.size() * finalists);
        share.first = std::max(1, static_cast<int>(all / (2 * replies)));
        share.more = std::max(share.first, static_cast<int>((all - replies * share.first) / ((replies + 1) / 2)));
    }
    std::vector<double> worth(next.size() * finalists, -1);
    std::atomic<std::uint64_t> work{0};
    in_parallel(static_cast<int>(worth.size()), options.threads, [&](int i) {
        if (deadline.passed()) return false;
        const auto index = static_cast<std::size_t>(i);
        const int drawn = next[index / finalists];
        std::uint64_t rollouts = 0;
        // The same luck for all finalists.
        const Word luck = seed ^ (0xd1b54a32d192ed03ULL * static_cast<Word>(drawn + 1));
        worth[index] = reply_worth(values, displays[index % finalists], info.deck, drawn, info.unseen & ~(1U << drawn),
                                   replies, share, options.depth - 1, luck, rollouts);
        work += rollouts;
        return true;
    });
    report.rollouts += work;
    std::vector<double> sums(finalists, 0);
    int met = 0;
    for (std::size_t c = 0; c < next.size(); ++c) {
        const std::span row(worth.data() + c * finalists, finalists);
        if (std::ranges::find(row, -1.0) != row.end()) continue;
        for (std::size_t n = 0; n < finalists; ++n) sums[n] += row[n];
        ++met;
    }
    if (met < static_cast<int>(next.size())) {
        report.finished = false;
        if (2 * met < static_cast<int>(next.size())) return;
    }
    // A best of several is always a little too high; only the differences are used.
    double lift = 0;
    for (std::size_t n = 0; n < finalists; ++n) lift += sums[n] / met - list[n].points;
    lift /= static_cast<double>(finalists);
    for (std::size_t n = 0; n < finalists; ++n) {
        const double points = trust * (sums[n] / met - lift) + (1 - trust) * list[n].points;
        if (info.rivals.empty()) list[n].chance = points;
        list[n].points = points;
    }
    std::stable_sort(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(finalists),
                     [](const Candidate& a, const Candidate& b) { return a.points > b.points; });
}

}  // namespace limina::limes

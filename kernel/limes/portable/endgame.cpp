#include "limes/portable/endgame.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>

#include "common/parallel_for.hpp"

namespace limina::limes {

namespace {

constexpr std::size_t kFinalists = 12, kReplies = 12;

// The mean total, over all last cards, of the best reply to this one; its rollouts are added to `work`.
double best_reply(const Values& values, const Display& d, std::span<const Card> deck, int drawn, std::uint32_t unseen,
                  std::atomic<std::uint64_t>& work) {
    const Card& card = deck[at(drawn)];
    double best = 0;
    for (const Choice& reply : best_choices(values, d, card, outlook(deck, unseen), kReplies)) {
        const Display next = played(d, card, reply);
        double sum = 0;
        for (Word left = unseen; left != 0; ++work) sum += greedy(values, next, deck[at(pop(left))], {}).value;
        best = std::max(best, sum / count(unseen));
    }
    return best;
}

}  // namespace

double endgame_rollouts(const InformationSet& info) {
    const double cards = std::popcount(info.unseen);
    return kFinalists * cards * kReplies * (cards - 1);
}

void count_out(const Values& values, const InformationSet& info, int threads, const Deadline& deadline,
               Report& report) {
    const std::size_t finalists = std::min(kFinalists, report.candidates.size());
    const std::span list(report.candidates.data(), finalists);
    const Card& card = info.deck[at(info.card)];
    std::vector<Display> displays;
    for (const Candidate& candidate : list) displays.push_back(played(info.display, card, candidate.choice));
    std::vector<int> next;
    for (Word left = info.unseen; left != 0;) next.push_back(pop(left));
    std::vector<double> worth(finalists * next.size());
    std::atomic<std::uint64_t> work{0};
    std::atomic<bool> complete{true};
    in_parallel(static_cast<int>(worth.size()), threads, [&](int i) {
        if (deadline.passed()) return complete = false;
        const int drawn = next[at(i) % next.size()];
        worth[at(i)] =
            best_reply(values, displays[at(i) / next.size()], info.deck, drawn, info.unseen & ~(1U << drawn), work);
        return true;
    });
    report.rollouts += work;
    report.finished = report.finished && complete;
    if (!complete) return;  // what was found before is fairer than half of this
    for (std::size_t n = 0; n < finalists; ++n) {
        const std::span row(worth.data() + n * next.size(), next.size());
        list[n].points = list[n].chance =
            std::accumulate(row.begin(), row.end(), 0.0) / static_cast<double>(row.size());
    }
    std::ranges::stable_sort(list, [](const Candidate& a, const Candidate& b) { return a.points > b.points; });
}

}  // namespace limina::limes

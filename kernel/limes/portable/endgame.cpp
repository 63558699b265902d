#include "limes/portable/endgame.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>

#include "common/parallel_for.hpp"

namespace limina::limes {

namespace {

constexpr std::size_t kFinalists = 12, kReplies = 12;

// Returns the mean total over all last cards after the best reply to the drawn card. Adds its rollouts to `rollouts`.
double best_reply_value(const Weights& weights, const Display& d, std::span<const Card> deck, int drawn,
                        std::uint32_t unseen, std::atomic<std::uint64_t>& rollouts) {
    const Card& card = deck[drawn];
    double best = 0;
    for (const BoardTurn& reply : best_turns(weights, d, card, remaining_deck(deck, unseen), kReplies)) {
        const Display next = play_board_turn(d, card, reply);
        double sum = 0;
        for (Bitboard remaining = unseen; remaining != 0; ++rollouts)
            sum += greedy_turn(weights, next, deck[pop_lsb(remaining)], {}).value;
        best = std::max(best, sum / popcount(unseen));
    }
    return best;
}

}  // namespace

double last_cards_rollouts(const InformationSet& info) {
    const double cards = std::popcount(info.unseen);
    return kFinalists * cards * kReplies * (cards - 1);
}

void solve_last_cards(const Weights& weights, const InformationSet& info, int threads, const Deadline& deadline,
                      SearchResult& result) {
    const std::size_t finalist_count = std::min(kFinalists, result.candidates.size());
    const std::span finalists(result.candidates.data(), finalist_count);
    const Card& card = info.deck[info.card];
    std::vector<Display> displays;
    for (const Candidate& candidate : finalists)
        displays.push_back(play_board_turn(info.display, card, candidate.turn));
    std::vector<int> next;
    for (Bitboard remaining = info.unseen; remaining != 0;) next.push_back(pop_lsb(remaining));
    std::vector<double> mean_totals(finalist_count * next.size());
    std::atomic<std::uint64_t> rollouts{0};
    std::atomic<bool> complete{true};
    parallel_for(static_cast<int>(mean_totals.size()), threads, [&](int i) {
        if (deadline.has_passed()) return complete = false;
        const int drawn = next[i % next.size()];
        mean_totals[i] = best_reply_value(weights, displays[i / next.size()], info.deck, drawn,
                                          info.unseen & ~(1U << drawn), rollouts);
        return true;
    });
    result.rollouts += rollouts;
    result.finished = result.finished && complete;
    if (!complete) return;  // results for only some candidates cannot be compared
    for (std::size_t n = 0; n < finalist_count; ++n) {
        const std::span row(mean_totals.data() + n * next.size(), next.size());
        finalists[n].points = finalists[n].win_probability =
            std::accumulate(row.begin(), row.end(), 0.0) / static_cast<double>(row.size());
    }
    std::ranges::stable_sort(finalists, [](const Candidate& a, const Candidate& b) { return a.points > b.points; });
}

}  // namespace limina::limes

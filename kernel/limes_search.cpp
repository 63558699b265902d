#include "limes_search.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "limes_orders.hpp"
#include "limes_reply.hpp"

namespace limina::limes {

namespace {

using Clock = std::chrono::steady_clock;

// With so many turns to come, most points and most wins are the same.
constexpr int kFarFromTheEnd = 8;
// The part of the time that work is planned for; the rest is for surprises.
constexpr double kCaution = 0.9;
// Which players could still win, and so are worth playing on for: the few that look best.
std::vector<Display> strongest(const Values& values, std::vector<Display> rivals) {
    constexpr std::size_t kMost = 3;
    const auto worth = [&](const Display& d) { return d.cards > 0 ? value(values, d) : 0.0F; };
    std::stable_sort(rivals.begin(), rivals.end(),
                     [&](const Display& a, const Display& b) { return worth(a) > worth(b); });
    if (rivals.size() > kMost) rivals.resize(kMost);
    return rivals;
}

// How likely this many points win against the best rival's, both as rollouts found them.
double chance_to_win(double mine, double best, int turns_left) {
    const double spread = 1.0 + 0.25 * turns_left;
    return 1 / (1 + std::exp((best - mine) / spread));
}

constexpr std::size_t kFinalists = 4;

// The rollouts of a deeper look in which every reply to every card is played on but once at first.
double least_deeper(const Question& q, const Effort& effort) {
    return static_cast<double>(std::popcount(q.unseen)) * kFinalists * effort.replies * 2;
}

// The few best turns again, one turn deeper: for every card that may come next, the best of several replies.
template <class OutOfTime>
void look_deeper(const Values& values, const Question& q, const Effort& effort, double rollouts, Word seed,
                 const OutOfTime& out_of_time, Answer& answer) {
    constexpr double kTrust = 0.7;  // in the deeper look; the rest in the first one
    std::vector<Candidate>& list = answer.candidates;
    const std::size_t finalists = std::min(kFinalists, list.size());
    if (finalists < 2) return;
    const Card& card = q.deck[static_cast<std::size_t>(q.card)];
    std::vector<Display> displays;
    for (std::size_t n = 0; n < finalists; ++n) displays.push_back(played(q.display, card, list[n].choice));
    std::vector<int> next;
    for (Word left = q.unseen; left != 0;) next.push_back(pop(left));
    const int each = std::max(1, static_cast<int>(rollouts / least_deeper(q, effort)));
    std::vector<double> worth(next.size() * finalists, -1);
    std::atomic<std::uint64_t> work{0};
    in_parallel(static_cast<int>(worth.size()), effort.threads, [&](int i) {
        if (out_of_time()) return false;
        const auto index = static_cast<std::size_t>(i);
        const int drawn = next[index / finalists];
        std::uint64_t rollouts = 0;
        // The same luck for all finalists.
        const Word luck = seed ^ (0xd1b54a32d192ed03ULL * static_cast<Word>(drawn + 1));
        worth[index] = reply_worth(values, displays[index % finalists], q.deck, drawn, q.unseen & ~(1U << drawn),
                                   effort.replies, each, luck, rollouts);
        work += rollouts;
        return true;
    });
    answer.rollouts += work;
    std::vector<double> sums(finalists, 0);
    int met = 0;
    for (std::size_t c = 0; c < next.size(); ++c) {
        const std::span row(worth.data() + c * finalists, finalists);
        if (std::ranges::find(row, -1.0) != row.end()) continue;
        for (std::size_t n = 0; n < finalists; ++n) sums[n] += row[n];
        ++met;
    }
    if (met < static_cast<int>(next.size())) {
        answer.finished = false;
        if (2 * met < static_cast<int>(next.size())) return;
    }
    // A best of several is always a little too high; only the differences are used.
    double lift = 0;
    for (std::size_t n = 0; n < finalists; ++n) lift += sums[n] / met - list[n].points;
    lift /= static_cast<double>(finalists);
    for (std::size_t n = 0; n < finalists; ++n) {
        const double points = kTrust * (sums[n] / met - lift) + (1 - kTrust) * list[n].points;
        if (q.rivals.empty()) list[n].chance = points;
        list[n].points = points;
    }
    std::stable_sort(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(finalists),
                     [](const Candidate& a, const Candidate& b) { return a.points > b.points; });
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

Answer search(const Values& values, const Question& q, const Effort& effort, Word seed, const Stop& stop) {
    const auto begin = Clock::now();
    const Card& card = q.deck[static_cast<std::size_t>(q.card)];
    const int turns_left = kRounds - q.display.cards - 1;
    Answer answer;
    for (const Choice& choice : choices(values, q.display, card)) {
        answer.candidates.push_back({choice, choice.value, choice.value, 0});
    }
    std::vector<Candidate>& list = answer.candidates;
    if (turns_left == 0) {
        // The total is known; between equals the tie-break decides.
        const auto tied =
            std::find_if(list.begin(), list.end(), [&](const Candidate& c) { return c.points < list[0].points; });
        std::stable_sort(list.begin(), tied, [&](const Candidate& a, const Candidate& b) {
            return ranking(played(q.display, card, a.choice)) > ranking(played(q.display, card, b.choice));
        });
        return answer;
    }
    const Orders orders(q.unseen, turns_left, seed);
    const std::vector<Display> rivals = strongest(values, q.rivals);
    // What the best rival reaches with each order.
    std::vector<float> rival_points;

    // Before the last card everything can be counted out, so that more turns can be looked at.
    const int most = turns_left == 1 ? 8 * effort.candidates : effort.candidates;
    bool deeper = effort.replies > 0 && turns_left > 1 && (rivals.empty() || turns_left >= kFarFromTheEnd) &&
                  effort.rollouts >= least_deeper(q, effort);
    const auto spent = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
    const std::size_t alive = std::min(list.size(), static_cast<std::size_t>(std::max(most, 1)));
    std::vector<Display> displays;
    std::vector<double> points(alive, 0), chances(alive, 0);
    std::vector<std::size_t> who(alive);
    std::iota(who.begin(), who.end(), std::size_t{0});
    for (std::size_t i = 0; i < alive; ++i) displays.push_back(played(q.display, card, list[i].choice));

    int stages = 0;
    for (std::size_t n = alive; n > 1; n = (n + 1) / 2) ++stages;
    stages = std::max(stages, 1);
    int done = 0;  // orders that all turns still in the running have met
    for (int stage = 0; stage < stages && !stop.is_set(); ++stage) {
        // When time runs short, each stage gets its part of it, so that the halving keeps its shape.
        const double part = (deeper ? effort.seconds / 2 : effort.seconds) * (stage + 1) / stages;
        const auto end = begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(part));
        const auto out_of_time = [&] { return stop.is_set() || Clock::now() > end; };
        const int wanted = std::max(1, effort.rollouts / stages / static_cast<int>(who.size()));
        const int until = std::min(done + wanted, orders.limit());
        const int fresh = until - done;
        if (fresh > 0) {
            if (!rivals.empty() && static_cast<int>(rival_points.size()) < until) {
                const int known = static_cast<int>(rival_points.size());
                rival_points.resize(static_cast<std::size_t>(until), 0);
                in_parallel(until - known, effort.threads, [&](int i) {
                    if (out_of_time()) return false;
                    const Order order = orders[known + i];
                    float best = 0;
                    for (const Display& rival : rivals) {
                        Order cards = order;
                        if (rival.cards <= q.display.cards)
                            cards.insert(cards.begin(), static_cast<std::uint8_t>(q.card));
                        best = std::max(best, rollout(values, rival, q.deck, cards, effort.depth + 1));
                    }
                    rival_points[static_cast<std::size_t>(known + i)] = best;
                    return true;
                });
            }
            std::vector<float> results(who.size() * static_cast<std::size_t>(fresh), -1);
            in_parallel(fresh, effort.threads, [&](int i) {
                const Order order = orders[done + i];
                for (std::size_t n = 0; n < who.size(); ++n) {
                    if (out_of_time()) return false;
                    results[static_cast<std::size_t>(i) * who.size() + n] =
                        rollout(values, displays[who[n]], q.deck, order, effort.depth);
                }
                return true;
            });
            answer.finished &= std::ranges::find(results, -1.0F) == results.end();
            for (int i = 0; i < fresh; ++i) {
                const std::span row(results.data() + static_cast<std::size_t>(i) * who.size(), who.size());
                if (std::ranges::find(row, -1.0F) != row.end()) continue;  // an order that not all have met is unfair
                for (std::size_t n = 0; n < who.size(); ++n) {
                    Candidate& candidate = list[who[n]];
                    points[who[n]] += row[n];
                    if (!rivals.empty()) {
                        const float best = rival_points[static_cast<std::size_t>(done + i)];
                        chances[who[n]] += chance_to_win(row[n], best, turns_left);
                    }
                    ++candidate.rollouts;
                    ++answer.rollouts;
                }
            }
            done = until;
            // At this pace half of the time must be enough for a deeper look.
            deeper = deeper &&
                     static_cast<double>(answer.rollouts) / spent() * effort.seconds / 2 >= least_deeper(q, effort);
        }
        const auto mean = [&](const std::vector<double>& sums, std::size_t n) {
            return list[n].rollouts > 0 ? sums[n] / list[n].rollouts : list[n].choice.value - 1e6;
        };
        std::stable_sort(who.begin(), who.end(), [&](std::size_t a, std::size_t b) {
            return rivals.empty() ? mean(points, a) > mean(points, b) : mean(chances, a) > mean(chances, b);
        });
        if (stage + 1 < stages) who.resize((who.size() + 1) / 2);
    }
    for (std::size_t i = 0; i < alive; ++i) {
        Candidate& candidate = list[i];
        if (candidate.rollouts == 0) continue;
        candidate.points = points[i] / candidate.rollouts;
        candidate.chance = rivals.empty() ? candidate.points : chances[i] / candidate.rollouts;
    }
    // Those that stayed longest come first, then the others by what is known of them.
    std::stable_sort(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(alive),
                     [](const Candidate& a, const Candidate& b) {
                         return a.rollouts != b.rollouts ? a.rollouts > b.rollouts : a.chance > b.chance;
                     });
    if (deeper && !stop.is_set()) {
        const auto end =
            begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(effort.seconds));
        // No more than what time is left for, at the pace so far.
        const double affordable = static_cast<double>(answer.rollouts) / spent() * (effort.seconds - spent());
        const double rollouts = std::min<double>(effort.rollouts, kCaution * affordable);
        look_deeper(values, q, effort, rollouts, seed, [&] { return stop.is_set() || Clock::now() > end; }, answer);
    }
    return answer;
}

}  // namespace limina::limes

#include "limes/portable/sequential_halving.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "common/parallel_for.hpp"

namespace limina::limes {

namespace {

// Which players could still win, and so are worth playing on for: the few that look best.
std::vector<Display> strongest(const Values& values, std::vector<Display> rivals, const Outlook& outlook) {
    constexpr std::size_t kMost = 3;
    const auto worth = [&](const Display& d) { return d.cards > 0 ? value(values, d, outlook) : 0.0F; };
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

}  // namespace

SequentialHalving::SequentialHalving(const Values& values, const InformationSet& info, const SearchOptions& options,
                                     Word seed, std::size_t alive, Report& report)
    : values_(values),
      info_(info),
      options_(options),
      report_(report),
      turns_left_(kRounds - info.display.cards - 1),
      orders_(info.unseen, turns_left_, seed),
      rivals_(strongest(values, info.rivals, outlook(info.deck, info.unseen))),
      running_(alive) {
    std::iota(running_.begin(), running_.end(), std::size_t{0});
    const Card& card = info.deck[at(info.card)];
    for (std::size_t i = 0; i < alive; ++i)
        tallies_.push_back({played(info.display, card, report.candidates[i].choice)});
    for (std::size_t n = (alive + 1) / 2; n > 1; n = (n + 1) / 2) ++stages_;
}

void SequentialHalving::roll_out_rivals(int until, const Deadline& deadline) {
    const int known = static_cast<int>(rival_points_.size());
    if (rivals_.empty() || known >= until) return;
    rival_points_.resize(at(until), 0);
    in_parallel(until - known, options_.threads, [&](int i) {
        if (deadline.passed()) return false;
        const Order order = orders_[known + i];
        for (const Display& rival : rivals_) {
            Order cards = order;
            if (rival.cards <= info_.display.cards) {
                cards.insert(cards.begin(), static_cast<std::uint8_t>(info_.card));
            }
            float& best = rival_points_[at(known + i)];
            best = std::max(best, rollout(values_, rival, info_.deck, info_.unseen, cards, options_.depth + 1));
        }
        return true;
    });
}

void SequentialHalving::roll_out(int until, const Deadline& deadline) {
    constexpr float kUnknown = -1;
    const int fresh = until - orders_done_;
    const std::size_t width = running_.size();
    std::vector<float> results(width * at(fresh), kUnknown);
    in_parallel(fresh, options_.threads, [&](int i) {
        const Order order = orders_[orders_done_ + i];
        for (std::size_t n = 0; n < width; ++n) {
            if (deadline.passed()) return false;
            results[at(i) * width + n] =
                rollout(values_, tallies_[running_[n]].display, info_.deck, info_.unseen, order, options_.depth);
        }
        return true;
    });
    for (int i = 0; i < fresh; ++i) {
        const std::span row(results.data() + at(i) * width, width);
        if (std::ranges::find(row, kUnknown) != row.end()) {
            report_.finished = false;
            continue;  // an order that not all have met is unfair
        }
        for (std::size_t n = 0; n < width; ++n) {
            Tally& tally = tallies_[running_[n]];
            tally.points += row[n];
            if (!rivals_.empty()) {
                tally.chances += chance_to_win(row[n], rival_points_[at(orders_done_ + i)], turns_left_);
            }
            ++report_.candidates[running_[n]].rollouts;
            ++report_.rollouts;
        }
    }
    orders_done_ = until;
}

// By points alone, by the chance to win with others; a turn that was never played on comes after all that were.
double SequentialHalving::mean(std::size_t candidate) const {
    const Candidate& own = report_.candidates[candidate];
    const Tally& tally = tallies_[candidate];
    if (own.rollouts == 0) return own.choice.value - 1e6;
    return (rivals_.empty() ? tally.points : tally.chances) / own.rollouts;
}

void SequentialHalving::stage(int number, const Deadline& deadline) {
    // Rivals are played on over the same orders, and their rollouts cost as much.
    const int width = static_cast<int>(running_.size() + rivals_.size());
    const int wanted = std::max(1, options_.rollouts / stages_ / width);
    const int until = std::min(orders_done_ + wanted, orders_.limit());
    if (until > orders_done_) {
        roll_out_rivals(until, deadline);
        roll_out(until, deadline);
    }
    std::stable_sort(running_.begin(), running_.end(), [&](std::size_t a, std::size_t b) { return mean(a) > mean(b); });
    for (const std::size_t n : running_) {
        if (const int rollouts = report_.candidates[n].rollouts; rollouts > 0) {
            tallies_[n].after.push_back({tallies_[n].points / rollouts, mean(n)});
        }
    }
    if (number + 1 < stages_) running_.resize((running_.size() + 1) / 2);
}

void SequentialHalving::finish() {
    std::vector<Candidate>& list = report_.candidates;
    // Who was dropped early has met few orders, which may have been poor ones: he is as far behind the best as both
    // were on the orders that both have met.
    const std::vector<Means>& best = tallies_[running_[0]].after;
    for (std::size_t i = 0; i < tallies_.size(); ++i) {
        if (tallies_[i].after.empty()) continue;
        const Means &own = tallies_[i].after.back(), &then = best[tallies_[i].after.size() - 1];
        const double chance = best.back().chance + own.chance - then.chance;
        list[i].points = best.back().points + own.points - then.points;
        list[i].chance = rivals_.empty() ? list[i].points : std::clamp(chance, 0.0, 1.0);
    }
    // Those that stayed longest come first, then the others by what is known of them.
    std::stable_sort(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(tallies_.size()),
                     [](const Candidate& a, const Candidate& b) {
                         return a.rollouts != b.rollouts ? a.rollouts > b.rollouts : a.chance > b.chance;
                     });
}

}  // namespace limina::limes

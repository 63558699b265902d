#include "limes_halving.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace limina::limes {

namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

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

}  // namespace

Halving::Halving(const Values& values, const Question& q, const Effort& effort, Word seed, std::size_t alive,
                 Answer& answer)
    : values_(values),
      question_(q),
      effort_(effort),
      answer_(answer),
      turns_left_(kRounds - q.display.cards - 1),
      orders_(q.unseen, turns_left_, seed),
      rivals_(strongest(values, q.rivals)),
      running_(alive) {
    std::iota(running_.begin(), running_.end(), std::size_t{0});
    const Card& card = q.deck[at(q.card)];
    for (std::size_t i = 0; i < alive; ++i) tallies_.push_back({played(q.display, card, answer.candidates[i].choice)});
    for (std::size_t n = (alive + 1) / 2; n > 1; n = (n + 1) / 2) ++stages_;
}

void Halving::meet_rivals(int until, const Deadline& deadline) {
    const int known = static_cast<int>(rival_points_.size());
    if (rivals_.empty() || known >= until) return;
    rival_points_.resize(at(until), 0);
    in_parallel(until - known, effort_.threads, [&](int i) {
        if (deadline.passed()) return false;
        const Order order = orders_[known + i];
        for (const Display& rival : rivals_) {
            Order cards = order;
            if (rival.cards <= question_.display.cards) {
                cards.insert(cards.begin(), static_cast<std::uint8_t>(question_.card));
            }
            float& best = rival_points_[at(known + i)];
            best = std::max(best, rollout(values_, rival, question_.deck, cards, effort_.depth + 1));
        }
        return true;
    });
}

void Halving::meet(int until, const Deadline& deadline) {
    constexpr float kUnknown = -1;
    const int fresh = until - met_;
    const std::size_t width = running_.size();
    std::vector<float> results(width * at(fresh), kUnknown);
    in_parallel(fresh, effort_.threads, [&](int i) {
        const Order order = orders_[met_ + i];
        for (std::size_t n = 0; n < width; ++n) {
            if (deadline.passed()) return false;
            results[at(i) * width + n] =
                rollout(values_, tallies_[running_[n]].display, question_.deck, order, effort_.depth);
        }
        return true;
    });
    for (int i = 0; i < fresh; ++i) {
        const std::span row(results.data() + at(i) * width, width);
        if (std::ranges::find(row, kUnknown) != row.end()) {
            answer_.finished = false;
            continue;  // an order that not all have met is unfair
        }
        for (std::size_t n = 0; n < width; ++n) {
            Tally& tally = tallies_[running_[n]];
            tally.points += row[n];
            if (!rivals_.empty()) tally.chances += chance_to_win(row[n], rival_points_[at(met_ + i)], turns_left_);
            ++answer_.candidates[running_[n]].rollouts;
            ++answer_.rollouts;
        }
    }
    met_ = until;
}

// By points alone, by the chance to win with others; a turn that was never played on comes after all that were.
double Halving::mean(std::size_t candidate) const {
    const Candidate& own = answer_.candidates[candidate];
    const Tally& tally = tallies_[candidate];
    if (own.rollouts == 0) return own.choice.value - 1e6;
    return (rivals_.empty() ? tally.points : tally.chances) / own.rollouts;
}

void Halving::stage(int number, const Deadline& deadline) {
    const int wanted = std::max(1, effort_.rollouts / stages_ / static_cast<int>(running_.size()));
    const int until = std::min(met_ + wanted, orders_.limit());
    if (until > met_) {
        meet_rivals(until, deadline);
        meet(until, deadline);
    }
    std::stable_sort(running_.begin(), running_.end(), [&](std::size_t a, std::size_t b) { return mean(a) > mean(b); });
    if (number + 1 < stages_) running_.resize((running_.size() + 1) / 2);
}

void Halving::finish() {
    std::vector<Candidate>& list = answer_.candidates;
    for (std::size_t i = 0; i < tallies_.size(); ++i) {
        Candidate& candidate = list[i];
        if (candidate.rollouts == 0) continue;
        candidate.points = tallies_[i].points / candidate.rollouts;
        candidate.chance = mean(i);
    }
    // Those that stayed longest come first, then the others by what is known of them.
    std::stable_sort(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(tallies_.size()),
                     [](const Candidate& a, const Candidate& b) {
                         return a.rollouts != b.rollouts ? a.rollouts > b.rollouts : a.chance > b.chance;
                     });
}

}  // namespace limina::limes

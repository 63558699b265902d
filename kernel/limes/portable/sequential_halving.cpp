#include "limes/portable/sequential_halving.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "common/parallel_for.hpp"

namespace limina::limes {

namespace {

// Returns the opponents with the highest values: the others hardly matter for the win probability.
std::vector<Display> strongest_opponents(const Weights& weights, std::vector<Display> opponents,
                                         const RemainingDeck& remaining) {
    constexpr std::size_t kMaxOpponents = 3;
    const auto evaluate_display = [&](const Display& d) {
        return d.card_count > 0 ? evaluate(weights, d, remaining) : 0.0F;
    };
    std::stable_sort(opponents.begin(), opponents.end(),
                     [&](const Display& a, const Display& b) { return evaluate_display(a) > evaluate_display(b); });
    if (opponents.size() > kMaxOpponents) opponents.resize(kMaxOpponents);
    return opponents;
}

// Estimates the probability that `own_points` win against `best`, the points of the best opponent, both from rollouts.
double estimate_win_probability(double own_points, double best, int turns_left) {
    const double spread = 1.0 + 0.25 * turns_left;
    return 1 / (1 + std::exp((best - own_points) / spread));
}

}  // namespace

SequentialHalving::SequentialHalving(const Weights& weights, const InformationSet& info, const SearchOptions& options,
                                     std::uint64_t seed, std::size_t contenders, SearchResult& result)
    : weights_(weights),
      info_(info),
      options_(options),
      result_(result),
      turns_left_(kRounds - info.display.card_count - 1),
      samples_(info.unseen, turns_left_, seed),
      opponents_(strongest_opponents(weights, info.opponents, remaining_deck(info.deck, info.unseen))),
      remaining_(contenders) {
    std::iota(remaining_.begin(), remaining_.end(), std::size_t{0});
    const Card& card = info.deck[info.card];
    for (std::size_t i = 0; i < contenders; ++i)
        tallies_.push_back({play_board_turn(info.display, card, result.candidates[i].turn)});
    for (std::size_t n = (contenders + 1) / 2; n > 1; n = (n + 1) / 2) ++stages_;
}

void SequentialHalving::roll_out_opponents(int end_sample, const Deadline& deadline) {
    const int samples_known = static_cast<int>(best_opponent_points_.size());
    if (opponents_.empty() || samples_known >= end_sample) return;
    best_opponent_points_.resize(end_sample, 0);
    parallel_for(end_sample - samples_known, options_.threads, [&](int i) {
        if (deadline.has_passed()) return false;
        const CardOrder sample = samples_[samples_known + i];
        for (const Display& opponent : opponents_) {
            CardOrder cards = sample;
            if (opponent.card_count <= info_.display.card_count) {
                cards.insert(cards.begin(), static_cast<std::uint8_t>(info_.card));
            }
            float& best = best_opponent_points_[samples_known + i];
            best = std::max(best, rollout(weights_, opponent, info_.deck, info_.unseen, cards, options_.depth + 1));
        }
        return true;
    });
}

void SequentialHalving::roll_out(int end_sample, const Deadline& deadline) {
    constexpr float kUnknown = -1;
    const int new_samples = end_sample - samples_done_;
    const std::size_t width = remaining_.size();
    std::vector<float> results(width * new_samples, kUnknown);
    parallel_for(new_samples, options_.threads, [&](int i) {
        const CardOrder sample = samples_[samples_done_ + i];
        for (std::size_t n = 0; n < width; ++n) {
            if (deadline.has_passed()) return false;
            results[i * width + n] =
                rollout(weights_, tallies_[remaining_[n]].display, info_.deck, info_.unseen, sample, options_.depth);
        }
        return true;
    });
    for (int i = 0; i < new_samples; ++i) {
        const std::span row(results.data() + i * width, width);
        if (std::ranges::find(row, kUnknown) != row.end()) {
            result_.finished = false;
            continue;  // all candidates must be compared on the same samples
        }
        for (std::size_t n = 0; n < width; ++n) {
            Tally& tally = tallies_[remaining_[n]];
            tally.points += row[n];
            if (!opponents_.empty()) {
                tally.win_probability_sum +=
                    estimate_win_probability(row[n], best_opponent_points_[samples_done_ + i], turns_left_);
            }
            ++result_.candidates[remaining_[n]].rollouts;
            ++result_.rollouts;
        }
    }
    samples_done_ = end_sample;
}

// Returns the mean win probability, or the mean points without opponents. Candidates without rollouts come last.
double SequentialHalving::mean(std::size_t candidate) const {
    const Candidate& own = result_.candidates[candidate];
    const Tally& tally = tallies_[candidate];
    if (own.rollouts == 0) return own.turn.value - 1e6;
    return (opponents_.empty() ? tally.points : tally.win_probability_sum) / own.rollouts;
}

void SequentialHalving::run_stage(int stage, const Deadline& deadline) {
    // Opponents get a rollout for each sample as well, which costs as much.
    const int width = static_cast<int>(remaining_.size() + opponents_.size());
    const int sample_count = std::max(1, options_.rollouts / stages_ / width);
    const int end_sample = std::min(samples_done_ + sample_count, samples_.max_samples());
    if (end_sample > samples_done_) {
        roll_out_opponents(end_sample, deadline);
        roll_out(end_sample, deadline);
    }
    std::stable_sort(remaining_.begin(), remaining_.end(),
                     [&](std::size_t a, std::size_t b) { return mean(a) > mean(b); });
    for (const std::size_t n : remaining_) {
        if (const int rollouts = result_.candidates[n].rollouts; rollouts > 0) {
            tallies_[n].means_by_stage.push_back({tallies_[n].points / rollouts, mean(n)});
        }
    }
    if (stage + 1 < stages_) remaining_.resize((remaining_.size() + 1) / 2);
}

void SequentialHalving::finish() {
    std::vector<Candidate>& candidates = result_.candidates;
    // A candidate that was dropped early has seen few samples, which may have been unlucky. Its estimate is that of the
    // best candidate minus the difference of both after the last stage that they share.
    const std::vector<Means>& best = tallies_[remaining_[0]].means_by_stage;
    for (std::size_t i = 0; i < tallies_.size(); ++i) {
        if (tallies_[i].means_by_stage.empty()) continue;
        const Means &own = tallies_[i].means_by_stage.back(), &then = best[tallies_[i].means_by_stage.size() - 1];
        const double win_probability = best.back().win_probability + own.win_probability - then.win_probability;
        candidates[i].points = best.back().points + own.points - then.points;
        candidates[i].win_probability =
            opponents_.empty() ? candidates[i].points : std::clamp(win_probability, 0.0, 1.0);
    }
    // Candidates with more rollouts come first, equal ones by win probability.
    std::stable_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(tallies_.size()),
                     [](const Candidate& a, const Candidate& b) {
                         return a.rollouts != b.rollouts ? a.rollouts > b.rollouts
                                                         : a.win_probability > b.win_probability;
                     });
}

}  // namespace limina::limes

#include "limes/par.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "common/parallel_for.hpp"
#include "limes/arrangement.hpp"

namespace limina::limes {

namespace {

// Annealing uses scores in parts of a point. The best territories beyond the number of workers add a part for each
// point, because a later step may make one of them score.
constexpr int kPartsPerPoint = 20, kRunnersUp = 3;

struct Score {
    int points;       // upper bound: not every territory can get a worker in time
    int fine_points;  // in parts of a point
};

Score score_arrangement(const TerritoryMap& map) {
    std::array<std::uint8_t, 64> count_by_points{};  // number of territories
    for (Bitboard remaining = map.territories; remaining != 0;) ++count_by_points[map.points[pop_lsb(remaining)]];
    int workers = kWorkersPerPlayer, runners_up = kRunnersUp, points = 0, runner_up_points = 0;
    for (int n = 63; n > 0 && workers + runners_up > 0; --n) {
        const int scoring = std::min<int>(workers, count_by_points[n]);
        const int remaining = std::min(runners_up, count_by_points[n] - scoring);
        points += n * scoring;
        runner_up_points += n * remaining;
        workers -= scoring;
        runners_up -= remaining;
    }
    return {points, kPartsPerPoint * points + runner_up_points};
}

// The Metropolis criterion at one temperature: the probability to accept a step to a lower score.
class Metropolis {
  public:
    explicit Metropolis(double temperature) {
        for (int loss = 0; loss < kMaxLoss; ++loss)
            probability_[loss] = std::exp(-loss / (kPartsPerPoint * temperature));
    }
    bool accepts(int loss, Rng& rng) const {
        return loss <= 0 || (loss < kMaxLoss && rng.uniform() < probability_[loss]);
    }

  private:
    static constexpr int kMaxLoss = 8 * kPartsPerPoint;
    std::array<double, kMaxLoss> probability_;
};

// Returns an arrangement in which each card touches an earlier one.
Arrangement random_arrangement(const CellNeighbors& neighbors, Rng& rng) {
    Arrangement arrangement;
    unsigned free_cells = (1U << kRounds) - 1, open = free_cells;
    for (std::size_t card = 0; card < kRounds; ++card) {
        const int cell = lsb(random_bit(open & free_cells, rng));
        arrangement.cell[card] = static_cast<std::uint8_t>(cell);
        arrangement.turning[card] = static_cast<std::uint8_t>(rng.below(kTurnings));
        free_cells &= ~(1U << cell);
        open = (card == 0 ? 0 : open) | neighbors[cell];
    }
    return arrangement;
}

// Turns a card, or swaps two cards and turns none, one or both of them.
Arrangement random_neighbor(Arrangement arrangement, Rng& rng) {
    const auto turn_card = [&](std::size_t card) {
        arrangement.turning[card] = static_cast<std::uint8_t>(rng.below(kTurnings));
    };
    const unsigned kind = rng.below(4);
    const std::size_t first_card = rng.below(kRounds), second_card = rng.below(kRounds);
    if (kind == 0) {
        turn_card(first_card);
    } else {
        std::swap(arrangement.cell[first_card], arrangement.cell[second_card]);
        if (kind >= 2) turn_card(first_card);
        if (kind == 3) turn_card(second_card);
    }
    return arrangement;
}

// Runs one simulated annealing from a random arrangement.
ParResult anneal(std::span<const Card> cards, const CellNeighbors& neighbors, std::uint64_t steps,
                 const Deadline& deadline, Rng rng) {
    constexpr double kStartTemperature = 0.6, kEndTemperature = 0.3;  // in points
    constexpr std::uint64_t kStepsPerTemperature = 1000;              // steps at one temperature
    ParResult best;
    TerritoryMap map;
    const auto evaluate = [&](const Arrangement& arrangement) {
        const Display full = to_display(arrangement, cards);
        find_territories(full, map);
        score_territories(full, map);
        ++best.arrangements_tried;
        return score_arrangement(map);
    };
    const auto keep_best = [&](const Arrangement& arrangement, const Score& new_score) {
        if (new_score.points <= best.total && !best.turns.empty()) return;
        WorkerPlan plan = plan_workers(arrangement, cards, map);
        if (plan.total <= best.total && !best.turns.empty()) return;
        best.total = plan.total;
        best.turns = std::move(plan.turns);
    };
    Arrangement current = random_arrangement(neighbors, rng);
    Score current_score = evaluate(current);
    keep_best(current, current_score);
    const double start_seconds = deadline.timer.seconds();
    double progress = 0;
    for (std::uint64_t step = 0; step < steps && progress < 1 && !deadline.is_canceled();) {
        const Metropolis metropolis(kStartTemperature * std::pow(kEndTemperature / kStartTemperature, progress));
        for (const std::uint64_t end = std::min(steps, step + kStepsPerTemperature); step < end; ++step) {
            const Arrangement candidate = random_neighbor(current, rng);
            if (!is_playable(candidate, neighbors)) continue;
            const Score candidate_score = evaluate(candidate);
            if (!metropolis.accepts(current_score.fine_points - candidate_score.fine_points, rng)) continue;
            current = candidate;
            current_score = candidate_score;
            keep_best(current, current_score);
        }
        // If time is short, the temperature follows the time instead of the steps.
        const double time_share =
            (deadline.timer.seconds() - start_seconds) / std::max(1e-9, deadline.seconds - start_seconds);
        progress = std::max(static_cast<double>(step) / static_cast<double>(steps), time_share);
    }
    return best;
}

}  // namespace

ParResult find_par(std::span<const Card> cards, Variants variants, std::uint64_t max_arrangements, int threads,
                   double seconds, const CancelToken& cancel_token) {
    // Many short runs find as good totals as one long run, and can run in parallel.
    constexpr std::uint64_t kStepsPerRun = 100'000;
    const Timer timer;
    const Deadline deadline{timer, seconds, &cancel_token};
    const CellNeighbors neighbors = cell_neighbors(variants);
    const std::uint64_t runs = std::clamp<std::uint64_t>(max_arrangements / kStepsPerRun, 1, 1U << 30);
    const std::uint64_t steps = std::min(kStepsPerRun, max_arrangements);
    ParResult best;
    int best_run = 0;
    std::mutex mutex;
    parallel_for(static_cast<int>(runs), threads, [&](int run) {
        // The first run is never skipped because of the time, so there is a result.
        if (cancel_token.is_canceled() || (run > 0 && deadline.has_passed())) return false;
        ParResult result = anneal(cards, neighbors, steps, deadline, Rng(static_cast<std::uint64_t>(run)));
        const std::lock_guard guard(mutex);
        const std::uint64_t arrangements_tried = best.arrangements_tried + result.arrangements_tried;
        // Of equal totals the first run wins, so the result does not depend on the order in which runs finish.
        if (best.turns.empty() || result.total > best.total || (result.total == best.total && run < best_run)) {
            best = std::move(result);
            best_run = run;
        }
        best.arrangements_tried = arrangements_tried;
        return true;
    });
    return best;
}

}  // namespace limina::limes

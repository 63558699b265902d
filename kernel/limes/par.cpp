#include "limes/par.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "common/parallel_for.hpp"
#include "limes/arrangement.hpp"

namespace limina::limes {

namespace {

// Scores are counted in parts of a point: what the best territories that no worker is left for would score counts a
// little too, because the next step may bring one of them in.
constexpr int kPoint = 20, kNextBest = 3;

struct Score {
    int points;  // if every worker comes where he is wanted
    int parts;
};

Score score(const Land& land) {
    std::array<std::uint8_t, 64> with{};  // how many territories have so many points
    for (Word left = land.alive; left != 0;) ++with[land.points[at(pop(left))]];
    int workers = kWorkers, next = kNextBest, points = 0, more = 0;
    for (int n = 63; n > 0 && workers + next > 0; --n) {
        const int taken = std::min<int>(workers, with[at(n)]);
        const int left = std::min(next, with[at(n)] - taken);
        points += n * taken;
        more += n * left;
        workers -= taken;
        next -= left;
    }
    return {points, kPoint * points + more};
}

// How readily a step for the worse is taken, at one temperature.
class Metropolis {
  public:
    explicit Metropolis(double temperature) {
        for (int loss = 0; loss < kMost; ++loss) probability_[at(loss)] = std::exp(-loss / (kPoint * temperature));
    }
    bool accepts(int loss, Rng& rng) const {
        return loss <= 0 || (loss < kMost && rng.fraction() < probability_[at(loss)]);
    }

  private:
    static constexpr int kMost = 8 * kPoint;
    std::array<double, kMost> probability_;
};

Arrangement random_arrangement(const Beside& beside, Rng& rng) {
    Arrangement arrangement;
    unsigned free = (1U << kRounds) - 1, open = free;
    for (std::size_t card = 0; card < kRounds; ++card) {
        const int cell = first(pick(open & free, rng));
        arrangement.cell[card] = static_cast<std::uint8_t>(cell);
        arrangement.turning[card] = static_cast<std::uint8_t>(rng.below(kTurnings));
        free &= ~(1U << cell);
        open = (card == 0 ? 0 : open) | beside[at(cell)];
    }
    return arrangement;
}

// Turns a card, or lets two cards change places and turns none, one or both of them.
Arrangement neighbour(Arrangement arrangement, Rng& rng) {
    const auto turn = [&](std::size_t card) {
        arrangement.turning[card] = static_cast<std::uint8_t>(rng.below(kTurnings));
    };
    const unsigned kind = rng.below(4);
    const std::size_t one = rng.below(kRounds), other = rng.below(kRounds);
    if (kind == 0) {
        turn(one);
    } else {
        std::swap(arrangement.cell[one], arrangement.cell[other]);
        if (kind >= 2) turn(one);
        if (kind == 3) turn(other);
    }
    return arrangement;
}

// One annealing, from any arrangement to a very good one.
Par annealed(std::span<const Card> cards, const Beside& beside, std::uint64_t steps, const Deadline& deadline,
             Rng rng) {
    constexpr double kHot = 0.6, kCold = 0.3;  // in points
    constexpr std::uint64_t kRound = 1000;     // steps at one temperature
    Par best;
    Land land;
    const auto judged = [&](const Arrangement& arrangement) {
        const Display full = laid(arrangement, cards);
        outline(full, land);
        measure(full, land);
        ++best.tried;
        return score(land);
    };
    const auto keep = [&](const Arrangement& arrangement, const Score& found) {
        if (found.points <= best.total && !best.turns.empty()) return;
        Plan plan = planned(arrangement, cards, land);
        if (plan.total <= best.total && !best.turns.empty()) return;
        best.total = plan.total;
        best.turns = std::move(plan.turns);
    };
    Arrangement now = random_arrangement(beside, rng);
    Score here = judged(now);
    keep(now, here);
    const double begun = deadline.timer.seconds();
    double done = 0;
    for (std::uint64_t step = 0; step < steps && done < 1 && !deadline.stopped();) {
        const Metropolis metropolis(kHot * std::pow(kCold / kHot, done));
        for (const std::uint64_t end = std::min(steps, step + kRound); step < end; ++step) {
            const Arrangement next = neighbour(now, rng);
            if (!can_be_laid(next, beside)) continue;
            const Score there = judged(next);
            if (!metropolis.accepts(here.parts - there.parts, rng)) continue;
            now = next;
            here = there;
            keep(now, here);
        }
        // Where time is short it cools in time.
        const double spent = (deadline.timer.seconds() - begun) / std::max(1e-9, deadline.seconds - begun);
        done = std::max(static_cast<double>(step) / static_cast<double>(steps), spent);
    }
    return best;
}

}  // namespace

Par par(std::span<const Card> cards, Variants variants, std::uint64_t most, int threads, double seconds,
        const Stop& stop) {
    // Many short annealings find as much as one long one, and can be shared out.
    constexpr std::uint64_t kSteps = 100'000;
    const Timer timer;
    const Deadline deadline{timer, seconds, &stop};
    const Beside touching = beside(variants);
    const std::uint64_t runs = std::clamp<std::uint64_t>(most / kSteps, 1, 1U << 30);
    const std::uint64_t steps = std::min(kSteps, most);
    Par best;
    int best_run = 0;
    std::mutex door;
    in_parallel(static_cast<int>(runs), threads, [&](int run) {
        // The first one always has an report.
        if (stop.is_set() || (run > 0 && deadline.passed())) return false;
        Par found = annealed(cards, touching, steps, deadline, Rng(static_cast<Word>(run)));
        const std::lock_guard guard(door);
        const std::uint64_t tried = best.tried + found.tried;
        // The first of equals, whoever is done first.
        if (best.turns.empty() || found.total > best.total || (found.total == best.total && run < best_run)) {
            best = std::move(found);
            best_run = run;
        }
        best.tried = tried;
        return true;
    });
    return best;
}

}  // namespace limina::limes

#include "limit/opponent_model.hpp"

#include <cmath>

namespace limina::limit {

namespace {

struct Player {
    SearchOptions options;
    std::uint64_t work;
};

constexpr Player kShallow{{.noise = 0.5F, .max_depth = 1, .miss_rate = kOverlooks}, 500};
constexpr Player kDeep{{.exploration = 0.4F, .noise = 0.5F, .solve_root_tiles = 14}, 1500};

// How often such a player plays this turn, of so many times.
int times(const PastTurn& past, const Player& player, const Values& values, int tries, const Deadline& deadline,
          Rng& rng) {
    int same = 0;
    for (int i = 0; i < tries; ++i) {
        const double left = 1000 * (deadline.seconds - deadline.timer.seconds());
        const Report report = search(*past.layout, values, past.before, player.options,
                                     {player.work, left, deadline.stop}, 1, rng.next());
        same += report.candidates.front().turn == past.turn;
    }
    return same;
}

}  // namespace

std::vector<double> shallow_evidence(std::span<const PastTurn> turns, const Values& values, double milliseconds,
                                     const Stop* stop, Word seed) {
    constexpr int kTries = 8;
    constexpr double kNever = 0.3;  // what was never played in these tries may still be
    static_assert(kTries * (kShallow.work + kDeep.work) == kLookBack);
    const Timer timer;
    const Deadline deadline{timer, milliseconds / 1000, stop};
    std::vector<double> evidence;
    for (const PastTurn& turn : turns) {
        if (deadline.passed()) break;
        Rng rng(seed + hash(turn.before.position));
        const int glances = times(turn, kShallow, values, kTries, deadline, rng);
        const int looks = times(turn, kDeep, values, kTries, deadline, rng);
        if (!deadline.passed()) evidence.push_back(std::log((glances + kNever) / (looks + kNever)));
    }
    return evidence;
}

}  // namespace limina::limit

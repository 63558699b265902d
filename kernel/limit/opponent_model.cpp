#include "limit/opponent_model.hpp"

#include <cmath>

namespace limina::limit {

namespace {

struct PlayerModel {
    SearchOptions options;
    std::uint64_t work;  // evaluations for a turn
};

constexpr PlayerModel kMyopicPlayer{{.noise = 0.5F, .max_depth = 1, .miss_rate = kMissProbability}, 500};
constexpr PlayerModel kFarSightedPlayer{{.exploration = 0.4F, .noise = 0.5F, .root_solver_max_tiles = 14}, 1500};

// Returns in how many of `tries` searches such a player plays this turn.
int count_same_turns(const PastTurn& turn, const PlayerModel& player, const Weights& weights, int tries,
                     const Deadline& deadline, Rng& rng) {
    int count = 0;
    for (int i = 0; i < tries; ++i) {
        const double milliseconds_left = 1000 * (deadline.seconds - deadline.timer.seconds());
        const SearchResult result = search(*turn.layout, weights, turn.before, player.options,
                                           {player.work, milliseconds_left, deadline.cancel_token}, 1, rng.next());
        count += result.candidates.front().turn == turn.turn;
    }
    return count;
}

}  // namespace

std::vector<double> myopic_evidence(std::span<const PastTurn> turns, const Weights& weights, double milliseconds,
                                    const CancelToken* cancel_token, std::uint64_t seed) {
    constexpr int kTries = 8;
    constexpr double kPseudocount = 0.3;  // smoothing: a turn that was never chosen is not impossible
    static_assert(kTries * (kMyopicPlayer.work + kFarSightedPlayer.work) == kEvidenceWorkPerTurn);
    const Timer timer;
    const Deadline deadline{timer, milliseconds / 1000, cancel_token};
    std::vector<double> evidence;
    for (const PastTurn& turn : turns) {
        if (deadline.has_passed()) break;
        Rng rng(seed + hash(turn.before.position));
        const int myopic_count = count_same_turns(turn, kMyopicPlayer, weights, kTries, deadline, rng);
        const int far_sighted_count = count_same_turns(turn, kFarSightedPlayer, weights, kTries, deadline, rng);
        if (!deadline.has_passed())
            evidence.push_back(std::log((myopic_count + kPseudocount) / (far_sighted_count + kPseudocount)));
    }
    return evidence;
}

}  // namespace limina::limit

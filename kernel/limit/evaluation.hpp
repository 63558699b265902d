// What a position of Limit is worth: the chance of each player to win, by trained tables. Judgement, never rules.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "limit/rules.hpp"

namespace limina::limit {

// The chance of each player to win. They add up to one.
using WinProbabilities = std::array<float, kMaxPlayers>;

// Whose part of a turn is next: a pawn move, or the removal after it.
enum class TurnPart : std::uint8_t { move, removal };

// A position is seen by a player as a list of patterns, and each pattern has a weight. The weights of a list add up to
// the logit of winning. There is a set of weights for each stage of the game, part of a turn and role.
namespace patterns {

inline constexpr int kStages = 7;  // by tiles left
inline constexpr int kTurnParts = 2;
inline constexpr int kRoles = 4;  // of two: to move; of three: to move, next, last

// A tile with what lies around it: what it holds, and for each of its six sides whether there is nothing, an empty
// tile, an own or another pawn. What looks the same turned or mirrored is the same.
inline constexpr int kRingClassCount = 430;
inline constexpr int kTileKinds = 6;  // own pawn, other pawn, empty: in reach of both, own only, others only, none
inline constexpr int kTilePatterns = 0;
// A group of pawns: own or other, its size, its freedoms, those with a free edge, those that enemies can reach.
inline constexpr int kGroupsStart = kTilePatterns + kTileKinds * kRingClassCount;
inline constexpr int kGroupPatterns = 2 * 4 * 5 * 3 * 3;
// How many pawns are left on each side, and how many empty tiles.
inline constexpr int kPawnCountsStart = kGroupsStart + kGroupPatterns;
inline constexpr int kEmptyCountsStart = kPawnCountsStart + 17 * 17;
inline constexpr int kPatternsPerSet = kEmptyCountsStart + 17;

inline constexpr int kWeightCount = kStages * kTurnParts * kRoles * kPatternsPerSet;

}  // namespace patterns

// The trained weights.
struct Weights {
    std::vector<float> values = std::vector<float>(patterns::kWeightCount);
};

// What a beginner goes by: to have pawns and freedoms, and that the enemy has few.
Weights naive_weights();

// The patterns that a player sees, as indices into the weights. The player has pawns, and someone else has too.
void active_patterns(const Layout& layout, const Position& position, TurnPart part, int player,
                     std::vector<int>& active);

// The chances in a position that is not over; part says which part of the turn is next.
WinProbabilities evaluate(const Layout& layout, const Weights& weights, const Position& position, TurnPart part);

// The chances in a position that is over: all for the winners.
WinProbabilities terminal_win_probabilities(const Position& position);

// The logits of the players in the game as chances. With two in the game, only the logit of the one to move counts.
WinProbabilities probabilities_from_logits(const Position& position, const WinProbabilities& logits);

inline float sigmoid(float logit) { return 1 / (1 + std::exp(-logit)); }

}  // namespace limina::limit

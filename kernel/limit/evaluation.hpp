// Evaluation of Limit positions: the probability of each player to win, by trained weights.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "limit/rules.hpp"

namespace limina::limit {

// The probability of each player to win; a shared win is divided among its winners. The sum is 1.
using WinProbabilities = std::array<float, kMaxPlayers>;

// The part of a turn that is next: a pawn move, or the removal after it.
enum class TurnPart : std::uint8_t { move, removal };

// The evaluation is linear: for each player the weights of the active patterns add up to the logit of winning. There is
// a set of weights for each stage of the game, part of a turn and role of the player.
namespace patterns {

inline constexpr int kStages = 7;  // by the number of tiles left
inline constexpr int kTurnParts = 2;
inline constexpr int kRoles = 4;  // with two players in the game: to move; with three: to move, next, last

// A tile and its ring: what the tile holds, and for each of its six sides no tile, an empty tile, an own or another
// pawn, up to rotation and reflection.
inline constexpr int kRingClassCount = 430;
inline constexpr int kTileKinds = 6;  // own pawn; other pawn; empty and in reach of both, own, others, none
inline constexpr int kTilePatterns = 0;
// A group of pawns: own or other, its size, its freedoms, the freedoms with a free edge, and those in reach of enemies.
inline constexpr int kGroupsStart = kTilePatterns + kTileKinds * kRingClassCount;
inline constexpr int kGroupPatterns = 2 * 4 * 5 * 3 * 3;
// The number of own pawns and of others, and the number of empty tiles.
inline constexpr int kPawnCountsStart = kGroupsStart + kGroupPatterns;
inline constexpr int kEmptyCountsStart = kPawnCountsStart + 17 * 17;
inline constexpr int kPatternsPerSet = kEmptyCountsStart + 17;

inline constexpr int kWeightCount = kStages * kTurnParts * kRoles * kPatternsPerSet;

}  // namespace patterns

struct Weights {
    std::vector<float> values = std::vector<float>(patterns::kWeightCount);
};

// Returns untrained weights of a beginner: own pawns and empty tiles beside them are good, those of others are bad.
Weights naive_weights();

// Sets `active` to the player's active patterns, as indices into the weights. The player and another one must have
// pawns.
void active_patterns(const Layout& layout, const Position& position, TurnPart part, int player,
                     std::vector<int>& active);

// Returns the win probabilities in a position that is not over.
WinProbabilities evaluate(const Layout& layout, const Weights& weights, const Position& position, TurnPart part);

// Returns the win probabilities in a position that is over.
WinProbabilities terminal_win_probabilities(const Position& position);

// Converts the logits of the players in the game to win probabilities: with two of them by the sigmoid of the logit of
// the player to move, with three by softmax.
WinProbabilities probabilities_from_logits(const Position& position, const WinProbabilities& logits);

inline float sigmoid(float logit) { return 1 / (1 + std::exp(-logit)); }

}  // namespace limina::limit

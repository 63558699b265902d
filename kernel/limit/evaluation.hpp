// What a position of Limit is worth: the chance of each player to win, by trained tables. Judgement, never rules.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "limit/rules.hpp"

namespace limina::limit {

// The chance of each player to win. They add up to one.
using Chances = std::array<float, kMostPlayers>;

// Whose part of a turn is next: a pawn move, or the removal after it.
enum class Part : std::uint8_t { move, removal };

// A position is seen by a player as a list of patterns, and each pattern has a weight. The weights of a list add up to
// the logit of winning. There is a set of weights for each stage of the game, part of a turn and role.
namespace patterns {

inline constexpr int kStages = 7;  // by tiles left
inline constexpr int kParts = 2;
inline constexpr int kRoles = 4;  // of two: to move; of three: to move, next, last

// A tile with what lies around it: what it holds, and for each of its six sides whether there is nothing, an empty
// tile, an own or another pawn. What looks the same turned or mirrored is the same.
inline constexpr int kAround = 430;
inline constexpr int kKinds = 6;  // own pawn, other pawn, empty: in reach of both, own only, others only, none
inline constexpr int kTiles = 0;
// A group of pawns: own or other, its size, its freedoms, those with a free edge, those that enemies can reach.
inline constexpr int kGroups = kTiles + kKinds * kAround;
inline constexpr int kGroupPatterns = 2 * 4 * 5 * 3 * 3;
// How many pawns are left on each side, and how many empty tiles.
inline constexpr int kPawns = kGroups + kGroupPatterns;
inline constexpr int kEmpty = kPawns + 17 * 17;
inline constexpr int kInSet = kEmpty + 17;

inline constexpr int kCount = kStages * kParts * kRoles * kInSet;

}  // namespace patterns

// The trained weights.
struct Values {
    std::vector<float> weights = std::vector<float>(patterns::kCount);
};

// What a beginner goes by: to have pawns and freedoms, and that the enemy has few.
Values naive_values();

// The patterns that a player sees, as indices into the weights. The player has pawns, and someone else has too.
void active_patterns(const Layout& layout, const Position& position, Part part, int player, std::vector<int>& seen);

// The chances in a position that is not over; part says which part of the turn is next.
Chances evaluate(const Layout& layout, const Values& values, const Position& position, Part part);

// The chances in a position that is over: all for the winners.
Chances terminal_chances(const Position& position);

// The logits of the players in the game as chances. With two in the game, only the logit of the one to move counts.
Chances chances_of(const Position& position, const Chances& logits);

inline float chance_of(float logit) { return 1 / (1 + std::exp(-logit)); }

}  // namespace limina::limit

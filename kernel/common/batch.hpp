// The parts that the batches of all games share: batches are environments for reinforcement learning, in which many
// games advance together. A turn is a sequence of actions. After each action a game writes an observation, the mask of
// legal actions and the rewards.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/bitboard.hpp"
#include "common/thread_pool.hpp"

namespace limina::batch {

using Byte = std::uint8_t;

// The arrays that a batch writes into, row after row. The caller owns them. An array that is null is not computed.
struct OutputBuffers {
    Byte* planes = nullptr;
    Byte* vector = nullptr;
    Byte* mask = nullptr;
    std::uint64_t* packed = nullptr;
    float* rewards = nullptr;
    Byte* ended = nullptr;
    Byte* player = nullptr;
};

// When a game that is over restarts: never, with the next step (whose action is ignored), or in the same step.
enum class Autoreset : Byte { disabled, next_step, same_step };

// kBitsAsBytes[b] holds the eight bits of b, each as a byte, the lowest first.
inline constexpr auto kBitsAsBytes = [] {
    std::array<std::array<Byte, 8>, 256> bits_as_bytes{};
    for (std::size_t byte = 0; byte < 256; ++byte) {
        for (std::size_t i = 0; i < 8; ++i) bits_as_bytes[byte][i] = static_cast<Byte>(byte >> i & 1);
    }
    return bits_as_bytes;
}();

// Returns the zero-sum reward of a player at the end of a game: each loser gets -1, and the winners share what the
// losers lose.
inline float zero_sum_reward(Bitboard winners, int players, int player) {
    const int winner_count = std::popcount(winners);
    return contains(winners, player) ? static_cast<float>(players - winner_count) / static_cast<float>(winner_count)
                                     : -1.0F;
}

// Steps all games: restarts those that are over as `autoreset` says, acts in the others, and writes the results.
// act_in_game(game_index, rewards or null) applies the actions of a game and sets `over`; begin_game(game_index)
// restarts it; write_rows(game_index) writes its observations.
template <class Options, class Game, class ActInGame, class BeginGame, class WriteRows>
void step_games(ThreadPool& pool, const Options& options, std::vector<Game>& games, const OutputBuffers& out,
                const ActInGame& act_in_game, const BeginGame& begin_game, const WriteRows& write_rows) {
    pool.parallel_for(options.games, [&](int game_index) {
        const Game& game = games[game_index];
        float* rewards = out.rewards == nullptr ? nullptr : out.rewards + game_index * options.players;
        if (rewards != nullptr) std::fill_n(rewards, options.players, 0.0F);
        if (!game.over) {
            act_in_game(game_index, rewards);
        } else if (options.autoreset != Autoreset::disabled) {
            begin_game(game_index);
        }
        if (out.ended != nullptr) out.ended[game_index] = game.over;
        if (game.over && options.autoreset == Autoreset::same_step) begin_game(game_index);
        write_rows(game_index);
    });
}

}  // namespace limina::batch

// Many games stepped side by side for those who learn by playing. A turn is made of clicks; every click is an action
// with a number, and after each of them a game says what can be seen, what may be clicked next and who has earned what.
// This is what the batches of all games share; it knows none of them.
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

// Where a batch writes, in arrays that others own, one row after the other. Any may be null: what nobody reads is not
// worked out.
struct OutputBuffers {
    Byte* planes = nullptr;
    Byte* vector = nullptr;
    Byte* mask = nullptr;
    std::uint64_t* packed = nullptr;
    float* rewards = nullptr;
    Byte* ended = nullptr;
    Byte* player = nullptr;
};

// When a game that has ended begins again: never, with the next step (whose action is ignored), or at once.
enum class Autoreset : Byte { disabled, next_step, same_step };

// kBitsAsBytes[b]: the eight bits of b, one a byte, the lowest first.
inline constexpr auto kBitsAsBytes = [] {
    std::array<std::array<Byte, 8>, 256> bits_as_bytes{};
    for (std::size_t byte = 0; byte < 256; ++byte) {
        for (std::size_t i = 0; i < 8; ++i) bits_as_bytes[byte][i] = static_cast<Byte>(byte >> i & 1);
    }
    return bits_as_bytes;
}();

// What the players of a game get at its end so that nobody gains what others do not lose: whoever does not win loses
// one, and the winners share that.
inline float zero_sum_reward(Bitboard winners, int players, int player) {
    const int winner_count = std::popcount(winners);
    return contains(winners, player) ? static_cast<float>(players - winner_count) / static_cast<float>(winner_count)
                                     : -1.0F;
}

// One step of every game: who is over begins anew where that is wanted, all others act, and then it is written who has
// ended and what can be seen. act(number, rewards or null) does what is done in a game and sets its `over` at the end.
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

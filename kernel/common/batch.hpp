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
struct Out {
    Byte* planes = nullptr;
    Byte* vector = nullptr;
    Byte* mask = nullptr;
    Word* packed = nullptr;
    float* rewards = nullptr;
    Byte* ended = nullptr;
    Byte* player = nullptr;
};

// When a game that has ended begins again: never, with the next step (whose action is ignored), or at once.
enum class Autoreset : Byte { never, next_step, same_step };

// kBytes[b]: the eight bits of b, one a byte, the lowest first.
inline constexpr auto kBytes = [] {
    std::array<std::array<Byte, 8>, 256> table{};
    for (std::size_t byte = 0; byte < 256; ++byte) {
        for (std::size_t i = 0; i < 8; ++i) table[byte][i] = static_cast<Byte>(byte >> i & 1);
    }
    return table;
}();

// What the players of a game get at its end so that nobody gains what others do not lose: whoever does not win loses
// one, and the winners share that.
inline float payoff(Word winners, int players, int player) {
    const int won = std::popcount(winners);
    return has(winners, player) ? static_cast<float>(players - won) / static_cast<float>(won) : -1.0F;
}

// One step of every game: who is over begins anew where that is wanted, all others act, and then it is written who has
// ended and what can be seen. act(number, rewards or null) does what is done in a game and sets its `over` at the end.
template <class Options, class Game, class Act, class Begin, class Write>
void step_games(Crew& crew, const Options& options, std::vector<Game>& games, const Out& out, const Act& act,
                const Begin& begin, const Write& write) {
    crew.each(options.games, [&](int number) {
        const Game& game = games[static_cast<std::size_t>(number)];
        float* rewards = out.rewards == nullptr ? nullptr : out.rewards + number * options.players;
        if (rewards != nullptr) std::fill_n(rewards, options.players, 0.0F);
        if (!game.over) {
            act(number, rewards);
        } else if (options.autoreset != Autoreset::never) {
            begin(number);
        }
        if (out.ended != nullptr) out.ended[number] = game.over;
        if (game.over && options.autoreset == Autoreset::same_step) begin(number);
        write(number);
    });
}

}  // namespace limina::batch

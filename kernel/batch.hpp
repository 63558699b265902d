// Many games stepped side by side for those who learn by playing. A turn is made of clicks; every click is an action
// with a number, and after each of them a game says what can be seen, what may be clicked next and who has earned what.
// This is what the batches of all games share; it knows none of them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "bits.hpp"
#include "parallel.hpp"

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

// Runs work(i) for all i below n, in a chunk for each thread. A thread takes longer to start than a few games to step,
// so each gets as many as pay at least.
template <class Work>
void each(int n, int threads, const Work& work, int fewest = 128) {
    const int chunks = std::clamp(n / fewest, 1, std::max(threads, 1));
    in_parallel(chunks, chunks, [&](int chunk) {
        const auto border = [&](int at) { return static_cast<int>(static_cast<std::int64_t>(n) * at / chunks); };
        for (int i = border(chunk); i < border(chunk + 1); ++i) work(i);
        return true;
    });
}

}  // namespace limina::batch

// Many games stepped side by side for those who learn by playing. A turn is made of clicks; every click is an action
// with a number, and after each of them a game says what can be seen, what may be clicked next and who has earned what.
// This is what the batches of all games share; it knows none of them.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "bits.hpp"

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

// Threads that wait for work between the steps of a batch: to start them anew takes as long as a step. They are started
// when they are first needed, and a copy has its own.
class Crew {
  public:
    explicit Crew(int threads) : size_(std::max(threads, 1)) {}
    Crew(const Crew& other) : Crew(other.size_) {}
    Crew& operator=(const Crew&) = delete;
    ~Crew() {
        if (!workers_) return;
        if (forked()) {
            workers_.release();  // they are in the parent, and nobody here could wait for them
            return;
        }
        stop_ = true;
        begin_round();
        for (std::thread& worker : *workers_) worker.join();
    }

    // Runs work(i) for all i below n, in a chunk for each thread; each gets as many as pay to wake it at least.
    template <class Work>
    void each(int n, const Work& work, int fewest = 128) {
        const int chunks = std::clamp(n / fewest, 1, size_);
        run(chunks, [&](int chunk) {
            const auto border = [&](int at) { return static_cast<int>(static_cast<std::int64_t>(n) * at / chunks); };
            for (int i = border(chunk); i < border(chunk + 1); ++i) work(i);
        });
    }

  private:
    bool forked() const { return getpid() != process_; }

    // Waits until it is no longer `old`. At first awake: the next step comes at once, and a thread that is woken for it
    // may be put behind the one that woke it, on the same core.
    template <class T>
    static void leave(const std::atomic<T>& value, T old) {
        constexpr int kAwake = 500;
        for (int i = 0; i < kAwake && value.load(std::memory_order_acquire) == old; ++i) std::this_thread::yield();
        value.wait(old, std::memory_order_acquire);
    }

    void begin_round() {
        round_.fetch_add(1, std::memory_order_release);
        round_.notify_all();
    }

    void run(int chunks, const std::function<void(int)>& job) {
        if (chunks == 1 || (workers_ && forked())) {
            for (int chunk = 0; chunk < chunks; ++chunk) job(chunk);
            return;
        }
        job_ = &job;
        chunks_ = chunks;
        left_.store(size_ - 1, std::memory_order_relaxed);
        if (!workers_) start();
        begin_round();
        job(0);
        for (int left = left_.load(); left != 0; left = left_.load()) leave(left_, left);
    }

    void start() {
        process_ = getpid();
        workers_ = std::make_unique<std::vector<std::thread>>();
        const std::uint32_t now = round_.load();
        for (int number = 1; number < size_; ++number) {
            workers_->emplace_back([this, number, seen = now]() mutable {
                for (;;) {
                    leave(round_, seen);
                    seen = round_.load(std::memory_order_acquire);
                    if (stop_) return;
                    if (number < chunks_) (*job_)(number);
                    if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1) left_.notify_one();
                }
            });
        }
    }

    int size_;
    pid_t process_ = 0;
    std::unique_ptr<std::vector<std::thread>> workers_;
    std::atomic<std::uint32_t> round_{0};
    std::atomic<int> left_{0};
    const std::function<void(int)>* job_ = nullptr;
    int chunks_ = 0;
    bool stop_ = false;
};

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

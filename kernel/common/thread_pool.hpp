// Threads that stay, for many short rounds of work.
#pragma once

#include <unistd.h>
#ifdef __linux__
#include <sched.h>
#endif

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace limina::batch {

// Tells the processor that this thread only waits.
inline void pause_briefly() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

// The core on which this thread runs; less than 0 where that cannot be known.
inline int this_core() {
#ifdef __linux__
    return sched_getcpu();
#else
    return -1;
#endif
}

// Moves this thread to another core if it may use one. It stays as free to be moved as it was.
inline void change_core() {
#ifdef __linux__
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
    cpu_set_t others = allowed;
    CPU_CLR(sched_getcpu(), &others);
    if (CPU_COUNT(&others) == 0 || sched_setaffinity(0, sizeof others, &others) != 0) return;
    sched_setaffinity(0, sizeof allowed, &allowed);
#endif
}

// Threads that wait for work between the steps of a batch: to start them anew takes as long as a step. They are started
// when they are first needed, and a copy has its own.
//
// Each has a share of every round, the same one each time as far as possible, as what it wrote last is still near its
// core. A share is made of small pieces, and who is done with his own takes those that others have not begun: nobody
// has to wait for a thread that is late, or whose core is busy with something else.
class Crew {
  public:
    explicit Crew(int threads) : shares_(static_cast<std::size_t>(std::max(threads, 1))) {}
    Crew(const Crew& other) : Crew(other.size()) {}
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

    // Runs work(i) for all i below n; wakes only as many threads as get `fewest` of them at least, so that it pays.
    template <class Work>
    void each(int n, const Work& work, int fewest = 128) {
        const auto some = [&](int from, int to) {
            for (int i = from; i < to; ++i) work(i);
        };
        const int shares = std::clamp(n / fewest, 1, size());
        if (shares == 1 || (workers_ && forked())) return some(0, n);
        run(n, shares, std::max({fewest / 4, n / (32 * shares), 1}), some);
    }

  private:
    // Alone on its cache line: one is written by its own thread nearly always.
    struct alignas(64) Share {
        std::atomic<int> left{0};   // pieces that nobody has begun
        int end = 0;                // the piece after its last
        std::atomic<int> core{-1};  // where its thread was last seen
    };

    int size() const { return static_cast<int>(shares_.size()); }
    bool forked() const { return getpid() != process_; }

    // Waits until it is no longer `old`. At first awake, for some 50 microseconds: the next step often comes at once.
    // Its core is kept meanwhile, as who else would get it would not give it back so soon.
    template <class T>
    static void leave(const std::atomic<T>& value, T old) {
        constexpr int kAwake = 2'000;
        for (int i = 0; i < kAwake && value.load(std::memory_order_acquire) == old; ++i) pause_briefly();
        value.wait(old, std::memory_order_acquire);
    }

    void begin_round() {
        round_.fetch_add(1, std::memory_order_release);
        round_.notify_all();
    }

    // A thread that slept is woken where it last ran. If that is the caller's core, it would stand behind the caller
    // there until the round is over, round after round, even if all other cores were idle. So it is let past the
    // caller, and goes to another core.
    bool meets_caller(int core) const { return core >= 0 && core == shares_[0].core; }
    void make_room() const {
        const auto here = [&](const Share& share) { return meets_caller(share.core); };
        if (std::any_of(shares_.begin() + 1, shares_.end(), here)) std::this_thread::yield();
    }

    void run(int n, int shares, int piece, const std::function<void(int, int)>& job) {
        job_ = &job;
        n_ = n;
        piece_ = piece;
        const int pieces = (n + piece - 1) / piece;
        undone_.store(pieces, std::memory_order_relaxed);
        const auto border = [&](int at) { return static_cast<int>(static_cast<std::int64_t>(pieces) * at / shares); };
        for (int i = 0; i < shares; ++i) {
            Share& share = shares_[static_cast<std::size_t>(i)];
            share.end = border(i + 1);
            share.left.store(border(i + 1) - border(i), std::memory_order_release);
        }
        if (!workers_) start();
        shares_[0].core = this_core();
        begin_round();
        make_room();
        work(0);
        for (int undone = undone_.load(); undone != 0; undone = undone_.load()) leave(undone_, undone);
    }

    // Does what is left of one's own share, then of the others'. A thread may come here late, when its round is over or
    // the next one has begun: what a round is about may be read only by who has taken a piece of it, as it does not end
    // before that is done.
    void work(int number) {
        for (int i = 0; i < size(); ++i) {
            Share& share = shares_[static_cast<std::size_t>((number + i) % size())];
            while (share.left.load(std::memory_order_relaxed) > 0) {
                const int left = share.left.fetch_sub(1, std::memory_order_acq_rel);
                if (left <= 0) break;
                const int from = (share.end - left) * piece_;
                (*job_)(from, std::min(from + piece_, n_));
                if (undone_.fetch_sub(1, std::memory_order_acq_rel) == 1) undone_.notify_one();
            }
        }
    }

    void start() {
        process_ = getpid();
        workers_ = std::make_unique<std::vector<std::thread>>();
        const std::uint32_t now = round_.load();
        for (int number = 1; number < size(); ++number) {
            workers_->emplace_back([this, number, seen = now]() mutable {
                for (;;) {
                    leave(round_, seen);
                    seen = round_.load(std::memory_order_acquire);
                    if (stop_) return;
                    if (meets_caller(this_core())) change_core();
                    work(number);
                    shares_[static_cast<std::size_t>(number)].core = this_core();
                }
            });
        }
    }

    std::vector<Share> shares_;  // one for each thread, the caller's first
    pid_t process_ = 0;
    std::unique_ptr<std::vector<std::thread>> workers_;
    std::atomic<bool> stop_{false};
    std::atomic<std::uint32_t> round_{0};
    // What the present round is about.
    const std::function<void(int, int)>* job_ = nullptr;
    int n_ = 0, piece_ = 1;
    alignas(64) std::atomic<int> undone_{0};  // pieces
};

}  // namespace limina::batch

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
inline void cpu_pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

// The core on which this thread runs; less than 0 where that cannot be known.
inline int current_core() {
#ifdef __linux__
    return sched_getcpu();
#else
    return -1;
#endif
}

// Moves this thread to another core if it may use one. It stays as free to be moved as it was.
inline void move_to_another_core() {
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
class ThreadPool {
  public:
    explicit ThreadPool(int threads) : ranges_(std::max(threads, 1)) {}
    ThreadPool(const ThreadPool& other) : ThreadPool(other.size()) {}
    ThreadPool& operator=(const ThreadPool&) = delete;
    ~ThreadPool() {
        if (!workers_) return;
        if (is_forked_child()) {
            workers_.release();  // they are in the parent, and nobody here could wait for them
            return;
        }
        stopping_ = true;
        start_round();
        for (std::thread& worker : *workers_) worker.join();
    }

    // Runs work(i) for all i below n; wakes only as many threads as get `min_per_thread` of them at least, so that it
    // pays.
    template <class Work>
    void parallel_for(int n, const Work& work, int min_per_thread = 128) {
        const auto run_range = [&](int from, int to) {
            for (int i = from; i < to; ++i) work(i);
        };
        const int range_count = std::clamp(n / min_per_thread, 1, size());
        if (range_count == 1 || (workers_ && is_forked_child())) return run_range(0, n);
        run_round(n, range_count, std::max({min_per_thread / 4, n / (32 * range_count), 1}), run_range);
    }

  private:
    // Alone on its cache line: one is written by its own thread nearly always.
    struct alignas(64) ThreadRange {
        std::atomic<int> remaining_chunks{0};  // pieces that nobody has begun
        int end_chunk = 0;                     // the piece after its last
        std::atomic<int> core{-1};             // where its thread was last seen
    };

    int size() const { return static_cast<int>(ranges_.size()); }
    bool is_forked_child() const { return getpid() != owner_pid_; }

    // Waits until it is no longer `old`. At first awake, for some 50 microseconds: the next step often comes at once.
    // Its core is kept meanwhile, as who else would get it would not give it back so soon.
    template <class T>
    static void wait_for_change(const std::atomic<T>& value, T old) {
        constexpr int kSpinCount = 2'000;
        for (int i = 0; i < kSpinCount && value.load(std::memory_order_acquire) == old; ++i) cpu_pause();
        value.wait(old, std::memory_order_acquire);
    }

    void start_round() {
        generation_.fetch_add(1, std::memory_order_release);
        generation_.notify_all();
    }

    // A thread that slept is woken where it last ran. If that is the caller's core, it would stand behind the caller
    // there until the round is over, round after round, even if all other cores were idle. So it is let past the
    // caller, and goes to another core.
    bool is_callers_core(int core) const { return core >= 0 && core == ranges_[0].core; }
    void yield_callers_core() const {
        const auto here = [&](const ThreadRange& range) { return is_callers_core(range.core); };
        if (std::any_of(ranges_.begin() + 1, ranges_.end(), here)) std::this_thread::yield();
    }

    void run_round(int n, int range_count, int chunk_size, const std::function<void(int, int)>& body) {
        body_ = &body;
        n_ = n;
        chunk_size_ = chunk_size;
        const int chunk_count = (n + chunk_size - 1) / chunk_size;
        unfinished_chunks_.store(chunk_count, std::memory_order_relaxed);
        const auto first_chunk = [&](int range_index) {
            return static_cast<int>(static_cast<std::int64_t>(chunk_count) * range_index / range_count);
        };
        for (int i = 0; i < range_count; ++i) {
            ThreadRange& range = ranges_[i];
            range.end_chunk = first_chunk(i + 1);
            range.remaining_chunks.store(first_chunk(i + 1) - first_chunk(i), std::memory_order_release);
        }
        if (!workers_) start_workers();
        ranges_[0].core = current_core();
        start_round();
        yield_callers_core();
        work(0);
        for (int unfinished = unfinished_chunks_.load(); unfinished != 0; unfinished = unfinished_chunks_.load())
            wait_for_change(unfinished_chunks_, unfinished);
    }

    // Does what is left of one's own share, then of the others'. A thread may come here late, when its round is over or
    // the next one has begun: what a round is about may be read only by who has taken a piece of it, as it does not end
    // before that is done.
    void work(int thread_index) {
        for (int i = 0; i < size(); ++i) {
            ThreadRange& range = ranges_[(thread_index + i) % size()];
            while (range.remaining_chunks.load(std::memory_order_relaxed) > 0) {
                const int remaining_chunks = range.remaining_chunks.fetch_sub(1, std::memory_order_acq_rel);
                if (remaining_chunks <= 0) break;
                const int from = (range.end_chunk - remaining_chunks) * chunk_size_;
                (*body_)(from, std::min(from + chunk_size_, n_));
                if (unfinished_chunks_.fetch_sub(1, std::memory_order_acq_rel) == 1) unfinished_chunks_.notify_one();
            }
        }
    }

    void start_workers() {
        owner_pid_ = getpid();
        workers_ = std::make_unique<std::vector<std::thread>>();
        const std::uint32_t generation = generation_.load();
        for (int thread_index = 1; thread_index < size(); ++thread_index) {
            workers_->emplace_back([this, thread_index, seen_generation = generation]() mutable {
                for (;;) {
                    wait_for_change(generation_, seen_generation);
                    seen_generation = generation_.load(std::memory_order_acquire);
                    if (stopping_) return;
                    if (is_callers_core(current_core())) move_to_another_core();
                    work(thread_index);
                    ranges_[thread_index].core = current_core();
                }
            });
        }
    }

    std::vector<ThreadRange> ranges_;  // one for each thread, the caller's first
    pid_t owner_pid_ = 0;
    std::unique_ptr<std::vector<std::thread>> workers_;
    std::atomic<bool> stopping_{false};
    std::atomic<std::uint32_t> generation_{0};
    // What the present round is about.
    const std::function<void(int, int)>* body_ = nullptr;
    int n_ = 0, chunk_size_ = 1;
    alignas(64) std::atomic<int> unfinished_chunks_{0};  // pieces
};

}  // namespace limina::batch

// A pool of threads for the steps of a batch.
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

// Hints to the processor that this thread spins.
inline void cpu_pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

// Returns the core that runs this thread, or a negative number if it is unknown.
inline int current_core() {
#ifdef __linux__
    return sched_getcpu();
#else
    return -1;
#endif
}

// Moves this thread to another core if its affinity allows one. The affinity stays the same.
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

// A pool whose threads wait for work between two calls, because starting threads takes as long as a step of a batch.
// The threads are started when they are first needed. A copy of a pool starts threads of its own.
//
// In each round every thread has a range of the loop, the same in each round if possible, because the data of the last
// round is still in the cache of its core. A range consists of chunks. A thread that has finished its range takes
// chunks of other ranges (work stealing), so a round does not wait for a thread that was not scheduled.
class ThreadPool {
  public:
    explicit ThreadPool(int threads) : ranges_(std::max(threads, 1)) {}
    ThreadPool(const ThreadPool& other) : ThreadPool(other.size()) {}
    ThreadPool& operator=(const ThreadPool&) = delete;
    ~ThreadPool() {
        if (!workers_) return;
        if (is_forked_child()) {
            workers_.release();  // the threads exist only in the parent process and cannot be joined here
            return;
        }
        stopping_ = true;
        start_round();
        for (std::thread& worker : *workers_) worker.join();
    }

    // Calls body(i) for all i below n. Uses only so many threads that each gets at least `min_per_thread` calls: fewer
    // do not pay for waking a thread.
    template <class Body>
    void parallel_for(int n, const Body& body, int min_per_thread = 128) {
        const auto run_range = [&](int from, int to) {
            for (int i = from; i < to; ++i) body(i);
        };
        const int range_count = std::clamp(n / min_per_thread, 1, size());
        if (range_count == 1 || (workers_ && is_forked_child())) return run_range(0, n);
        run_round(n, range_count, std::max({min_per_thread / 4, n / (32 * range_count), 1}), run_range);
    }

  private:
    // Aligned to a cache line, because mostly its own thread writes it (no false sharing).
    struct alignas(64) ThreadRange {
        std::atomic<int> remaining_chunks{0};  // chunks that no thread has taken
        int end_chunk = 0;                     // one past the last chunk
        std::atomic<int> core{-1};             // core that its thread last ran on
    };

    int size() const { return static_cast<int>(ranges_.size()); }
    bool is_forked_child() const { return getpid() != owner_pid_; }

    // Waits until the value is not `old`. Spins for about 50 microseconds first, because the next step often follows at
    // once. It does not yield: another process on this core would run for longer than the wait.
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

    // Linux wakes a thread on the core that it last ran on. If that is the caller's core, the thread would wait there
    // until the caller has finished the round, in every round, even if other cores are idle. So the caller yields to
    // it, and the thread moves to another core.
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

    // Runs the chunks that are left of the thread's own range, then those of the others. A late thread may arrive after
    // its round or in the next one. So body_, n_ and chunk_size_ may be read only after taking a chunk: the round
    // cannot end before that chunk is finished.
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

    std::vector<ThreadRange> ranges_;  // of each thread, the caller's first
    pid_t owner_pid_ = 0;
    std::unique_ptr<std::vector<std::thread>> workers_;
    std::atomic<bool> stopping_{false};
    std::atomic<std::uint32_t> generation_{0};
    // The present round.
    const std::function<void(int, int)>* body_ = nullptr;
    int n_ = 0, chunk_size_ = 1;
    alignas(64) std::atomic<int> unfinished_chunks_{0};
};

}  // namespace limina::batch

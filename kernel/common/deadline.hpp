// Cancellation and time limits of searches.
#pragma once

#include <atomic>
#include <chrono>

namespace limina {

// A flag that another thread sets to end a search. It cannot be reset.
class CancelToken {
  public:
    void cancel() { flag_.store(true, std::memory_order_relaxed); }
    bool is_canceled() const { return flag_.load(std::memory_order_relaxed); }

  private:
    std::atomic<bool> flag_{false};
};

// The time since its construction.
class Timer {
  public:
    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
};

// The end of a search or of a part of it: a time or a cancellation.
struct Deadline {
    const Timer& timer;
    double seconds;
    const CancelToken* cancel_token;  // may be null

    bool is_canceled() const { return cancel_token != nullptr && cancel_token->is_canceled(); }
    bool has_passed() const { return is_canceled() || timer.seconds() >= seconds; }
};

}  // namespace limina

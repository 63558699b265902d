// What every search shares: a flag by which whoever started it can end it at once, and the time it has.
#pragma once

#include <atomic>
#include <chrono>

namespace limina {

class CancelToken {
  public:
    void cancel() { flag_.store(true, std::memory_order_relaxed); }
    bool is_canceled() const { return flag_.load(std::memory_order_relaxed); }

  private:
    std::atomic<bool> flag_{false};
};

// The time since a search began.
class Timer {
  public:
    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
};

// When a search, or a part of it, has to end.
struct Deadline {
    const Timer& timer;
    double seconds;
    const CancelToken* cancel_token;  // may be null

    bool is_canceled() const { return cancel_token != nullptr && cancel_token->is_canceled(); }
    bool has_passed() const { return is_canceled() || timer.seconds() >= seconds; }
};

}  // namespace limina

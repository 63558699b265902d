// What every search shares: a flag by which whoever started it can end it at once, and the time it has.
#pragma once

#include <atomic>
#include <chrono>

namespace limina {

class Stop {
  public:
    void set() { flag_.store(true, std::memory_order_relaxed); }
    bool is_set() const { return flag_.load(std::memory_order_relaxed); }

  private:
    std::atomic<bool> flag_{false};
};

// The time since a search began.
class Timer {
  public:
    double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point begin_ = Clock::now();
};

// When a search, or a part of it, has to end.
struct Deadline {
    const Timer& timer;
    double seconds;
    const Stop* stop;  // may be null

    bool stopped() const { return stop != nullptr && stop->is_set(); }
    bool passed() const { return stopped() || timer.seconds() >= seconds; }
};

}  // namespace limina

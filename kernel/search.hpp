// What every search shares: a flag by which whoever started it can end it at once.
#pragma once

#include <atomic>

namespace limina {

class Stop {
  public:
    void set() { flag_.store(true, std::memory_order_relaxed); }
    bool is_set() const { return flag_.load(std::memory_order_relaxed); }

  private:
    std::atomic<bool> flag_{false};
};

}  // namespace limina

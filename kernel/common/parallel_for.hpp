// Many small jobs on several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace limina {

// Runs work(i) for all i below n on some threads; ends early when work says so.
template <class Work>
void in_parallel(int n, int threads, const Work& work) {
    std::atomic<int> next{0};
    const auto run = [&] {
        for (int i = next++; i < n; i = next++) {
            if (!work(i)) return;
        }
    };
    std::vector<std::thread> others;
    for (int i = 1; i < std::min(threads, n); ++i) others.emplace_back(run);
    run();
    for (std::thread& other : others) other.join();
}

}  // namespace limina

// Many small jobs on several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace limina {

// Runs work(i) for all i below n on some threads; ends early when work says so.
template <class Work>
void parallel_for(int n, int threads, const Work& body) {
    std::atomic<int> next_index{0};
    const auto run = [&] {
        for (int i = next_index++; i < n; i = next_index++) {
            if (!body(i)) return;
        }
    };
    std::vector<std::thread> helpers;
    for (int i = 1; i < std::min(threads, n); ++i) helpers.emplace_back(run);
    run();
    for (std::thread& helper : helpers) helper.join();
}

}  // namespace limina

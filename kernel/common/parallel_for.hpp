// A parallel loop on threads of its own, for searches.
#pragma once

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace limina {

// Calls body(i) for all i below n on several threads. A thread ends early if body returns false.
template <class Body>
void parallel_for(int n, int threads, const Body& body) {
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

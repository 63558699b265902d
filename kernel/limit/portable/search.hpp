// The search of Limit's bots: trees grown best first on the trained values, and plain UCT with random playouts.
#pragma once

#include <cstdint>
#include <vector>

#include "limit/search_tree.hpp"

namespace limina::limit {

// When a search ends: by work, which is the same on any machine, or sooner by time or the stop flag.
struct SearchLimits {
    std::uint64_t work = 100'000;
    double milliseconds = 1e9;
    const CancelToken* cancel_token = nullptr;
};

// A tree that outgrows the memory of a small machine is no better than one that stops in time.
inline constexpr std::size_t kMaxNodes = 4'000'000;

struct Candidate {
    Turn turn;
    WinProbabilities win_probabilities{};
    std::uint64_t visits = 0;
};

struct SearchResult {
    std::vector<Candidate> candidates;  // best first; the first one is the choice
    std::uint64_t work = 0;
    std::uint64_t nodes = 0;
    bool is_proven = false;
};

// The choice of the player to move in a position that is not over. Each thread grows a tree of its own with its share
// of the work, so that the result depends on the seed and the number of threads and on nothing else.
SearchResult search(const Layout& layout, const Weights& weights, const State& state, const SearchOptions& options,
                    const SearchLimits& limits, int threads, std::uint64_t seed);

// Plain UCT: no knowledge but the rules, random playouts at the leaves. Work counts playouts.
SearchResult uct(const Layout& layout, const State& state, float exploration, const SearchLimits& limits,
                 std::uint64_t seed);

}  // namespace limina::limit

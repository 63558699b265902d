// The searches of Limit's bots: best-first tree search with the trained evaluation, and plain UCT with random playouts.
#pragma once

#include <cstdint>
#include <vector>

#include "limit/search_tree.hpp"

namespace limina::limit {

// When a search ends: after so much work, which is the same on every machine, or before by time or cancellation.
struct SearchLimits {
    std::uint64_t work = 100'000;  // evaluations in `search`, playouts in `uct`
    double milliseconds = 1e9;
    const CancelToken* cancel_token = nullptr;
};

// Nodes of a tree, which bounds its memory. A search that reaches the limit ends.
inline constexpr std::size_t kMaxNodes = 4'000'000;

struct Candidate {
    Turn turn;
    WinProbabilities win_probabilities{};
    std::uint64_t visits = 0;
};

struct SearchResult {
    std::vector<Candidate> candidates;  // best first
    std::uint64_t work = 0;             // done, in the unit of SearchLimits
    std::uint64_t nodes = 0;
    bool is_proven = false;  // the result of the first candidate is exact
};

// Searches the best turns of the player to move in a position that is not over. Each thread grows a tree of its own
// with its share of the work (root parallelization), so that the result depends only on the seed and the number of
// threads, unless the time is over or the search is canceled.
SearchResult search(const Layout& layout, const Weights& weights, const State& state, const SearchOptions& options,
                    const SearchLimits& limits, int threads, std::uint64_t seed);

// Searches the best turn by UCT, without an evaluation: random playouts at the leaves.
SearchResult uct(const Layout& layout, const State& state, float exploration, const SearchLimits& limits,
                 std::uint64_t seed);

}  // namespace limina::limit

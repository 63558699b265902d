#include "limit/portable/search.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>

namespace limina::limit {

namespace {

using Clock = std::chrono::steady_clock;

// The deadline is checked once in so many iterations, because reading the clock is slow compared to one.
constexpr int kIterationsPerClockCheck = 8;

void run_iterations(SearchTree& tree, std::uint64_t work, const Deadline& deadline) {
    for (int iteration = 0; tree.work() + tree.path_work() < work && !tree.root().is_proven && tree.size() < kMaxNodes;
         ++iteration) {
        if (iteration % kIterationsPerClockCheck == 0 && deadline.has_passed()) return;
        tree.run_iteration();
    }
}

// The sum of the nodes of a turn in all trees.
struct MergedNode {
    Turn turn;
    WinProbabilities sum{};
    float value_sum = 0;  // sum over the trees of the selection value for the player to move
    std::uint64_t visits = 0;
    int verdict = 0;  // 1 if proven to win, -1 if proven to lose, else 0

    bool is_better_than(const MergedNode& other) const {
        if (verdict != other.verdict) return verdict > other.verdict;
        return visits != other.visits ? visits > other.visits : value_sum > other.value_sum;
    }
};

void add(MergedNode& merged, const SearchTree& tree, const Node& node, int player) {
    merged.turn = node.turn;
    const float visits = static_cast<float>(node.visits + 1);
    for (std::size_t i = 0; i < kMaxPlayers; ++i) merged.sum[i] += node.is_proven ? visits * node.best[i] : node.sum[i];
    merged.value_sum += tree.selection_value(node, player);
    merged.visits += node.visits;
    const float certain_value = node.best[player];
    if (node.is_proven && (certain_value == 1 || certain_value == 0)) merged.verdict = certain_value == 1 ? 1 : -1;
}

Candidate to_candidate(const MergedNode& merged, std::size_t trees) {
    Candidate result{merged.turn, merged.sum, merged.visits};
    for (float& probability : result.win_probabilities) probability /= static_cast<float>(merged.visits + trees);
    return result;
}

// Returns the turn of the root's child at `index`, completed with its best removal.
Candidate complete_turn(std::vector<std::unique_ptr<SearchTree>>& trees, std::size_t index) {
    std::vector<MergedNode> completions;
    const int player = trees.front()->root().player;
    for (const auto& tree : trees) {
        tree->expand_child(index);
        const Node& child = tree->children(tree->root())[index];
        const bool is_complete = child.part == TurnPart::move;
        completions.resize(is_complete ? 1 : child.child_count);
        for (std::size_t i = 0; i < completions.size(); ++i) {
            add(completions[i], *tree, is_complete ? child : tree->children(child)[i], player);
        }
    }
    const auto best = std::ranges::max_element(
        completions, [](const MergedNode& a, const MergedNode& b) { return b.is_better_than(a); });
    return to_candidate(*best, trees.size());
}

std::vector<Candidate> merge_candidates(std::vector<std::unique_ptr<SearchTree>>& trees) {
    constexpr std::size_t kMaxCandidates = 8;
    const Node& root = trees.front()->root();
    std::vector<std::pair<MergedNode, std::size_t>> moves(root.child_count);
    for (std::size_t i = 0; i < root.child_count; ++i) {
        moves[i].second = i;
        for (const auto& tree : trees) add(moves[i].first, *tree, tree->children(tree->root())[i], root.player);
    }
    std::ranges::stable_sort(moves, [](const auto& a, const auto& b) { return a.first.is_better_than(b.first); });
    std::vector<Candidate> result;
    for (std::size_t i = 0; i < std::min(kMaxCandidates, moves.size()); ++i) {
        result.push_back(complete_turn(trees, moves[i].second));
    }
    return result;
}

WinProbabilities certain_probabilities(const Position& position, GameResult result) {
    WinProbabilities win_probabilities{};
    const float own = (static_cast<float>(result) + 1) / 2;
    for (Bitboard players = position.players_in_game(); players != 0;) {
        const int player = pop_lsb(players);
        win_probabilities[player] = player == position.to_move ? own : 1 - own;
    }
    return win_probabilities;
}

// Returns the exact result if the position is small enough: a winning turn, or all turns if the best result is a tie or
// a loss. Returns nothing if the solver runs out of positions or time.
std::optional<SearchResult> solve_exactly(const Layout& layout, const Weights& weights, const State& state,
                                          const SearchOptions& options, const SearchLimits& limits) {
    const Position& position = state.position;
    if (options.miss_rate > 0 || popcount(position.tiles) > options.root_solver_max_tiles) return std::nullopt;
    Solver solver(layout, weights, 16);
    // The solver may use half of the time.
    const std::chrono::duration<double, std::milli> time_share(std::min(limits.milliseconds / 2, 1e9));
    solver.set_deadline(Clock::now() + std::chrono::duration_cast<Clock::duration>(time_share));
    const auto results = solver.solve_best(state, options.root_solver_max_positions, limits.cancel_token);
    if (!results) return std::nullopt;
    SearchResult result;
    result.work = result.nodes = results->size() + solver.positions_searched();
    result.is_proven = true;
    for (const auto& [turn, outcome] : *results)
        result.candidates.push_back({turn, certain_probabilities(position, outcome), 1});
    return result;
}

}  // namespace

SearchResult search(const Layout& layout, const Weights& weights, const State& state, const SearchOptions& options,
                    const SearchLimits& limits, int threads, std::uint64_t seed) {
    const Timer timer;
    const Deadline deadline{timer, limits.milliseconds / 1000, limits.cancel_token};
    const auto exact = solve_exactly(layout, weights, state, options, limits);
    const bool is_lost = exact && exact->candidates.front().win_probabilities[state.position.to_move] == 0;
    // In a lost position the search chooses among the turns, since it finds those that are hardest to refute.
    if (exact && !is_lost) return *exact;
    const auto tree_count = static_cast<std::size_t>(std::max(threads, 1));
    std::vector<std::unique_ptr<SearchTree>> trees(tree_count);
    const auto run = [&](std::size_t i) {
        trees[i] = std::make_unique<SearchTree>(layout, weights, state, options, seed, static_cast<unsigned>(i));
        run_iterations(*trees[i], limits.work / tree_count, deadline);
    };
    {
        std::vector<std::jthread> helpers;
        for (std::size_t i = 1; i < tree_count; ++i) helpers.emplace_back(run, i);
        run(0);
    }
    SearchResult result;
    result.candidates = merge_candidates(trees);
    for (const auto& tree : trees) {
        result.work += tree->work() + tree->path_work();
        result.nodes += tree->size();
        result.is_proven = result.is_proven || tree->root().is_proven;
    }
    if (is_lost) {
        result.is_proven = true;
        for (Candidate& candidate : result.candidates)
            candidate.win_probabilities = exact->candidates.front().win_probabilities;
    }
    return result;
}

}  // namespace limina::limit

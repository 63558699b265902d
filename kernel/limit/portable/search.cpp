#include "limit/portable/search.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>

namespace limina::limit {

namespace {

using Clock = std::chrono::steady_clock;

// Looked for now and then: the clock costs more than a step of the search.
constexpr int kStepsBetweenLooks = 8;

void iterate(Tree& tree, std::uint64_t work, const Deadline& deadline) {
    for (int step = 0; tree.work() + tree.walked() < work && !tree.root().proven && tree.size() < kMostNodes; ++step) {
        if (step % kStepsBetweenLooks == 0 && deadline.passed()) return;
        tree.iterate();
    }
}

// The same node of all trees together.
struct Merged {
    Turn turn;
    Chances sum{};
    float worth = 0;  // to the one who chooses, the sum over the trees
    std::uint64_t visits = 0;
    int verdict = 0;  // proven to win 1, proven to lose -1

    bool better_than(const Merged& other) const {
        if (verdict != other.verdict) return verdict > other.verdict;
        return visits != other.visits ? visits > other.visits : worth > other.worth;
    }
};

void add(Merged& merged, const Tree& tree, const Node& node, int chooser) {
    merged.turn = node.turn;
    const float visits = static_cast<float>(node.visits + 1);
    for (std::size_t i = 0; i < kMostPlayers; ++i) merged.sum[i] += node.proven ? visits * node.best[i] : node.sum[i];
    merged.worth += tree.worth(node, chooser);
    merged.visits += node.visits;
    const float sure = node.best[static_cast<std::size_t>(chooser)];
    if (node.proven && (sure == 1 || sure == 0)) merged.verdict = sure == 1 ? 1 : -1;
}

Candidate candidate(const Merged& merged, std::size_t trees) {
    Candidate result{merged.turn, merged.sum, merged.visits};
    for (float& chance : result.chances) chance /= static_cast<float>(merged.visits + trees);
    return result;
}

// The turn that a child of the root stands for, with its best removal.
Candidate whole_turn(std::vector<std::unique_ptr<Tree>>& trees, std::size_t index) {
    std::vector<Merged> removals;
    const int chooser = trees.front()->root().chooser;
    for (const auto& tree : trees) {
        tree->expand_child(index);
        const Node& child = tree->children(tree->root())[index];
        const bool whole = child.part == Part::move;
        removals.resize(whole ? 1 : child.size);
        for (std::size_t i = 0; i < removals.size(); ++i) {
            add(removals[i], *tree, whole ? child : tree->children(child)[i], chooser);
        }
    }
    const auto best =
        std::ranges::max_element(removals, [](const Merged& a, const Merged& b) { return b.better_than(a); });
    return candidate(*best, trees.size());
}

std::vector<Candidate> candidates(std::vector<std::unique_ptr<Tree>>& trees) {
    constexpr std::size_t kMost = 8;
    const Node& root = trees.front()->root();
    std::vector<std::pair<Merged, std::size_t>> moves(root.size);
    for (std::size_t i = 0; i < root.size; ++i) {
        moves[i].second = i;
        for (const auto& tree : trees) add(moves[i].first, *tree, tree->children(tree->root())[i], root.chooser);
    }
    std::ranges::stable_sort(moves, [](const auto& a, const auto& b) { return a.first.better_than(b.first); });
    std::vector<Candidate> result;
    for (std::size_t i = 0; i < std::min(kMost, moves.size()); ++i) {
        result.push_back(whole_turn(trees, moves[i].second));
    }
    return result;
}

Chances certain(const Position& position, Result result) {
    Chances chances{};
    const float own = (static_cast<float>(result) + 1) / 2;
    for (Word players = position.in_game(); players != 0;) {
        const int player = pop(players);
        chances[static_cast<std::size_t>(player)] = player == position.to_move ? own : 1 - own;
    }
    return chances;
}

// An exact answer where the position is small enough: a turn that wins, or all that tie or lose.
std::optional<Report> solved(const Layout& layout, const Values& values, const State& state,
                             const SearchOptions& options, const Bounds& bounds) {
    const Position& position = state.position;
    if (options.miss_rate > 0 || count(position.tiles) > options.solve_root_tiles) return std::nullopt;
    Solver solver(layout, values, 16);
    // Where time is short, it gets half of it.
    const std::chrono::duration<double, std::milli> share(std::min(bounds.milliseconds / 2, 1e9));
    solver.give_up_at(Clock::now() + std::chrono::duration_cast<Clock::duration>(share));
    const auto results = solver.solve_best(state, options.solve_root_positions, bounds.stop);
    if (!results) return std::nullopt;
    Report report;
    report.work = report.nodes = results->size() + solver.looked_at();
    report.proven = true;
    for (const auto& [turn, result] : *results) report.candidates.push_back({turn, certain(position, result), 1});
    return report;
}

}  // namespace

Report search(const Layout& layout, const Values& values, const State& state, const SearchOptions& options,
              const Bounds& bounds, int threads, Word seed) {
    const Timer timer;
    const Deadline deadline{timer, bounds.milliseconds / 1000, bounds.stop};
    const auto exact = solved(layout, values, state, options, bounds);
    const bool lost = exact && exact->candidates.front().chances[state.position.to_move] == 0;
    // A lost position is for the search too, which sets the enemy the harder task.
    if (exact && !lost) return *exact;
    const auto n = static_cast<std::size_t>(std::max(threads, 1));
    std::vector<std::unique_ptr<Tree>> trees(n);
    const auto run = [&](std::size_t i) {
        trees[i] = std::make_unique<Tree>(layout, values, state, options, seed, static_cast<unsigned>(i));
        iterate(*trees[i], bounds.work / n, deadline);
    };
    {
        std::vector<std::jthread> helpers;
        for (std::size_t i = 1; i < n; ++i) helpers.emplace_back(run, i);
        run(0);
    }
    Report report;
    report.candidates = candidates(trees);
    for (const auto& tree : trees) {
        report.work += tree->work() + tree->walked();
        report.nodes += tree->size();
        report.proven = report.proven || tree->root().proven;
    }
    if (lost) {
        report.proven = true;
        for (Candidate& each : report.candidates) each.chances = exact->candidates.front().chances;
    }
    return report;
}

}  // namespace limina::limit

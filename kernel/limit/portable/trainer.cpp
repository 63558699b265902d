#include "limit/portable/trainer.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace limina::limit {

namespace {

// The learning rate for targets from a search, relative to the rate for the outcome of a game.
constexpr float kSearchRate = 0.4F;
// The number of visits from which a node of a search is learned from.
constexpr std::uint32_t kMinVisits = 4;
// The initial sums of squared gradients of pretrained weights, which makes their learning rates small.
constexpr float kInitialSquares = 50.0F;

// Returns the child with most visits, or with probability 0.15 a random one that is likelier with more visits, so that
// games differ. A child that is proven to win is always chosen.
template <typename Children>
const Node& draw_child(const Children& children, int player, Rng& rng) {
    const bool is_exploring = rng.uniform() < 0.15;
    const Node* chosen = &children.front();
    double best_value = -1;
    for (const Node& child : children) {
        const double visits = child.visits + 0.1 + 0.01 * child.best[player];
        const double weight = is_exploring ? visits * rng.uniform() : visits;
        const double value = child.is_proven && child.best[player] == 1 ? 1e9 : weight;
        if (value > best_value) {
            best_value = value;
            chosen = &child;
        }
    }
    return *chosen;
}

Turn random_turn(const Layout& layout, const Position& position, Rng& rng) {
    std::vector<Turn> turns;
    legal_turns(layout, position, turns);
    return turns[rng.below(static_cast<unsigned>(turns.size()))];
}

// Returns the training target for a searched node: its result if that is proven, else the average of its best line and
// of the mean over all its visits.
WinProbabilities search_target(const Node& node) {
    WinProbabilities target = node.best;
    for (std::size_t i = 0; i < kMaxPlayers && !node.is_proven; ++i) {
        target[i] = (target[i] + node.mean(static_cast<int>(i))) / 2;
    }
    return target;
}

}  // namespace

void Trainer::start_from(const Weights& weights) {
    weights_ = weights;
    squared_gradients_.assign(squared_gradients_.size(), kInitialSquares);
}

double Trainer::update_towards(const Layout& layout, const Position& position, TurnPart part,
                               const WinProbabilities& target, float rate) {
    const unsigned in_game = position.players_in_game();
    if (popcount(in_game) < 2) return 0;
    const WinProbabilities predicted = evaluate(layout, weights_, position, part);
    double loss = 0;
    for (Bitboard players = popcount(in_game) == 2 ? 1U << position.to_move : in_game; players != 0;) {
        const int player = pop_lsb(players);
        const float error = target[player] - predicted[player];
        active_patterns(layout, position, part, player, active_);
        for (const int pattern : active_) {
            squared_gradients_[pattern] += error * error * rate;
            weights_.values[pattern] += rate * error * 0.1F / std::sqrt(squared_gradients_[pattern] + 0.05F);
        }
    }
    for (Bitboard players = in_game; players != 0;) {
        const int player = pop_lsb(players);
        loss -= target[player] * std::log(std::max(predicted[player], 1e-6F));
    }
    return loss;
}

double Trainer::play_game(const SelfPlayOptions& options, std::uint64_t seed) {
    Rng rng(seed);
    const auto layout = random_layout(options.size, options.players, rng.next());
    State state{initial_position(*layout), {}};
    struct Sample {
        Position position;
        TurnPart part;
    };
    std::vector<Sample> samples;
    SearchOptions search_options;
    search_options.noise = 0.5F;
    for (unsigned random_turns = rng.below(2 + static_cast<unsigned>(options.size)) / 2; random_turns > 0;
         --random_turns) {
        if (!state.position.over) play(*layout, state, random_turn(*layout, state.position, rng));
    }
    std::optional<WinProbabilities> outcome;
    while (!state.position.over) {
        SearchTree tree(*layout, weights_, state, search_options, rng.next());
        while (tree.work() < options.work && !tree.root().is_proven) tree.run_iteration();
        if (popcount(state.position.tiles) < options.min_tiles) {
            outcome = search_target(tree.root());
            break;
        }
        tree.for_each_visited(kMinVisits, [&](const Position& position, const Node& node) {
            if (popcount(position.tiles) < options.min_tiles) return;
            update_towards(*layout, position, node.part, search_target(node), options.rate * kSearchRate);
        });
        const int player = state.position.to_move;
        samples.push_back({state.position, TurnPart::move});
        const Node* next = &draw_child(tree.children(tree.root()), player, rng);
        if (next->part == TurnPart::removal) {
            if (next->turn.moves()) {
                const Position between = after_move(*layout, state.position, next->turn.from, next->turn.to).position;
                samples.push_back({between, TurnPart::removal});
            }
            const auto index = static_cast<std::size_t>(next - tree.children(tree.root()).data());
            tree.expand_child(index);
            next = &draw_child(tree.children(tree.children(tree.root())[index]), player, rng);
        }
        play(*layout, state, next->turn);
    }
    double loss = 0;
    for (const Sample& sample : samples) {
        if (popcount(sample.position.tiles) < options.min_tiles) continue;
        loss += update_towards(*layout, sample.position, sample.part,
                               outcome.value_or(terminal_win_probabilities(state.position)), options.rate);
    }
    return samples.empty() ? 0 : loss / static_cast<double>(samples.size());
}

}  // namespace limina::limit

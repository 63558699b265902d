#include "limit/portable/trainer.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace limina::limit {

namespace {

// How much what a search found counts, against how the game ended.
constexpr float kSearchRate = 0.4F;
constexpr std::uint32_t kVisits = 4;
// What the sums of squares begin with where the weights were learnt before.
constexpr float kKnown = 50.0F;

// Mostly the best turn, at times another one in proportion to its visits, so that the games differ.
template <typename Children>
const Node& draw(const Children& children, int chooser, Rng& rng) {
    const bool stray = rng.fraction() < 0.15;
    const Node* chosen = &children.front();
    double most = -1;
    for (const Node& child : children) {
        const double visits = child.visits + 0.1 + 0.01 * child.best[static_cast<std::size_t>(chooser)];
        const double weight = stray ? visits * rng.fraction() : visits;
        const double value = child.proven && child.best[static_cast<std::size_t>(chooser)] == 1 ? 1e9 : weight;
        if (value > most) {
            most = value;
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

// What a search says of a position it has looked into.
Chances found(const Node& node) {
    Chances target = node.best;
    for (std::size_t i = 0; i < kMostPlayers && !node.proven; ++i) {
        target[i] = (target[i] + node.mean(static_cast<int>(i))) / 2;
    }
    return target;
}

}  // namespace

void Trainer::begin(const Values& values) {
    values_ = values;
    squares_.assign(squares_.size(), kKnown);
}

double Trainer::pull(const Layout& layout, const Position& position, Part part, const Chances& target, float rate) {
    const unsigned in_game = position.in_game();
    if (count(in_game) < 2) return 0;
    const Chances now = evaluate(layout, values_, position, part);
    double loss = 0;
    for (Word players = count(in_game) == 2 ? 1U << position.to_move : in_game; players != 0;) {
        const int player = pop(players);
        const auto index = static_cast<std::size_t>(player);
        const float error = target[index] - now[index];
        active_patterns(layout, position, part, player, seen_);
        for (const int pattern : seen_) {
            const auto at = static_cast<std::size_t>(pattern);
            squares_[at] += error * error * rate;
            values_.weights[at] += rate * error * 0.1F / std::sqrt(squares_[at] + 0.05F);
        }
    }
    for (Word players = in_game; players != 0;) {
        const auto index = static_cast<std::size_t>(pop(players));
        loss -= target[index] * std::log(std::max(now[index], 1e-6F));
    }
    return loss;
}

double Trainer::play_game(const Lesson& lesson, Word seed) {
    Rng rng(seed);
    const auto layout = random_layout(lesson.size, lesson.players, rng.next());
    State state{initial_position(*layout), {}};
    struct Sample {
        Position position;
        Part part;
    };
    std::vector<Sample> played;
    SearchOptions options;
    options.noise = 0.5F;
    for (unsigned random = rng.below(2 + static_cast<unsigned>(lesson.size)) / 2; random > 0; --random) {
        if (!state.position.over) play(*layout, state, random_turn(*layout, state.position, rng));
    }
    std::optional<Chances> outcome;
    while (!state.position.over) {
        Tree tree(*layout, values_, state, options, rng.next());
        while (tree.work() < lesson.work && !tree.root().proven) tree.iterate();
        if (count(state.position.tiles) < lesson.least_tiles) {
            outcome = found(tree.root());
            break;
        }
        tree.each(kVisits, [&](const Position& position, const Node& node) {
            if (count(position.tiles) < lesson.least_tiles) return;
            pull(*layout, position, node.part, found(node), lesson.rate * kSearchRate);
        });
        const int chooser = state.position.to_move;
        played.push_back({state.position, Part::move});
        const Node* next = &draw(tree.children(tree.root()), chooser, rng);
        if (next->part == Part::removal) {
            if (next->turn.moves()) {
                const Position halfway = after_move(*layout, state.position, next->turn.from, next->turn.to).position;
                played.push_back({halfway, Part::removal});
            }
            const auto index = static_cast<std::size_t>(next - tree.children(tree.root()).data());
            tree.expand_child(index);
            next = &draw(tree.children(tree.children(tree.root())[index]), chooser, rng);
        }
        play(*layout, state, next->turn);
    }
    double loss = 0;
    for (const Sample& sample : played) {
        if (count(sample.position.tiles) < lesson.least_tiles) continue;
        loss += pull(*layout, sample.position, sample.part, outcome.value_or(terminal_chances(state.position)),
                     lesson.rate);
    }
    return played.empty() ? 0 : loss / static_cast<double>(played.size());
}

}  // namespace limina::limit

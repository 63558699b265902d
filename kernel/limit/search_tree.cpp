#include "limit/search_tree.hpp"

#include <algorithm>
#include <cmath>

namespace limina::limit {

SearchTree::SearchTree(const Layout& layout, const Weights& weights, const State& root, const SearchOptions& options,
                       std::uint64_t seed, unsigned tree_index)
    : layout_(layout),
      weights_(weights),
      root_state_(root),
      options_(options),
      seed_(seed),
      rng_(Rng(seed).next() + tree_index),
      solver_(layout, weights) {
    // Treats a NaN probability as 0.
    for (float& probability : options_.myopic_probability)
        probability = probability > 0 ? std::min(probability, 1.0F) : 0;
    Node node;
    node.player = root.position.to_move;
    nodes_.push_back(node);
    expand_moves(0, root);
}

float SearchTree::selection_value(const Node& child, int player) const {
    const float best = child.best[player];
    return child.is_proven ? best : options_.minimax_weight * best + (1 - options_.minimax_weight) * child.mean(player);
}

std::size_t SearchTree::select(const Node& node) const {
    const float exploration = options_.exploration * std::sqrt(static_cast<float>(node.visits + 1));
    std::size_t chosen = node.first_child;
    float best_value = -1;
    for (std::size_t i = node.first_child; i < node.first_child + node.child_count; ++i) {
        const Node& child = nodes_[i];
        float value = selection_value(child, node.player);
        if (!child.is_proven) value += exploration * child.prior / static_cast<float>(child.visits + 1);
        if (value > best_value) {
            best_value = value;
            chosen = i;
        }
    }
    return chosen;
}

// Returns the choice of a myopic player, with random misses.
std::size_t SearchTree::select_myopically(const Node& node) {
    const float miss_probability = node.part == TurnPart::move ? kMissProbability : 0;
    std::size_t chosen = node.first_child, best = node.first_child;
    float best_value = -1;
    for (std::size_t i = node.first_child; i < node.first_child + node.child_count; ++i) {
        const float myopic_value = nodes_[i].myopic_value;
        if (myopic_value > nodes_[best].myopic_value) best = i;
        // Draws a miss only for moves that would be chosen.
        if (myopic_value <= best_value || (miss_probability > 0 && rng_.uniform() < miss_probability)) continue;
        best_value = myopic_value;
        chosen = i;
    }
    return best_value < 0 ? best : chosen;
}

// Draws the set of myopic players. A player is myopic in all nodes of a path or in none.
std::uint32_t SearchTree::draw_myopic_players() {
    std::uint32_t players = 0;
    for (std::size_t i = 0; i < kMaxPlayers; ++i) {
        const float probability = options_.myopic_probability[i];
        if (probability > 0 && rng_.uniform() < probability) players |= 1U << i;
    }
    return players;
}

void SearchTree::run_iteration() {
    const std::uint32_t myopic_players = draw_myopic_players();
    ++work_;  // so that a path to a proven node costs something too
    State state = root_state_;
    path_.assign(1, 0);
    int turns = 0;
    while (nodes_[path_.back()].is_expanded && !nodes_[path_.back()].is_proven) {
        const Node& node = nodes_[path_.back()];
        const bool is_myopic = node.may_be_myopic && contains(myopic_players, node.player);
        const auto next = static_cast<std::uint32_t>(is_myopic ? select_myopically(node) : select(node));
        path_.push_back(next);
        if (nodes_[next].part == TurnPart::removal) continue;
        ++turns;
        play(layout_, state, nodes_[next].turn);
    }
    const std::uint32_t last = path_.back();
    const bool may_expand = nodes_[last].part == TurnPart::removal || turns < options_.max_depth;
    const bool expands = !nodes_[last].is_proven && may_expand;
    const int free_turns = expands ? 16 : 4;  // see path_work
    path_work_ += static_cast<std::uint64_t>(std::max(turns - free_turns, 0));
    if (expands) expand(last, state);
    const WinProbabilities value = nodes_[last].best;
    for (std::size_t i = path_.size(); i-- > 0;) {
        Node& node = nodes_[path_[i]];
        ++node.visits;
        for (std::size_t player = 0; player < kMaxPlayers; ++player) node.sum[player] += value[player];
        if (i + 1 < path_.size()) back_up(node);
    }
}

// Sets the value of a node to that of its best child. The node is proven if all children are, or if the best is a
// proven win.
void SearchTree::back_up(Node& node) {
    float best_value = -1;
    bool all_proven = true;
    const Node* best = nullptr;
    for (const Node& child : children(node)) {
        const float value = child.best[node.player];
        all_proven = all_proven && child.is_proven;
        if (value > best_value || (value == best_value && child.is_proven)) {
            best_value = value;
            best = &child;
        }
    }
    node.best = best->best;
    if (node.may_be_myopic) return back_up_myopic(node, all_proven);
    node.is_proven = options_.miss_rate == 0 && (all_proven || (best->is_proven && best_value == 1));
}

// Mixes into the value the child that a myopic player would choose, by their probability: the child with the best
// myopic value, or the second best if that is missed.
void SearchTree::back_up_myopic(Node& node, bool all_proven) const {
    const Node *first = nullptr, *second = nullptr;
    bool all_alike = true;
    for (const Node& child : children(node)) {
        all_alike = all_alike && child.best == node.best;
        if (first == nullptr || child.myopic_value > first->myopic_value) {
            second = first;
            first = &child;
        } else if (second == nullptr || child.myopic_value > second->myopic_value) {
            second = &child;
        }
    }
    node.is_proven = all_proven && all_alike;
    const float probability = options_.myopic_probability[node.player];
    const float miss_probability = second != nullptr && node.part == TurnPart::move ? kMissProbability : 0;
    for (std::size_t i = 0; i < kMaxPlayers; ++i) {
        float myopic_mean = (1 - miss_probability) * first->best[i];
        if (miss_probability > 0) myopic_mean += miss_probability * second->best[i];
        node.best[i] += probability * (myopic_mean - node.best[i]);
    }
}

void SearchTree::expand_child(std::size_t index) {
    const auto child = static_cast<std::uint32_t>(root().first_child + index);
    if (nodes_[child].part == TurnPart::removal && !nodes_[child].is_expanded) expand(child, root_state_);
}

void SearchTree::expand(std::uint32_t index, const State& state) {
    if (nodes_[index].part == TurnPart::removal) return expand_removals(index, state);
    const Position& position = state.position;
    if (options_.solver_max_tiles > 0 && popcount(position.tiles) <= options_.solver_max_tiles &&
        popcount(position.players_in_game()) == 2) {
        if (const auto result = solver_.solve(state, options_.solver_max_positions)) {
            Node& node = nodes_[index];
            const float probability = (static_cast<float>(*result) + 1) / 2;
            for (Bitboard players = position.players_in_game(); players != 0;) {
                const int player = pop_lsb(players);
                node.best[player] = player == position.to_move ? probability : 1 - probability;
            }
            node.is_proven = true;
            return;
        }
    }
    expand_moves(index, state);
}

// Returns the evaluated node for the position after a complete turn.
Node SearchTree::make_leaf(const State& state, Turn turn) {
    Node node;
    node.turn = turn;
    const Position* after = nullptr;
    Position position_after;
    State state_after;
    if (turn.removes()) {
        position_after = play(layout_, state.position, turn).position;  // cannot repeat a position
        after = &position_after;
    } else {
        state_after = state;
        play(layout_, state_after, turn);
        after = &state_after.position;
    }
    node.player = after->to_move;
    node.is_proven = after->over;
    if (!after->over) ++work_;
    node.best = after->over ? terminal_win_probabilities(*after) : evaluate(layout_, weights_, *after, TurnPart::move);
    node.sum = node.best;
    node.myopic_value = node.best[state.position.to_move];
    return node;
}

bool SearchTree::is_missed(const Position& position, Turn turn) const {
    if (options_.miss_rate == 0) return false;
    return Rng(hash(position) ^ seed_ ^ turn.pack() * 0x9e3779b97f4a7c15ULL).uniform() < options_.miss_rate;
}

void SearchTree::expand_moves(std::uint32_t index, const State& state) {
    const auto first_child = static_cast<std::uint32_t>(nodes_.size());
    legal_turns(layout_, state.position, turns_);
    for (std::size_t i = 0; i < turns_.size(); ++i) {
        const Turn turn = turns_[i];
        // Turns with the same pawn move follow each other.
        const bool is_same_move = i > 0 && turns_[i - 1].from == turn.from && turns_[i - 1].to == turn.to;
        const bool is_only_choice = i + 1 == turns_.size() && nodes_.size() == first_child;
        if (!is_only_choice && (is_same_move || is_missed(state.position, turn))) continue;
        if (!turn.removes()) {
            nodes_.push_back(make_leaf(state, turn));
            continue;
        }
        Node child;
        child.turn = {turn.from, turn.to};
        child.player = state.position.to_move;
        child.part = TurnPart::removal;
        ++work_;
        child.best =
            evaluate(layout_, weights_,
                     turn.moves() ? after_move(layout_, state.position, turn.from, turn.to).position : state.position,
                     TurnPart::removal);
        child.sum = child.best;
        child.myopic_value = child.best[child.player];
        nodes_.push_back(child);
    }
    add_children(index, first_child, state.position);
}

void SearchTree::expand_removals(std::uint32_t index, const State& state) {
    const auto first_child = static_cast<std::uint32_t>(nodes_.size());
    Turn turn = nodes_[index].turn;
    Bitboard tiles = legal_removals(
        layout_, turn.moves() ? after_move(layout_, state.position, turn.from, turn.to).position : state.position);
    while (tiles != 0) {
        turn.removed = static_cast<std::uint8_t>(pop_lsb(tiles));
        nodes_.push_back(make_leaf(state, turn));
    }
    add_children(index, first_child, state.position);
}

bool SearchTree::may_be_myopic(const Node& node, const Position& position) const {
    return options_.myopic_probability[node.player] > 0 && node.player != root_state_.position.to_move &&
           popcount(position.players_in_game()) == 3;
}

// Makes all nodes from `first_child` the children of the node.
void SearchTree::add_children(std::uint32_t index, std::uint32_t first_child, const Position& position) {
    Node& node = nodes_[index];
    node.first_child = first_child;
    node.child_count = static_cast<std::uint16_t>(nodes_.size() - first_child);
    node.is_expanded = true;
    node.may_be_myopic = may_be_myopic(node, position);
    // A myopic player sees the removals of their own turn.
    if (node.may_be_myopic && node.part == TurnPart::removal) {
        node.myopic_value = 0;
        for (const Node& child : children(node)) node.myopic_value = std::max(node.myopic_value, child.myopic_value);
    }
    set_priors(index);
}

// Sets the priors to a softmax of the values of the children, with noise.
void SearchTree::set_priors(std::uint32_t index) {
    Node& node = nodes_[index];
    float sum = 0;
    for (std::uint32_t i = node.first_child; i < node.first_child + node.child_count; ++i) {
        Node& child = nodes_[i];
        const float probability = std::clamp(child.best[node.player], 0.001F, 0.999F);
        const float shift = options_.noise * (static_cast<float>(rng_.uniform()) - 0.5F);
        child.prior = std::exp(options_.inverse_temperature * std::log(probability / (1 - probability)) + shift);
        sum += child.prior;
    }
    for (std::uint32_t i = node.first_child; i < node.first_child + node.child_count; ++i) nodes_[i].prior /= sum;
    back_up(node);
}

}  // namespace limina::limit

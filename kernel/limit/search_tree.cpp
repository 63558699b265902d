#include "limit/search_tree.hpp"

#include <algorithm>
#include <cmath>

namespace limina::limit {

Tree::Tree(const Layout& layout, const Values& values, const State& root, const SearchOptions& options, Word seed,
           unsigned number)
    : layout_(layout),
      values_(values),
      start_(root),
      options_(options),
      seed_(seed),
      rng_(Rng(seed).next() + number),
      solver_(layout, values) {
    // What is no number is nothing.
    for (float& likely : options_.shallow) likely = likely > 0 ? std::min(likely, 1.0F) : 0;
    Node node;
    node.chooser = root.position.to_move;
    nodes_.push_back(node);
    expand_moves(0, root);
}

float Tree::worth(const Node& child, int chooser) const {
    const float best = child.best[static_cast<std::size_t>(chooser)];
    return child.proven ? best : options_.minimax_weight * best + (1 - options_.minimax_weight) * child.mean(chooser);
}

std::size_t Tree::select(const Node& node) const {
    const float exploration = options_.exploration * std::sqrt(static_cast<float>(node.visits + 1));
    std::size_t chosen = node.first;
    float most = -1;
    for (std::size_t i = node.first; i < node.first + node.size; ++i) {
        const Node& child = nodes_[i];
        float value = worth(child, node.chooser);
        if (!child.proven) value += exploration * child.prior / static_cast<float>(child.visits + 1);
        if (value > most) {
            most = value;
            chosen = i;
        }
    }
    return chosen;
}

// What one who looks at his own turn only would choose, with what he overlooks drawn anew.
std::size_t Tree::select_at_a_glance(const Node& node) {
    const float overlooks = node.part == Part::move ? kOverlooks : 0;
    std::size_t chosen = node.first, best = node.first;
    float most = -1;
    for (std::size_t i = node.first; i < node.first + node.size; ++i) {
        const float glance = nodes_[i].glance;
        if (glance > nodes_[best].glance) best = i;
        // Whether a move is overlooked matters only where it would be taken.
        if (glance <= most || (overlooks > 0 && rng_.fraction() < overlooks)) continue;
        most = glance;
        chosen = i;
    }
    return most < 0 ? best : chosen;
}

// Who looks at his own turn only, for one line: whoever does so once does so always.
std::uint32_t Tree::draw_shallow() {
    std::uint32_t players = 0;
    for (std::size_t i = 0; i < kMostPlayers; ++i) {
        const float likely = options_.shallow[i];
        if (likely > 0 && rng_.fraction() < likely) players |= 1U << i;
    }
    return players;
}

void Tree::iterate() {
    const std::uint32_t shallow = draw_shallow();
    ++work_;  // a line that ends in a proven node costs something too
    State state = start_;
    path_.assign(1, 0);
    int turns = 0;
    while (nodes_[path_.back()].expanded && !nodes_[path_.back()].proven) {
        const Node& node = nodes_[path_.back()];
        const bool glances = node.may_be_shallow && has(shallow, node.chooser);
        const auto next = static_cast<std::uint32_t>(glances ? select_at_a_glance(node) : select(node));
        path_.push_back(next);
        if (nodes_[next].part == Part::removal) continue;
        ++turns;
        play(layout_, state, nodes_[next].turn);
    }
    const std::uint32_t last = path_.back();
    const bool deeper = nodes_[last].part == Part::removal || turns < options_.max_depth;
    const bool expands = !nodes_[last].proven && deeper;
    const int free = expands ? 16 : 4;
    walked_ += static_cast<std::uint64_t>(std::max(turns - free, 0));
    if (expands) expand(last, state);
    const Chances value = nodes_[last].best;
    for (std::size_t i = path_.size(); i-- > 0;) {
        Node& node = nodes_[path_[i]];
        ++node.visits;
        for (std::size_t player = 0; player < kMostPlayers; ++player) node.sum[player] += value[player];
        if (i + 1 < path_.size()) back_up(node);
    }
}

// The best child's value becomes the node's; it is proven where that child's win is, or where all children are.
void Tree::back_up(Node& node) {
    float most = -1;
    bool all_proven = true;
    const Node* best = nullptr;
    for (const Node& child : children(node)) {
        const float value = child.best[node.chooser];
        all_proven = all_proven && child.proven;
        if (value > most || (value == most && child.proven)) {
            most = value;
            best = &child;
        }
    }
    node.best = best->best;
    if (node.may_be_shallow) return mix_in_shallow(node, all_proven);
    node.proven = options_.miss_rate == 0 && (all_proven || (best->proven && most == 1));
}

// The same where the chooser may look at his own turn only: then the child that looks best, or the second where that is
// overlooked, counts as often as that is likely.
void Tree::mix_in_shallow(Node& node, bool all_proven) const {
    const Node *first = nullptr, *second = nullptr;
    bool alike = true;
    for (const Node& child : children(node)) {
        alike = alike && child.best == node.best;
        if (first == nullptr || child.glance > first->glance) {
            second = first;
            first = &child;
        } else if (second == nullptr || child.glance > second->glance) {
            second = &child;
        }
    }
    node.proven = all_proven && alike;
    const float likely = options_.shallow[node.chooser];
    const float overlooks = second != nullptr && node.part == Part::move ? kOverlooks : 0;
    for (std::size_t i = 0; i < kMostPlayers; ++i) {
        float seen = (1 - overlooks) * first->best[i];
        if (overlooks > 0) seen += overlooks * second->best[i];
        node.best[i] += likely * (seen - node.best[i]);
    }
}

void Tree::expand_child(std::size_t index) {
    const auto child = static_cast<std::uint32_t>(root().first + index);
    if (nodes_[child].part == Part::removal && !nodes_[child].expanded) expand(child, start_);
}

void Tree::expand(std::uint32_t index, const State& state) {
    if (nodes_[index].part == Part::removal) return expand_removals(index, state);
    const Position& position = state.position;
    if (options_.solve_tiles > 0 && count(position.tiles) <= options_.solve_tiles && count(position.in_game()) == 2) {
        if (const auto result = solver_.solve(state, options_.solve_positions)) {
            Node& node = nodes_[index];
            const float chance = (static_cast<float>(*result) + 1) / 2;
            for (Word players = position.in_game(); players != 0;) {
                const int player = pop(players);
                node.best[static_cast<std::size_t>(player)] = player == position.to_move ? chance : 1 - chance;
            }
            node.proven = true;
            return;
        }
    }
    expand_moves(index, state);
}

// A whole turn, with the position that it leads to.
Node Tree::evaluated(const State& state, Turn turn) {
    Node node;
    node.turn = turn;
    const Position* after = nullptr;
    Position quick;
    State whole;
    if (turn.removes()) {
        quick = play(layout_, state.position, turn).position;
        after = &quick;
    } else {
        whole = state;
        play(layout_, whole, turn);
        after = &whole.position;
    }
    node.chooser = after->to_move;
    node.proven = after->over;
    if (!after->over) ++work_;
    node.best = after->over ? terminal_chances(*after) : evaluate(layout_, values_, *after, Part::move);
    node.sum = node.best;
    node.glance = node.best[state.position.to_move];
    return node;
}

bool Tree::missed(const Position& position, Turn turn) const {
    if (options_.miss_rate == 0) return false;
    return Rng(hash(position) ^ seed_ ^ turn.pack() * 0x9e3779b97f4a7c15ULL).fraction() < options_.miss_rate;
}

void Tree::expand_moves(std::uint32_t index, const State& state) {
    const auto first = static_cast<std::uint32_t>(nodes_.size());
    legal_turns(layout_, state.position, turns_);
    for (std::size_t i = 0; i < turns_.size(); ++i) {
        const Turn turn = turns_[i];
        // The turns with one pawn move are listed in a row.
        const bool seen = i > 0 && turns_[i - 1].from == turn.from && turns_[i - 1].to == turn.to;
        const bool last_hope = i + 1 == turns_.size() && nodes_.size() == first;
        if (!last_hope && (seen || missed(state.position, turn))) continue;
        if (!turn.removes()) {
            nodes_.push_back(evaluated(state, turn));
            continue;
        }
        Node child;
        child.turn = {turn.from, turn.to};
        child.chooser = state.position.to_move;
        child.part = Part::removal;
        ++work_;
        child.best =
            evaluate(layout_, values_,
                     turn.moves() ? after_move(layout_, state.position, turn.from, turn.to).position : state.position,
                     Part::removal);
        child.sum = child.best;
        child.glance = child.best[child.chooser];
        nodes_.push_back(child);
    }
    add_children(index, first, state.position);
}

void Tree::expand_removals(std::uint32_t index, const State& state) {
    const auto first = static_cast<std::uint32_t>(nodes_.size());
    Turn turn = nodes_[index].turn;
    Word tiles = removals(
        layout_, turn.moves() ? after_move(layout_, state.position, turn.from, turn.to).position : state.position);
    while (tiles != 0) {
        turn.removed = static_cast<std::uint8_t>(pop(tiles));
        nodes_.push_back(evaluated(state, turn));
    }
    add_children(index, first, state.position);
}

bool Tree::may_be_shallow(const Node& node, const Position& position) const {
    return options_.shallow[node.chooser] > 0 && node.chooser != start_.position.to_move &&
           count(position.in_game()) == 3;
}

// All nodes from `first` on become the children of this one.
void Tree::add_children(std::uint32_t index, std::uint32_t first, const Position& position) {
    Node& node = nodes_[index];
    node.first = first;
    node.size = static_cast<std::uint16_t>(nodes_.size() - first);
    node.expanded = true;
    node.may_be_shallow = may_be_shallow(node, position);
    // Even who looks at his own turn only sees what he can remove.
    if (node.may_be_shallow && node.part == Part::removal) {
        node.glance = 0;
        for (const Node& child : children(node)) node.glance = std::max(node.glance, child.glance);
    }
    set_priors(index);
}

// What looks better is visited first: the priors are a softmax of the children's values, with noise.
void Tree::set_priors(std::uint32_t index) {
    Node& node = nodes_[index];
    float sum = 0;
    for (std::uint32_t i = node.first; i < node.first + node.size; ++i) {
        Node& child = nodes_[i];
        const float chance = std::clamp(child.best[node.chooser], 0.001F, 0.999F);
        const float shift = options_.noise * (static_cast<float>(rng_.fraction()) - 0.5F);
        child.prior = std::exp(options_.inverse_temperature * std::log(chance / (1 - chance)) + shift);
        sum += child.prior;
    }
    for (std::uint32_t i = node.first; i < node.first + node.size; ++i) nodes_[i].prior /= sum;
    back_up(node);
}

}  // namespace limina::limit

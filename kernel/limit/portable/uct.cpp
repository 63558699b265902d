// The baseline: UCT as the textbooks have it, on the same two plies a turn, with random playouts at the leaves.
#include <algorithm>
#include <cmath>

#include "limit/portable/search.hpp"

namespace limina::limit {

namespace {

// Eight playouts take hardly longer than one, see playouts().
constexpr std::uint64_t kPlayouts = 8;

struct UctNode {
    Chances sum{};
    std::uint32_t visits = 0;
    std::uint32_t first = 0;
    std::uint16_t size = 0;
    Turn turn;
    bool halfway = false;
};

class Uct {
  public:
    Uct(const Layout& layout, const State& root, float exploration, Word seed)
        : layout_(layout), start_(root), exploration_(exploration), rng_(seed) {
        nodes_.push_back({});
        expand(0, root.position);
    }

    void iterate() {
        State state = start_;
        path_.assign(1, 0);
        std::vector<std::uint8_t> choosers{state.position.to_move};
        while (true) {
            const std::uint32_t at = path_.back();
            if (state.position.over || (nodes_[at].visits == 0 && at != 0)) break;
            if (nodes_[at].size == 0) expand(at, state.position);
            const std::uint32_t next = select(nodes_[at], state.position.to_move);
            path_.push_back(next);
            choosers.push_back(state.position.to_move);
            if (!nodes_[next].halfway) play(layout_, state, nodes_[next].turn);
        }
        // A playout from halfway begins with a removal at random.
        if (nodes_[path_.back()].halfway) {
            const Turn turn = nodes_[path_.back()].turn;
            Turn whole = turn;
            whole.removed = static_cast<std::uint8_t>(first(pick(removals_after(state.position, turn), rng_)));
            play(layout_, state, whole);
        }
        const Playouts result = playouts(layout_, state, kPlayouts, rng_.next());
        playouts_ += kPlayouts;
        for (const std::uint32_t index : path_) {
            nodes_[index].visits += kPlayouts;
            for (std::size_t i = 0; i < kMostPlayers; ++i) nodes_[index].sum[i] += static_cast<float>(result.credit[i]);
        }
    }

    std::uint64_t done() const { return playouts_; }
    std::size_t size() const { return nodes_.size(); }

    // The turn with most visits, with its visits and chances.
    Candidate best() {
        const auto most = [&](const UctNode& node) {
            std::uint32_t found = node.first;
            for (std::uint32_t i = node.first; i < node.first + node.size; ++i) {
                if (nodes_[i].visits > nodes_[found].visits) found = i;
            }
            return found;
        };
        std::uint32_t index = most(nodes_[0]);
        if (nodes_[index].halfway) {
            if (nodes_[index].size == 0) expand(index, start_.position);
            index = most(nodes_[index]);
        }
        const UctNode& node = nodes_[index];
        Candidate result{node.turn, node.sum, node.visits};
        for (float& chance : result.chances) chance /= static_cast<float>(std::max(node.visits, 1U));
        return result;
    }

  private:
    Word removals_after(const Position& position, Turn turn) const {
        return removals(layout_, turn.moves() ? after_move(layout_, position, turn.from, turn.to).position : position);
    }

    void expand(std::uint32_t index, const Position& position) {
        const auto first = static_cast<std::uint32_t>(nodes_.size());
        UctNode child;
        if (nodes_[index].halfway) {
            child.turn = nodes_[index].turn;
            for (Word tiles = removals_after(position, child.turn); tiles != 0;) {
                child.turn.removed = static_cast<std::uint8_t>(pop(tiles));
                nodes_.push_back(child);
            }
        } else {
            legal_turns(layout_, position, turns_);
            for (std::size_t i = 0; i < turns_.size(); ++i) {
                if (i > 0 && turns_[i - 1].from == turns_[i].from && turns_[i - 1].to == turns_[i].to) continue;
                child.halfway = turns_[i].removes();
                child.turn = {turns_[i].from, turns_[i].to};
                nodes_.push_back(child);
            }
        }
        nodes_[index].first = first;
        nodes_[index].size = static_cast<std::uint16_t>(nodes_.size() - first);
        for (unsigned left = nodes_[index].size; left > 1; --left) {
            std::swap(nodes_[first + left - 1], nodes_[first + rng_.below(left)]);
        }
    }

    // The children lie in random order, so the first one that was never visited is a random one.
    std::uint32_t select(const UctNode& node, std::size_t player) const {
        const float log = std::log(static_cast<float>(node.visits + 1));
        std::uint32_t chosen = node.first;
        float most = -1;
        for (std::uint32_t i = node.first; i < node.first + node.size; ++i) {
            const UctNode& child = nodes_[i];
            if (child.visits == 0) return i;
            const auto visits = static_cast<float>(child.visits);
            const float value = child.sum[player] / visits + exploration_ * std::sqrt(log / visits);
            if (value > most) {
                most = value;
                chosen = i;
            }
        }
        return chosen;
    }

    const Layout& layout_;
    State start_;
    float exploration_;
    Rng rng_;
    std::uint64_t playouts_ = 0;
    std::vector<UctNode> nodes_;
    std::vector<std::uint32_t> path_;
    std::vector<Turn> turns_;
};

}  // namespace

Report uct(const Layout& layout, const State& state, float exploration, const Bounds& bounds, Word seed) {
    const Timer timer;
    const Deadline deadline{timer, bounds.milliseconds / 1000, bounds.stop};
    Uct tree(layout, state, exploration, seed);
    while (tree.done() < bounds.work && tree.size() < kMostNodes && !deadline.passed()) tree.iterate();
    return {{tree.best()}, tree.done(), tree.size(), false};
}

}  // namespace limina::limit

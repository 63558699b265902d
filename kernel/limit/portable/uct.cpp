// UCT (Kocsis and Szepesvari, 2006), the baseline for the other bots: UCB1 selection and random playouts. As in
// SearchTree a turn is two plies, the pawn move and the removal.
#include <algorithm>
#include <cmath>

#include "limit/portable/search.hpp"

namespace limina::limit {

namespace {

// Playouts at a leaf. Eight take hardly longer than one, because they run in SIMD lanes.
constexpr std::uint64_t kPlayoutsPerLeaf = 8;

struct UctNode {
    WinProbabilities sum{};
    std::uint32_t visits = 0;
    std::uint32_t first_child = 0;
    std::uint16_t child_count = 0;
    Turn turn;
    bool needs_removal = false;
};

class UctTree {
  public:
    UctTree(const Layout& layout, const State& root, float exploration, std::uint64_t seed)
        : layout_(layout), root_state_(root), exploration_(exploration), rng_(seed) {
        nodes_.push_back({});
        expand(0, root.position);
    }

    void run_iteration() {
        State state = root_state_;
        path_.assign(1, 0);
        while (true) {
            const std::uint32_t at = path_.back();
            if (state.position.over || (nodes_[at].visits == 0 && at != 0)) break;
            if (nodes_[at].child_count == 0) expand(at, state.position);
            const std::uint32_t next = select(nodes_[at], state.position.to_move);
            path_.push_back(next);
            if (!nodes_[next].needs_removal) play(layout_, state, nodes_[next].turn);
        }
        // After a pawn move alone, complete the turn with a random removal before the playouts.
        if (nodes_[path_.back()].needs_removal) {
            const Turn turn = nodes_[path_.back()].turn;
            Turn complete = turn;
            complete.removed = static_cast<std::uint8_t>(lsb(random_bit(removals_after(state.position, turn), rng_)));
            play(layout_, state, complete);
        }
        const PlayoutResult result = playouts(layout_, state, kPlayoutsPerLeaf, rng_.next());
        playouts_done_ += kPlayoutsPerLeaf;
        for (const std::uint32_t index : path_) {
            nodes_[index].visits += kPlayoutsPerLeaf;
            for (std::size_t i = 0; i < kMaxPlayers; ++i)
                nodes_[index].sum[i] += static_cast<float>(result.win_credit[i]);
        }
    }

    std::uint64_t playouts_done() const { return playouts_done_; }
    std::size_t size() const { return nodes_.size(); }

    // Returns the turn with most visits.
    Candidate best() {
        const auto most_visited = [&](const UctNode& node) {
            std::uint32_t best = node.first_child;
            for (std::uint32_t i = node.first_child; i < node.first_child + node.child_count; ++i) {
                if (nodes_[i].visits > nodes_[best].visits) best = i;
            }
            return best;
        };
        std::uint32_t index = most_visited(nodes_[0]);
        if (nodes_[index].needs_removal) {
            if (nodes_[index].child_count == 0) expand(index, root_state_.position);
            index = most_visited(nodes_[index]);
        }
        const UctNode& node = nodes_[index];
        Candidate result{node.turn, node.sum, node.visits};
        for (float& probability : result.win_probabilities)
            probability /= static_cast<float>(std::max(node.visits, 1U));
        return result;
    }

  private:
    // Returns the tiles that may be removed after the pawn move of the turn, if it has one.
    Bitboard removals_after(const Position& position, Turn turn) const {
        return legal_removals(layout_,
                              turn.moves() ? after_move(layout_, position, turn.from, turn.to).position : position);
    }

    void expand(std::uint32_t index, const Position& position) {
        const auto first_child = static_cast<std::uint32_t>(nodes_.size());
        UctNode child;
        if (nodes_[index].needs_removal) {
            child.turn = nodes_[index].turn;
            for (Bitboard tiles = removals_after(position, child.turn); tiles != 0;) {
                child.turn.removed = static_cast<std::uint8_t>(pop_lsb(tiles));
                nodes_.push_back(child);
            }
        } else {
            legal_turns(layout_, position, turns_);
            for (std::size_t i = 0; i < turns_.size(); ++i) {
                if (i > 0 && turns_[i - 1].from == turns_[i].from && turns_[i - 1].to == turns_[i].to) continue;
                child.needs_removal = turns_[i].removes();
                child.turn = {turns_[i].from, turns_[i].to};
                nodes_.push_back(child);
            }
        }
        nodes_[index].first_child = first_child;
        nodes_[index].child_count = static_cast<std::uint16_t>(nodes_.size() - first_child);
        for (unsigned remaining = nodes_[index].child_count; remaining > 1; --remaining) {
            std::swap(nodes_[first_child + remaining - 1], nodes_[first_child + rng_.below(remaining)]);
        }
    }

    // Returns the child with the highest upper confidence bound, or an unvisited one. Children are shuffled, so the
    // first unvisited one is a random one.
    std::uint32_t select(const UctNode& node, std::size_t player) const {
        const float log = std::log(static_cast<float>(node.visits + 1));
        std::uint32_t chosen = node.first_child;
        float best_value = -1;
        for (std::uint32_t i = node.first_child; i < node.first_child + node.child_count; ++i) {
            const UctNode& child = nodes_[i];
            if (child.visits == 0) return i;
            const auto visits = static_cast<float>(child.visits);
            const float value = child.sum[player] / visits + exploration_ * std::sqrt(log / visits);
            if (value > best_value) {
                best_value = value;
                chosen = i;
            }
        }
        return chosen;
    }

    const Layout& layout_;
    State root_state_;
    float exploration_;
    Rng rng_;
    std::uint64_t playouts_done_ = 0;
    std::vector<UctNode> nodes_;
    std::vector<std::uint32_t> path_;
    std::vector<Turn> turns_;
};

}  // namespace

SearchResult uct(const Layout& layout, const State& state, float exploration, const SearchLimits& limits,
                 std::uint64_t seed) {
    const Timer timer;
    const Deadline deadline{timer, limits.milliseconds / 1000, limits.cancel_token};
    UctTree tree(layout, state, exploration, seed);
    while (tree.playouts_done() < limits.work && tree.size() < kMaxNodes && !deadline.has_passed())
        tree.run_iteration();
    return {{tree.best()}, tree.playouts_done(), tree.size(), false};
}

}  // namespace limina::limit

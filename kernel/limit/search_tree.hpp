// A best-first search tree of Limit. A turn is two plies of the same player, the pawn move and the removal, which
// divides the branching factor: a thousand turns are a hundred moves with ten removals each. Leaves are evaluated by
// the trained weights.
#pragma once

#include <cstdint>
#include <vector>

#include "common/deadline.hpp"
#include "limit/evaluation.hpp"
#include "limit/rules.hpp"
#include "limit/solver.hpp"

namespace limina::limit {

// The probability that a myopic player misses a pawn move. A myopic player looks no further than their own turn.
inline constexpr float kMissProbability = 0.2F;

// Parameters of the search. Selection adds an exploration bonus to the value of a child, as in PUCT.
struct SearchOptions {
    float exploration = 1.0F;          // factor of the bonus, which is high for a high prior and few visits
    float minimax_weight = 0.4F;       // weight of the minimax value; the rest is that of the mean of all visits
    float inverse_temperature = 1.0F;  // of the priors, a softmax of the first values of the children
    float noise = 0.1F;                // range of random shifts of the logits of the priors
    // The probability that each player is myopic. Used for the opponents of the player at the root while three players
    // are in the game. All others choose the best child.
    std::array<float, kMaxPlayers> myopic_probability{};
    int max_depth = 64;                       // turns
    float miss_rate = 0;                      // share of pawn moves that the search ignores, for weak bots
    int solver_max_tiles = 11;                // positions with up to so many tiles are solved exactly
    std::uint64_t solver_max_positions = 60;  // ... if the solver needs no more positions
    int root_solver_max_tiles = 16;           // the same for the root
    std::uint64_t root_solver_max_positions = 4000;
};

struct Node {
    WinProbabilities sum{};   // of the values of all visits and of the first evaluation
    WinProbabilities best{};  // minimax value; before expansion the first evaluation
    float prior = 0;
    float myopic_value = 0;  // value for the player who chooses it, if that player is myopic
    std::uint32_t visits = 0;
    std::uint32_t first_child = 0;  // index of the first child; children are contiguous
    std::uint16_t child_count = 0;
    Turn turn;                // turn that leads here, without the removal if that is next
    std::uint8_t player = 0;  // who chooses the child
    TurnPart part = TurnPart::move;
    bool may_be_myopic = false;  // `player` may be myopic
    bool is_expanded = false;
    bool is_proven = false;  // `best` is exact

    float mean(int player_index) const { return sum[player_index] / static_cast<float>(visits + 1); }
};

class SearchTree {
  public:
    // Trees with the same seed and different tree_index ignore the same moves (miss_rate) and differ in their noise.
    SearchTree(const Layout& layout, const Weights& weights, const State& root, const SearchOptions& options,
               std::uint64_t seed, unsigned tree_index = 0);

    // Selects a path to a leaf, expands it, and propagates its value to the root.
    void run_iteration();

    const Node& root() const { return nodes_.front(); }
    std::span<const Node> children(const Node& node) const {
        return std::span(nodes_).subspan(node.first_child, node.child_count);
    }
    // Expands the child of the root at `index` if its removal is next, so that it has complete turns.
    void expand_child(std::size_t index);

    // Returns the value of a child for the player who selects it, without the exploration bonus.
    float selection_value(const Node& child, int player) const;

    // Returns the number of evaluations so far. A position of the solver counts as 16, because it takes as much time.
    std::uint64_t work() const { return work_ + solver_.positions_searched() * 16; }
    // Returns the additional work of long paths: playing their turns takes time that counts if the path is long or ends
    // in a known result, as most paths do near the end of a game. Training ignores it, so that its results stay
    // reproducible.
    std::uint64_t path_work() const { return path_work_; }
    std::size_t size() const { return nodes_.size(); }
    const State& root_state() const { return root_state_; }

    // Calls visit(position, node) for all expanded nodes with at least so many visits.
    template <typename Visit>
    void for_each_visited(std::uint32_t visits, Visit visit) const {
        for_each_visited(root(), root_state_, visits, visit);
    }

  private:
    template <typename Visit>
    void for_each_visited(const Node& node, const State& state, std::uint32_t visits, Visit& visit) const {
        if (!node.is_expanded || node.visits < visits) return;
        const bool halfway = node.part == TurnPart::removal && node.turn.moves();
        visit(halfway ? after_move(layout_, state.position, node.turn.from, node.turn.to).position : state.position,
              node);
        for (const Node& child : children(node)) {
            if (child.part == TurnPart::removal) {
                for_each_visited(child, state, visits, visit);
            } else if (child.is_expanded && child.visits >= visits) {
                State next = state;
                play(layout_, next, child.turn);
                for_each_visited(child, next, visits, visit);
            }
        }
    }

    std::size_t select(const Node& node) const;
    std::size_t select_myopically(const Node& node);
    std::uint32_t draw_myopic_players();
    bool may_be_myopic(const Node& node, const Position& position) const;
    void add_children(std::uint32_t index, std::uint32_t first_child, const Position& position);
    void expand(std::uint32_t index, const State& state);
    void expand_moves(std::uint32_t index, const State& state);
    void expand_removals(std::uint32_t index, const State& state);
    Node make_leaf(const State& state, Turn turn);
    bool is_missed(const Position& position, Turn turn) const;
    void set_priors(std::uint32_t index);
    void back_up(Node& node);
    void back_up_myopic(Node& node, bool all_proven) const;

    const Layout& layout_;
    const Weights& weights_;
    State root_state_;
    SearchOptions options_;
    std::uint64_t seed_;
    Rng rng_;
    Solver solver_;
    std::uint64_t work_ = 0;
    std::uint64_t path_work_ = 0;
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> path_;
    std::vector<Turn> turns_;
};

}  // namespace limina::limit

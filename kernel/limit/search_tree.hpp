// A search tree of Limit, grown best first. A turn is two plies, the pawn move and the removal, both chosen by the same
// player, so that a thousand turns are a hundred moves with ten removals each. New nodes begin with the trained value.
#pragma once

#include <cstdint>
#include <vector>

#include "common/deadline.hpp"
#include "limit/evaluation.hpp"
#include "limit/rules.hpp"
#include "limit/solver.hpp"

namespace limina::limit {

// How often one who looks at his own turn only overlooks a pawn move.
inline constexpr float kMissProbability = 0.2F;

// How a tree is grown. A child is selected by its value and a bonus for exploration, as in PUCT.
struct SearchOptions {
    float exploration = 1.0F;          // the factor of the bonus for a high prior and few visits
    float minimax_weight = 0.4F;       // how much the best line counts, against the mean of all lines
    float inverse_temperature = 1.0F;  // of the priors, a softmax of the children's first values
    float noise = 0.1F;                // how far the logits of the priors are shifted at random
    // How likely each player is to be one who looks at his own turn only, and overlooks a move now and then; counts for
    // the enemies of the one who thinks, while three are in the game. Otherwise they choose as well as he can see.
    std::array<float, kMaxPlayers> myopic_probability{};
    int max_depth = 64;                       // turns looked ahead
    float miss_rate = 0;                      // the share of pawn moves that are overlooked
    int solver_max_tiles = 11;                // positions with so many tiles or fewer are solved
    std::uint64_t solver_max_positions = 60;  // ... if that takes no more positions than these
    int root_solver_max_tiles = 16;           // the same for the position that a search begins with
    std::uint64_t root_solver_max_positions = 4000;
};

struct Node {
    WinProbabilities sum{};   // of the values of all visits, and of the first judgement
    WinProbabilities best{};  // with the best replies found; before that the first judgement
    float prior = 0;
    float myopic_value = 0;  // what it is worth to the one who chooses it, if he looks no further than his own turn
    std::uint32_t visits = 0;
    std::uint32_t first_child = 0;  // of its children, which lie in a row
    std::uint16_t child_count = 0;
    Turn turn;  // what leads here; its removal is none while that is still to come
    std::uint8_t player = 0;
    TurnPart part = TurnPart::move;
    bool may_be_myopic = false;  // its chooser may look at his own turn only
    bool is_expanded = false;    // has children
    bool is_proven = false;      // best is the result, whoever plays how

    float mean(int player_index) const { return sum[player_index] / static_cast<float>(visits + 1); }
};

class SearchTree {
  public:
    // Trees with one seed and different numbers overlook the same moves, and differ in their noise.
    SearchTree(const Layout& layout, const Weights& weights, const State& root, const SearchOptions& options,
               std::uint64_t seed, unsigned tree_index = 0);

    // Selects a line down to a leaf, expands it, and backs its value up to the root.
    void run_iteration();

    const Node& root() const { return nodes_.front(); }
    std::span<const Node> children(const Node& node) const {
        return std::span(nodes_).subspan(node.first_child, node.child_count);
    }
    // Makes sure that the child of the root has children, so that a whole turn can be named.
    void expand_child(std::size_t index);

    // What a child is worth to the one who chooses it.
    float selection_value(const Node& child, int player) const;

    // Judgements made so far, where a solved position counts for as many as it takes the time of.
    std::uint64_t work() const { return work_ + solver_.positions_searched() * 16; }
    // To play the turns of a line takes time as well. It is nothing beside what is judged at its end, unless the line
    // is long or ends in what is known: then these are its turns. Where there are few to choose from, nearly all lines
    // are like that. Training does not count them, so that it repeats what it taught before.
    std::uint64_t path_work() const { return path_work_; }
    std::size_t size() const { return nodes_.size(); }
    const State& root_state() const { return root_state_; }

    // Visits all nodes with children and as many visits, with their positions.
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

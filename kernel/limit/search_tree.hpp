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
inline constexpr float kOverlooks = 0.2F;

// How a tree is grown. A child is selected by its value and a bonus for exploration, as in PUCT.
struct SearchOptions {
    float exploration = 1.0F;          // the factor of the bonus for a high prior and few visits
    float minimax_weight = 0.4F;       // how much the best line counts, against the mean of all lines
    float inverse_temperature = 1.0F;  // of the priors, a softmax of the children's first values
    float noise = 0.1F;                // how far the logits of the priors are shifted at random
    // How likely each player is to be one who looks at his own turn only, and overlooks a move now and then; counts for
    // the enemies of the one who thinks, while three are in the game. Otherwise they choose as well as he can see.
    std::array<float, kMostPlayers> shallow{};
    int max_depth = 64;                  // turns looked ahead
    float miss_rate = 0;                 // the share of pawn moves that are overlooked
    int solve_tiles = 11;                // positions with so many tiles or fewer are solved
    std::uint64_t solve_positions = 60;  // ... if that takes no more positions than these
    int solve_root_tiles = 16;           // the same for the position that a search begins with
    std::uint64_t solve_root_positions = 4000;
};

struct Node {
    Chances sum{};   // of the values of all visits, and of the first judgement
    Chances best{};  // with the best replies found; before that the first judgement
    float prior = 0;
    float glance = 0;  // what it is worth to the one who chooses it, if he looks no further than his own turn
    std::uint32_t visits = 0;
    std::uint32_t first = 0;  // of its children, which lie in a row
    std::uint16_t size = 0;
    Turn turn;  // what leads here; its removal is none while that is still to come
    std::uint8_t chooser = 0;
    Part part = Part::move;
    bool may_be_shallow = false;  // its chooser may look at his own turn only
    bool expanded = false;        // has children
    bool proven = false;          // best is the result, whoever plays how

    float mean(int player) const { return sum[static_cast<std::size_t>(player)] / static_cast<float>(visits + 1); }
};

class Tree {
  public:
    // Trees with one seed and different numbers overlook the same moves, and differ in their noise.
    Tree(const Layout& layout, const Values& values, const State& root, const SearchOptions& options, Word seed,
         unsigned number = 0);

    // Selects a line down to a leaf, expands it, and backs its value up to the root.
    void iterate();

    const Node& root() const { return nodes_.front(); }
    std::span<const Node> children(const Node& node) const { return std::span(nodes_).subspan(node.first, node.size); }
    // Makes sure that the child of the root has children, so that a whole turn can be named.
    void expand_child(std::size_t index);

    // What a child is worth to the one who chooses it.
    float worth(const Node& child, int chooser) const;

    // Judgements made so far, where a solved position counts for as many as it takes the time of.
    std::uint64_t work() const { return work_ + solver_.looked_at() * 16; }
    // To play the turns of a line takes time as well. It is nothing beside what is judged at its end, unless the line
    // is long or ends in what is known: then these are its turns. Where there are few to choose from, nearly all lines
    // are like that. Training does not count them, so that it repeats what it taught before.
    std::uint64_t walked() const { return walked_; }
    std::size_t size() const { return nodes_.size(); }
    const State& start() const { return start_; }

    // Visits all nodes with children and as many visits, with their positions.
    template <typename Visit>
    void each(std::uint32_t visits, Visit visit) const {
        each(root(), start_, visits, visit);
    }

  private:
    template <typename Visit>
    void each(const Node& node, const State& state, std::uint32_t visits, Visit& visit) const {
        if (!node.expanded || node.visits < visits) return;
        const bool halfway = node.part == Part::removal && node.turn.moves();
        visit(halfway ? after_move(layout_, state.position, node.turn.from, node.turn.to).position : state.position,
              node);
        for (const Node& child : children(node)) {
            if (child.part == Part::removal) {
                each(child, state, visits, visit);
            } else if (child.expanded && child.visits >= visits) {
                State next = state;
                play(layout_, next, child.turn);
                each(child, next, visits, visit);
            }
        }
    }

    std::size_t select(const Node& node) const;
    std::size_t select_at_a_glance(const Node& node);
    std::uint32_t draw_shallow();
    bool may_be_shallow(const Node& node, const Position& position) const;
    void add_children(std::uint32_t index, std::uint32_t first, const Position& position);
    void expand(std::uint32_t index, const State& state);
    void expand_moves(std::uint32_t index, const State& state);
    void expand_removals(std::uint32_t index, const State& state);
    Node evaluated(const State& state, Turn turn);
    bool missed(const Position& position, Turn turn) const;
    void set_priors(std::uint32_t index);
    void back_up(Node& node);
    void mix_in_shallow(Node& node, bool all_proven) const;

    const Layout& layout_;
    const Values& values_;
    State start_;
    SearchOptions options_;
    Word seed_;
    Rng rng_;
    Solver solver_;
    std::uint64_t work_ = 0;
    std::uint64_t walked_ = 0;
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> path_;
    std::vector<Turn> turns_;
};

}  // namespace limina::limit

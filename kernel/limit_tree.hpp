// A search tree of Limit, grown best first. A turn is two plies, the pawn move and the removal, both chosen by the same
// player, so that a thousand turns are a hundred moves with ten removals each. New nodes begin with the trained value.
#pragma once

#include <cstdint>
#include <vector>

#include "limit.hpp"
#include "limit_solve.hpp"
#include "limit_value.hpp"
#include "search.hpp"

namespace limina::limit {

// How a tree is grown.
struct Growth {
    float curiosity = 1.0F;         // how much a promising child with few visits is preferred
    float trust = 0.4F;             // how much the best line counts, against the mean of all lines
    float sharpness = 1.0F;         // how much better a child must look to be visited first
    float whim = 0.1F;              // how far chance shifts what looks promising
    int sight = 64;                 // turns looked ahead
    float blindness = 0;            // the share of pawn moves that are overlooked
    int solve_tiles = 11;           // positions with as many tiles are solved
    std::uint64_t solve_most = 60;  // positions looked at for that
    int solve_first_tiles = 16;     // the position that a search begins with is solved
    std::uint64_t solve_first_most = 4000;
};

struct Node {
    Chances sum{};   // of the values of all visits, and of the first judgement
    Chances best{};  // with the best replies found; before that the first judgement
    float promise = 0;
    std::uint32_t visits = 0;
    std::uint32_t first = 0;  // of its children, which lie in a row
    std::uint16_t size = 0;
    Turn turn;  // what leads here; its removal is none while that is still to come
    std::uint8_t chooser = 0;
    Part part = Part::move;
    bool open = false;    // has children
    bool proven = false;  // best is the result with best play

    float mean(int player) const { return sum[static_cast<std::size_t>(player)] / static_cast<float>(visits + 1); }
};

class Tree {
  public:
    // Trees with one seed and different numbers overlook the same moves, and differ in their whims.
    Tree(const Layout& layout, const Values& values, const State& root, const Growth& growth, Word seed,
         unsigned number = 0);

    // Follows the most promising line to its end, looks one ply further, and takes the news back to the root.
    void grow();

    const Node& root() const { return nodes_.front(); }
    std::span<const Node> children(const Node& node) const { return std::span(nodes_).subspan(node.first, node.size); }
    // Makes sure that the child of the root has children, so that a whole turn can be named.
    void open_child(std::size_t index);

    // What a child is worth to the one who chooses it.
    float worth(const Node& child, int chooser) const;

    // Judgements made so far, where a solved position counts for as many as it takes the time of.
    std::uint64_t work() const { return work_ + solver_.looked_at() * 16; }
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
        if (!node.open || node.visits < visits) return;
        const bool halfway = node.part == Part::removal && node.turn.moves();
        visit(halfway ? after_move(layout_, state.position, node.turn.from, node.turn.to).position : state.position,
              node);
        for (const Node& child : children(node)) {
            if (child.part == Part::removal) {
                each(child, state, visits, visit);
            } else if (child.open && child.visits >= visits) {
                State next = state;
                play(layout_, next, child.turn);
                each(child, next, visits, visit);
            }
        }
    }

    std::size_t choose(const Node& node) const;
    void open(std::uint32_t index, const State& state);
    void open_moves(std::uint32_t index, const State& state);
    void open_removals(std::uint32_t index, const State& state);
    Node judged(const State& state, Turn turn);
    bool overlooked(const Position& position, Turn turn) const;
    void set_promises(std::uint32_t index);
    void take_best(Node& node);

    const Layout& layout_;
    const Values& values_;
    State start_;
    Growth growth_;
    Word seed_;
    Chance chance_;
    Solver solver_;
    std::uint64_t work_ = 0;
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> path_;
    std::vector<Turn> turns_;
};

}  // namespace limina::limit

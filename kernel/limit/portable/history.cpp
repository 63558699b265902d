// What the repetition ruling compares, and the ends of turns that it is compared with.
#include <bit>

#include "limit/rules.hpp"

namespace limina::limit {

namespace {

Word hash_from(Word state, const Position& position) {
    for (const Word part : {position.tiles, position.pawns[0], position.pawns[1], position.pawns[2]}) {
        state = Rng(state ^ part).next();
    }
    return state;
}

// A hash of what `repeats` compares and of nothing else: it tells the way through the tree.
Word way_to(const Position& position) { return hash_from(position.to_move, position); }

constexpr int kBits = 3;  // of the way, a step down the tree
constexpr std::size_t kBranches = 1U << kBits;

}  // namespace

bool repeats(const Position& one, const Position& other) {
    return one.tiles == other.tiles && one.pawns == other.pawns && one.to_move == other.to_move;
}

Word hash(const Position& position) {
    return hash_from(position.to_move | (position.captures_forbidden() ? 4 + position.turn * 4 : 0), position);
}

// Each node holds an end; where the ways of two ends part, so do the branches.
struct History::Node {
    Position end;
    std::uint32_t place = 0;  // how many ends came before this one
    std::uint32_t size = 1;   // how many are in this node and below
    std::array<Link, kBranches> branches{};
};

std::size_t History::size() const { return root_ ? root_->size : 0; }

bool History::holds(const Position& position) const {
    Word way = way_to(position);
    for (const Node* node = root_.get(); node != nullptr; way = std::rotr(way, kBits)) {
        if (repeats(node->end, position)) return true;
        node = node->branches[way % kBranches].get();
    }
    return false;
}

History History::with(const Position& end) const {
    History longer;
    longer.root_ = with(root_, end, static_cast<std::uint32_t>(size()), way_to(end));
    return longer;
}

History::Link History::with(const Link& node, const Position& end, std::uint32_t place, Word way) {
    if (!node) return std::make_shared<const Node>(Node{end, place});
    auto copy = std::make_shared<Node>(*node);
    ++copy->size;
    Link& branch = copy->branches[way % kBranches];
    branch = with(branch, end, place, std::rotr(way, kBits));
    return copy;
}

std::vector<Position> History::ends() const {
    std::vector<Position> found(size());
    std::vector<const Node*> open;
    if (root_) open.push_back(root_.get());
    while (!open.empty()) {
        const Node* node = open.back();
        open.pop_back();
        found[node->place] = node->end;
        for (const Link& branch : node->branches) {
            if (branch) open.push_back(branch.get());
        }
    }
    return found;
}

bool History::operator==(const History& other) const {
    return root_ == other.root_ || (size() == other.size() && ends() == other.ends());
}

}  // namespace limina::limit

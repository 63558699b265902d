// The repetition rule: what it compares, and the history of positions that it compares with.
#include <bit>

#include "limit/rules.hpp"

namespace limina::limit {

namespace {

std::uint64_t hash_with(std::uint64_t state, const Position& position) {
    for (const Bitboard bits : {position.tiles, position.pawns[0], position.pawns[1], position.pawns[2]}) {
        state = Rng(state ^ bits).next();
    }
    return state;
}

// Returns a hash of exactly what `equal_for_repetition` compares. Its bits are the path of a position through the tree.
std::uint64_t path_bits_of(const Position& position) { return hash_with(position.to_move, position); }

constexpr int kBranchBits = 3;  // bits of the path for each level of the tree
constexpr std::size_t kBranchCount = 1U << kBranchBits;

}  // namespace

bool equal_for_repetition(const Position& one, const Position& other) {
    return one.tiles == other.tiles && one.pawns == other.pawns && one.to_move == other.to_move;
}

std::uint64_t hash(const Position& position) {
    return hash_with(position.to_move | (position.captures_forbidden() ? 4 + position.turn * 4 : 0), position);
}

// A node of a persistent hash trie. It holds one position itself and the others of its subtree by the next bits of
// their paths.
struct History::Node {
    Position end;
    std::uint32_t index = 0;  // number of ends that were added before
    std::uint32_t size = 1;   // number of ends in the subtree
    std::array<NodePtr, kBranchCount> branches{};
};

std::size_t History::size() const { return root_ ? root_->size : 0; }

bool History::contains(const Position& position) const {
    std::uint64_t path_bits = path_bits_of(position);
    for (const Node* node = root_.get(); node != nullptr; path_bits = std::rotr(path_bits, kBranchBits)) {
        if (equal_for_repetition(node->end, position)) return true;
        node = node->branches[path_bits % kBranchCount].get();
    }
    return false;
}

History History::with_end(const Position& end) const {
    History longer;
    longer.root_ = with_end(root_, end, static_cast<std::uint32_t>(size()), path_bits_of(end));
    return longer;
}

History::NodePtr History::with_end(const NodePtr& node, const Position& end, std::uint32_t index,
                                   std::uint64_t path_bits) {
    if (!node) return std::make_shared<const Node>(Node{end, index});
    auto copy = std::make_shared<Node>(*node);
    ++copy->size;
    NodePtr& branch = copy->branches[path_bits % kBranchCount];
    branch = with_end(branch, end, index, std::rotr(path_bits, kBranchBits));
    return copy;
}

std::vector<Position> History::ends() const {
    std::vector<Position> positions(size());
    std::vector<const Node*> pending;
    if (root_) pending.push_back(root_.get());
    while (!pending.empty()) {
        const Node* node = pending.back();
        pending.pop_back();
        positions[node->index] = node->end;
        for (const NodePtr& branch : node->branches) {
            if (branch) pending.push_back(branch.get());
        }
    }
    return positions;
}

bool History::operator==(const History& other) const {
    return root_ == other.root_ || (size() == other.size() && ends() == other.ends());
}

}  // namespace limina::limit

#include "limit/evaluation.hpp"

#include <algorithm>

namespace limina::limit {

namespace {

using namespace patterns;

// A ring is the content of the six sides of a tile, in the order of Layout::neighbor_sides, as two bits each: 0 for no
// tile, 1 for an empty one, 2 for an own pawn, 3 for another pawn.
constexpr int kRingCodes = 1 << 12;

// Maps a set of sides to the lower of the two bits of each.
constexpr std::array<std::uint16_t, 64> kSpreadSides = [] {
    std::array<std::uint16_t, 64> pairs{};
    for (unsigned set = 0; set < pairs.size(); ++set) {
        for (int side = 0; side < 6; ++side) pairs[set] |= static_cast<std::uint16_t>((set >> side & 1) << (2 * side));
    }
    return pairs;
}();

// The classes of rings that are equal up to rotation and reflection.
struct RingClasses {
    std::array<std::uint16_t, kRingCodes> class_of_ring{};
    std::array<std::uint16_t, kRingClassCount> example_of_class{};  // the lowest ring of each class
    int count = 0;
};

constexpr RingClasses kRingClasses = [] {
    constexpr std::array<int, 6> kCircle{5, 4, 2, 0, 1, 3};  // the sides in order around a tile
    RingClasses rings;
    std::array<bool, kRingCodes> is_known{};
    for (int ring = 0; ring < kRingCodes; ++ring) {
        if (is_known[ring]) continue;
        for (int symmetry = 0; symmetry < 12; ++symmetry) {
            int equivalent = 0;
            for (int i = 0; i < 6; ++i) {
                const int target_side = symmetry < 6 ? (i + symmetry) % 6 : (17 - i - symmetry) % 6;
                const int content = ring >> (2 * kCircle[i]) & 3;
                equivalent |= content << (2 * kCircle[target_side]);
            }
            is_known[equivalent] = true;
            rings.class_of_ring[equivalent] = static_cast<std::uint16_t>(rings.count);
        }
        rings.example_of_class[rings.count] = static_cast<std::uint16_t>(ring);
        ++rings.count;
    }
    return rings;
}();
static_assert(kRingClasses.count == kRingClassCount);

int count_empty_sides(int ring_class) {
    int count = 0;
    for (unsigned ring = kRingClasses.example_of_class[ring_class]; ring != 0; ring >>= 2) count += (ring & 3) == 1;
    return count;
}

// Returns the stage of the game by the number of tiles that are left.
int stage(int tiles) {
    constexpr std::array<int, kStages - 1> kMaxTilesOfStage{10, 14, 19, 25, 33, 45};
    int stage = 0;
    for (const int max_tiles : kMaxTilesOfStage) stage += tiles > max_tiles;
    return stage;
}

// Returns the index of the first weight of the set for this stage, part of a turn and role of the player.
int set_offset(const Position& position, TurnPart part, int player) {
    int role = 0;
    if (popcount(position.players_in_game()) > 2) role = 1 + (player - position.to_move + kMaxPlayers) % kMaxPlayers;
    return ((role * kTurnParts + static_cast<int>(part)) * kStages + stage(popcount(position.tiles))) * kPatternsPerSet;
}

// Returns the seeds and all tiles in `within` that are connected with them.
Bitboard flood(const Layout& layout, Bitboard seeds, Bitboard within) {
    while (true) {
        const Bitboard reached = seeds | (layout.neighbors_of(seeds) & within);
        if (reached == seeds) return seeds;
        seeds = reached;
    }
}

// A position from the point of view of one player, and the patterns that are active in it.
struct PlayerView {
    const Layout& layout;
    Bitboard own, others, empty, edge_tiles;  // pawns of the player, other pawns, empty tiles, tiles with a free edge
    Bitboard own_reach, others_reach;         // empty tiles that a pawn of the player, or another one, can reach

    PlayerView(const Layout& board_layout, const Position& position, int player)
        : layout(board_layout),
          own(position.pawns[player]),
          others(position.all_pawns() & ~own),
          empty(position.empty_tiles()),
          edge_tiles(position.edge_tiles),
          own_reach(flood(layout, layout.neighbors_of(own) & empty, empty)),
          others_reach(flood(layout, layout.neighbors_of(others) & empty, empty)) {}

    template <typename Visit>
    void visit_tiles(Bitboard set, int tile_kind, Visit& visit) const {
        const int start = kTilePatterns + tile_kind * kRingClassCount;
        while (set != 0) {
            const int tile = pop_lsb(set);
            const Bitboard neighbors = layout.neighbors[tile],
                           neighbor_sides = kSpreadSides[layout.neighbor_sides[tile]];
            const Bitboard low_bits = pdep(pext(empty | others, neighbors), neighbor_sides);
            const Bitboard high_bits = pdep(pext(own | others, neighbors), neighbor_sides);
            visit(start + kRingClasses.class_of_ring[low_bits | high_bits << 1]);
        }
    }

    template <typename Visit>
    void visit_groups(Bitboard pawns, int side, Bitboard enemy_reach, Visit& visit) const {
        while (pawns != 0) {
            Bitboard group = isolate_lsb(pawns);
            Bitboard neighbors = layout.neighbors[lsb(pawns)];
            if ((neighbors & pawns) != 0) {
                group = flood(layout, group, pawns);
                neighbors = layout.neighbors_of(group);
            }
            pawns &= ~group;
            const Bitboard freedoms = neighbors & empty;
            const int size = std::min(popcount(group), 4) - 1;
            const int freedom_count = std::min(popcount(freedoms), 4);
            const int edge_freedoms = std::min(popcount(freedoms & edge_tiles), 2);
            const int enemy_freedoms = std::min(popcount(freedoms & enemy_reach), 2);
            visit(kGroupsStart + (((side * 4 + size) * 5 + freedom_count) * 3 + edge_freedoms) * 3 + enemy_freedoms);
        }
    }

    template <typename Visit>
    void visit_all(Visit& visit) const {
        visit_tiles(own, 0, visit);
        visit_tiles(others, 1, visit);
        visit_tiles(empty & own_reach & others_reach, 2, visit);
        visit_tiles(empty & own_reach & ~others_reach, 3, visit);
        visit_tiles(empty & ~own_reach & others_reach, 4, visit);
        visit_tiles(empty & ~own_reach & ~others_reach, 5, visit);
        visit_groups(own, 0, others_reach, visit);
        visit_groups(others, 1, own_reach, visit);
        visit(kPawnCountsStart + std::min(popcount(own), 16) * 17 + std::min(popcount(others), 16));
        visit(kEmptyCountsStart + std::min(popcount(empty), 16));
    }
};

float logit(const Layout& layout, const Weights& weights, const Position& position, TurnPart part, int player) {
    const float* values = weights.values.data() + set_offset(position, part, player);
    float sum = 0;
    auto add = [&](int pattern) { sum += values[pattern]; };
    PlayerView(layout, position, player).visit_all(add);
    return sum;
}

}  // namespace

Weights naive_weights() {
    constexpr float kPawn = 0.8F, kFreedom = 0.1F;  // logits of a pawn and of each empty tile beside it
    Weights weights;
    for (std::size_t i = 0; i < weights.values.size(); ++i) {
        const int pattern = static_cast<int>(i) % kPatternsPerSet;
        const int tile_kind = (pattern - kTilePatterns) / kRingClassCount;
        if (pattern >= kGroupsStart || tile_kind > 1) continue;
        const float value =
            kPawn + kFreedom * static_cast<float>(count_empty_sides((pattern - kTilePatterns) % kRingClassCount));
        weights.values[i] = tile_kind == 0 ? value : -value;
    }
    return weights;
}

void active_patterns(const Layout& layout, const Position& position, TurnPart part, int player,
                     std::vector<int>& active) {
    active.clear();
    const int start = set_offset(position, part, player);
    auto add = [&](int pattern) { active.push_back(start + pattern); };
    PlayerView(layout, position, player).visit_all(add);
}

WinProbabilities probabilities_from_logits(const Position& position, const WinProbabilities& logits) {
    WinProbabilities win_probabilities{};
    const unsigned in_game = position.players_in_game();
    if (popcount(in_game) == 2) {
        const float own = sigmoid(logits[position.to_move]);
        win_probabilities[position.to_move] = own;
        win_probabilities[lsb(in_game & ~(1U << position.to_move))] = 1 - own;
        return win_probabilities;
    }
    float max_logit = -1e9F, sum = 0;
    for (Bitboard players = in_game; players != 0;) max_logit = std::max(max_logit, logits[pop_lsb(players)]);
    for (Bitboard players = in_game; players != 0;) {
        const int player = pop_lsb(players);
        sum += win_probabilities[player] = std::exp(logits[player] - max_logit);
    }
    for (float& probability : win_probabilities) probability /= sum;
    return win_probabilities;
}

WinProbabilities evaluate(const Layout& layout, const Weights& weights, const Position& position, TurnPart part) {
    const unsigned in_game = position.players_in_game();
    WinProbabilities logits{};
    if (popcount(in_game) == 2) {
        logits[position.to_move] = logit(layout, weights, position, part, position.to_move);
    } else if (popcount(in_game) == 3) {
        for (std::size_t player = 0; player < kMaxPlayers; ++player) {
            logits[player] = logit(layout, weights, position, part, static_cast<int>(player));
        }
    }
    return probabilities_from_logits(position, logits);
}

WinProbabilities terminal_win_probabilities(const Position& position) {
    WinProbabilities win_probabilities{};
    for (std::size_t player = 0; player < kMaxPlayers; ++player) {
        if (contains(position.winners, static_cast<int>(player))) {
            win_probabilities[player] = 1.0F / static_cast<float>(popcount(position.winners));
        }
    }
    return win_probabilities;
}

}  // namespace limina::limit

#include "limit/evaluation.hpp"

#include <algorithm>

namespace limina::limit {

namespace {

using namespace patterns;

// The sides of a tile in the order of Layout::sides, two bits each: nothing 0, empty 1, own pawn 2, other pawn 3.
constexpr int kRings = 1 << 12;

// A set of sides as the lower of the two bits of each.
constexpr std::array<std::uint16_t, 64> kPairs = [] {
    std::array<std::uint16_t, 64> pairs{};
    for (unsigned set = 0; set < pairs.size(); ++set) {
        for (int side = 0; side < 6; ++side) pairs[set] |= static_cast<std::uint16_t>((set >> side & 1) << (2 * side));
    }
    return pairs;
}();

// All rings by the number of what they look like, and a ring for each number.
struct Rings {
    std::array<std::uint16_t, kRings> looks{};
    std::array<std::uint16_t, kAround> like{};
    int count = 0;
};

constexpr Rings kLooks = [] {
    constexpr std::array<int, 6> kRound{5, 4, 2, 0, 1, 3};  // the sides one after the other around a tile
    Rings rings;
    std::array<bool, kRings> known{};
    for (int ring = 0; ring < kRings; ++ring) {
        if (known[static_cast<std::size_t>(ring)]) continue;
        for (int turned = 0; turned < 12; ++turned) {
            int same = 0;
            for (int i = 0; i < 6; ++i) {
                const int other = turned < 6 ? (i + turned) % 6 : (17 - i - turned) % 6;
                const int holds = ring >> (2 * kRound[static_cast<std::size_t>(i)]) & 3;
                same |= holds << (2 * kRound[static_cast<std::size_t>(other)]);
            }
            known[static_cast<std::size_t>(same)] = true;
            rings.looks[static_cast<std::size_t>(same)] = static_cast<std::uint16_t>(rings.count);
        }
        rings.like[static_cast<std::size_t>(rings.count)] = static_cast<std::uint16_t>(ring);
        ++rings.count;
    }
    return rings;
}();
static_assert(kLooks.count == kAround);

int empty_sides(int look) {
    int found = 0;
    for (unsigned ring = kLooks.like[static_cast<std::size_t>(look)]; ring != 0; ring >>= 2) found += (ring & 3) == 1;
    return found;
}

int stage(int tiles) {
    constexpr std::array<int, kStages - 1> kEnds{10, 14, 19, 25, 33, 45};
    int stage = 0;
    for (const int end : kEnds) stage += tiles > end;
    return stage;
}

// The first weight of the set that fits.
int base(const Position& position, Part part, int player) {
    int role = 0;
    if (count(position.in_game()) > 2) role = 1 + (player - position.to_move + kMostPlayers) % kMostPlayers;
    return ((role * kParts + static_cast<int>(part)) * kStages + stage(count(position.tiles))) * kInSet;
}

// All that the seeds are connected with inside `within`, themselves included.
Word connected(const Layout& layout, Word seeds, Word within) {
    while (true) {
        const Word more = seeds | (layout.near(seeds) & within);
        if (more == seeds) return seeds;
        seeds = more;
    }
}

// What one player sees of a position.
struct View {
    const Layout& layout;
    Word own, others, empty, rim;
    Word own_reach, others_reach;

    View(const Layout& the_layout, const Position& position, int player)
        : layout(the_layout),
          own(position.pawns[static_cast<std::size_t>(player)]),
          others(position.all_pawns() & ~own),
          empty(position.empty()),
          rim(position.rim),
          own_reach(connected(layout, layout.near(own) & empty, empty)),
          others_reach(connected(layout, layout.near(others) & empty, empty)) {}

    template <typename Visit>
    void tiles(Word set, int kind, Visit& visit) const {
        const int start = kTiles + kind * kAround;
        while (set != 0) {
            const auto tile = static_cast<std::size_t>(pop(set));
            const Word around = layout.neighbours[tile], sides = kPairs[layout.sides[tile]];
            const Word low = scatter(gather(empty | others, around), sides);
            const Word high = scatter(gather(own | others, around), sides);
            visit(start + kLooks.looks[low | high << 1]);
        }
    }

    template <typename Visit>
    void groups(Word pawns, int side, Word enemy_reach, Visit& visit) const {
        while (pawns != 0) {
            Word group = lowest(pawns);
            Word around = layout.neighbours[static_cast<std::size_t>(first(pawns))];
            if ((around & pawns) != 0) {
                group = connected(layout, group, pawns);
                around = layout.near(group);
            }
            pawns &= ~group;
            const Word freedoms = around & empty;
            const int size = std::min(count(group), 4) - 1;
            const int free = std::min(count(freedoms), 4);
            const int open = std::min(count(freedoms & rim), 2);
            const int reached = std::min(count(freedoms & enemy_reach), 2);
            visit(kGroups + (((side * 4 + size) * 5 + free) * 3 + open) * 3 + reached);
        }
    }

    template <typename Visit>
    void all(Visit& visit) const {
        tiles(own, 0, visit);
        tiles(others, 1, visit);
        tiles(empty & own_reach & others_reach, 2, visit);
        tiles(empty & own_reach & ~others_reach, 3, visit);
        tiles(empty & ~own_reach & others_reach, 4, visit);
        tiles(empty & ~own_reach & ~others_reach, 5, visit);
        groups(own, 0, others_reach, visit);
        groups(others, 1, own_reach, visit);
        visit(kPawns + std::min(count(own), 16) * 17 + std::min(count(others), 16));
        visit(kEmpty + std::min(count(empty), 16));
    }
};

float logit(const Layout& layout, const Values& values, const Position& position, Part part, int player) {
    const float* weights = values.weights.data() + base(position, part, player);
    float sum = 0;
    auto add = [&](int pattern) { sum += weights[pattern]; };
    View(layout, position, player).all(add);
    return sum;
}

}  // namespace

Values naive_values() {
    constexpr float kPawn = 0.8F, kFreedom = 0.1F;
    Values values;
    for (std::size_t i = 0; i < values.weights.size(); ++i) {
        const int pattern = static_cast<int>(i) % kInSet;
        const int kind = (pattern - kTiles) / kAround;
        if (pattern >= kGroups || kind > 1) continue;
        const float worth = kPawn + kFreedom * static_cast<float>(empty_sides((pattern - kTiles) % kAround));
        values.weights[i] = kind == 0 ? worth : -worth;
    }
    return values;
}

void active_patterns(const Layout& layout, const Position& position, Part part, int player, std::vector<int>& seen) {
    seen.clear();
    const int start = base(position, part, player);
    auto add = [&](int pattern) { seen.push_back(start + pattern); };
    View(layout, position, player).all(add);
}

Chances chances_of(const Position& position, const Chances& logits) {
    Chances chances{};
    const unsigned in_game = position.in_game();
    if (count(in_game) == 2) {
        const float own = chance_of(logits[position.to_move]);
        chances[position.to_move] = own;
        chances[static_cast<std::size_t>(first(in_game & ~(1U << position.to_move)))] = 1 - own;
        return chances;
    }
    float most = -1e9F, sum = 0;
    for (Word players = in_game; players != 0;) most = std::max(most, logits[static_cast<std::size_t>(pop(players))]);
    for (Word players = in_game; players != 0;) {
        const auto player = static_cast<std::size_t>(pop(players));
        sum += chances[player] = std::exp(logits[player] - most);
    }
    for (float& chance : chances) chance /= sum;
    return chances;
}

Chances evaluate(const Layout& layout, const Values& values, const Position& position, Part part) {
    const unsigned in_game = position.in_game();
    Chances logits{};
    if (count(in_game) == 2) {
        logits[position.to_move] = logit(layout, values, position, part, position.to_move);
    } else if (count(in_game) == 3) {
        for (std::size_t player = 0; player < kMostPlayers; ++player) {
            logits[player] = logit(layout, values, position, part, static_cast<int>(player));
        }
    }
    return chances_of(position, logits);
}

Chances terminal_chances(const Position& position) {
    Chances chances{};
    for (std::size_t player = 0; player < kMostPlayers; ++player) {
        if (has(position.winners, static_cast<int>(player))) {
            chances[player] = 1.0F / static_cast<float>(count(position.winners));
        }
    }
    return chances;
}

}  // namespace limina::limit

#include "limes/arrangement.hpp"

#include <algorithm>

#include "limes/zones.hpp"

namespace limina::limes {

namespace {

int corner(const Arrangement& arrangement, int card) {
    const int cell = arrangement.cell[card];
    return 2 * (cell % kMaxSpan) + 16 * (cell / kMaxSpan);
}

Bitboard card_zones(const Arrangement& arrangement, int card) { return kCardZones << corner(arrangement, card); }

// Assigns workers to territories of the full display, the best first. Most are placed with a card of the territory. If
// all its cards are used for other workers, a worker is placed in an adjacent territory and moves later.
class WorkerAssignment {
  public:
    WorkerAssignment(const Arrangement& arrangement, std::span<const Card> cards, const TerritoryMap& full_map)
        : arrangement_(arrangement), cards_(cards), full_map_(full_map) {
        territory_of_turn_.fill(kUnused);
    }

    int assign_all() {
        std::vector<int> by_points;
        for (Bitboard remaining = full_map_.territories; remaining != 0;) by_points.push_back(pop_lsb(remaining));
        std::stable_sort(by_points.begin(), by_points.end(), [&](int a, int b) { return points(a) > points(b); });
        int total = 0, assigned = 0;
        for (const int territory : by_points) {
            if (assigned == kWorkersPerPlayer || points(territory) == 0) break;
            unsigned turns_tried = 0;
            if (!assign_placement(territory, turns_tried) && !assign_move(territory)) continue;
            ++assigned;
            total += points(territory);
        }
        return total;
    }

    // The worker action of a turn, with zones of the full display, or -1 as in `BoardTurn`.
    struct Action {
        int from = -1, to = -1;
    };
    Action action(int turn) const {
        const int territory = territory_of_turn_[turn];
        if (territory == kUnused) return {};
        if (territory == kUsedForMove) return actions_[turn];
        return {-1, lsb(full_map_.zones[territory] & card_zones(arrangement_, turn))};
    }

  private:
    static constexpr int kUnused = -1, kUsedForMove = -2;

    int points(int territory) const { return full_map_.points[territory]; }

    // Finds a turn in which a worker is placed in the territory. Workers of other territories move to other turns if
    // they can (bipartite matching by augmenting paths).
    bool assign_placement(int territory, unsigned& tried_turns) {
        for (int turn = 0; turn < kRounds; ++turn) {
            const int other_territory = territory_of_turn_[turn];
            if (other_territory == kUsedForMove || contains(tried_turns, turn) ||
                (full_map_.zones[territory] & card_zones(arrangement_, turn)) == 0)
                continue;
            tried_turns |= 1U << turn;
            if (other_territory != kUnused && !assign_placement(other_territory, tried_turns)) continue;
            territory_of_turn_[turn] = territory;
            return true;
        }
        return false;
    }

    // Finds two unused turns: one places a worker in an adjacent territory, a later one moves the worker.
    bool assign_move(int territory) {
        for (int move_turn = 1; move_turn < kRounds; ++move_turn) {
            if (territory_of_turn_[move_turn] != kUnused) continue;
            const Display display = to_display(arrangement_, cards_, move_turn + 1);
            const Bitboard target_zones = full_map_.zones[territory] & display.covered;
            if (target_zones == 0) continue;
            TerritoryMap map;
            find_territories(display, map);
            const int to = lsb(target_zones);
            for (Bitboard neighbors = map.adjacent[map.territory_of_zone[to]]; neighbors != 0;) {
                const Bitboard start_zones = map.zones[pop_lsb(neighbors)];
                for (int turn = 0; turn < move_turn; ++turn) {
                    const Bitboard from = start_zones & card_zones(arrangement_, turn);
                    if (territory_of_turn_[turn] != kUnused || from == 0) continue;
                    territory_of_turn_[turn] = territory_of_turn_[move_turn] = kUsedForMove;
                    actions_[turn] = {-1, lsb(from)};
                    actions_[move_turn] = {lsb(from), to};
                    return true;
                }
            }
        }
        return false;
    }

    const Arrangement& arrangement_;
    std::span<const Card> cards_;
    const TerritoryMap& full_map_;
    std::array<int, kRounds> territory_of_turn_;  // where the turn places a worker
    std::array<Action, kRounds> actions_;
};

}  // namespace

CellNeighbors cell_neighbors(Variants variants) {
    // Takes the neighbors of the first card from the rules.
    Display display;
    display.variants = variants;
    place_card(display, kFirstCell, {});
    const Bitboard open = open_cells(display);
    CellNeighbors neighbors{};
    for (int a = 0; a < kRounds; ++a) {
        for (int b = 0; b < kRounds; ++b) {
            const int column = b % kMaxSpan - a % kMaxSpan, row = b / kMaxSpan - a / kMaxSpan;
            if (contains(open, kFirstCell + column + 8 * row)) neighbors[a] |= static_cast<std::uint16_t>(1U << b);
        }
    }
    return neighbors;
}

bool is_playable(const Arrangement& arrangement, const CellNeighbors& cell_neighbors) {
    unsigned cells = 1U << arrangement.cell[0];
    for (std::size_t card = 1; card < kRounds; ++card) {
        if ((cell_neighbors[arrangement.cell[card]] & cells) == 0) return false;
        cells |= 1U << arrangement.cell[card];
    }
    return true;
}

Display to_display(const Arrangement& arrangement, std::span<const Card> cards, int card_count) {
    Display d;
    d.left = d.top = 0;
    d.width = d.height = kMaxSpan;
    d.card_count = static_cast<std::uint8_t>(card_count);
    for (int card = 0; card < card_count; ++card) {
        const Ground& ground = cards[card].turned(arrangement.turning[card]);
        const int shift = corner(arrangement, card);
        d.covered |= kCardZones << shift;
        d.ground.lo |= ground.lo << shift;
        d.ground.hi |= ground.hi << shift;
        d.ground.huts |= ground.huts << shift;
    }
    return d;
}

WorkerPlan plan_workers(const Arrangement& arrangement, std::span<const Card> cards, const TerritoryMap& full_map) {
    WorkerAssignment workers(arrangement, cards, full_map);
    WorkerPlan plan{workers.assign_all(), {}};
    // Shifts the display so that the first card is on d4.
    const int cell_shift = kFirstCell - 8 * (arrangement.cell[0] / kMaxSpan) - arrangement.cell[0] % kMaxSpan;
    const int zone_shift = 2 * (cell_shift % 8) + 32 * (cell_shift / 8);
    const auto on_grid = [&](int zone) {
        return static_cast<std::uint8_t>(zone < 0 ? Turn::kNone : zone_shift + 16 * (zone / 8) + zone % 8);
    };
    for (int n = 0; n < kRounds; ++n) {
        const int cell = arrangement.cell[n];
        const WorkerAssignment::Action action = workers.action(n);
        plan.turns.push_back({static_cast<std::uint8_t>(cell_shift + 8 * (cell / kMaxSpan) + cell % kMaxSpan),
                              arrangement.turning[n], on_grid(action.from), on_grid(action.to)});
    }
    return plan;
}

}  // namespace limina::limes

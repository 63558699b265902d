#include "limes/arrangement.hpp"

#include <algorithm>

#include "limes/zones.hpp"

namespace limina::limes {

namespace {

int corner(const Arrangement& arrangement, int card) {
    const int cell = arrangement.cell[at(card)];
    return 2 * (cell % kSide) + 16 * (cell / kSide);
}

Word zones(const Arrangement& arrangement, int card) { return kCardShape << corner(arrangement, card); }

// Sends workers to territories of the full display, the best first. Most are placed there, each by a card of their
// territory that nobody else needs; to the others a worker moves from next door.
class Workers {
  public:
    Workers(const Arrangement& arrangement, std::span<const Card> cards, const Land& full)
        : arrangement_(arrangement), cards_(cards), full_(full) {
        used_by_.fill(kNobody);
    }

    int send() {
        std::vector<int> wanted;
        for (Word left = full_.alive; left != 0;) wanted.push_back(pop(left));
        std::stable_sort(wanted.begin(), wanted.end(), [&](int a, int b) { return points(a) > points(b); });
        int total = 0, sent = 0;
        for (const int territory : wanted) {
            if (sent == kWorkers || points(territory) == 0) break;
            unsigned seen = 0;
            if (!place(territory, seen) && !move(territory)) continue;
            ++sent;
            total += points(territory);
        }
        return total;
    }

    // What the worker does in a turn: zones of the square, as in `Choice`.
    struct Action {
        int from = -1, to = -1;
    };
    Action action(int turn) const {
        const int territory = used_by_[at(turn)];
        if (territory == kNobody) return {};
        if (territory == kMover) return moves_[at(turn)];
        return {-1, first(full_.zones[at(territory)] & zones(arrangement_, turn))};
    }

  private:
    static constexpr int kNobody = -1, kMover = -2;

    int points(int territory) const { return full_.points[at(territory)]; }

    // Finds a turn to place a worker in; others give way who can be placed in another (an augmenting path).
    bool place(int territory, unsigned& seen) {
        for (int turn = 0; turn < kRounds; ++turn) {
            const int other = used_by_[at(turn)];
            if (other == kMover || has(seen, turn) || (full_.zones[at(territory)] & zones(arrangement_, turn)) == 0)
                continue;
            seen |= 1U << turn;
            if (other != kNobody && !place(other, seen)) continue;
            used_by_[at(turn)] = territory;
            return true;
        }
        return false;
    }

    // Two turns that nobody needs: place a worker next door, later move him in.
    bool move(int territory) {
        for (int later = 1; later < kRounds; ++later) {
            if (used_by_[at(later)] != kNobody) continue;
            const Display then = laid(arrangement_, cards_, later + 1);
            const Word goal = full_.zones[at(territory)] & then.cover;
            if (goal == 0) continue;
            Land land;
            outline(then, land);
            const int to = first(goal);
            for (Word doors = land.adjacent[land.label[at(to)]]; doors != 0;) {
                const Word door = land.zones[at(pop(doors))];
                for (int turn = 0; turn < later; ++turn) {
                    const Word from = door & zones(arrangement_, turn);
                    if (used_by_[at(turn)] != kNobody || from == 0) continue;
                    used_by_[at(turn)] = used_by_[at(later)] = kMover;
                    moves_[at(turn)] = {-1, first(from)};
                    moves_[at(later)] = {first(from), to};
                    return true;
                }
            }
        }
        return false;
    }

    const Arrangement& arrangement_;
    std::span<const Card> cards_;
    const Land& full_;
    std::array<int, kRounds> used_by_;  // each turn: the territory that a worker is placed in
    std::array<Action, kRounds> moves_;
};

}  // namespace

Beside beside(Variants variants) {
    // The rules are asked what touches the first card.
    Display single;
    single.variants = variants;
    lay(single, kFirstCell, {});
    const Word open = open_cells(single);
    Beside found{};
    for (int a = 0; a < kRounds; ++a) {
        for (int b = 0; b < kRounds; ++b) {
            const int column = b % kSide - a % kSide, row = b / kSide - a / kSide;
            if (has(open, kFirstCell + column + 8 * row)) found[at(a)] |= static_cast<std::uint16_t>(1U << b);
        }
    }
    return found;
}

bool can_be_laid(const Arrangement& arrangement, const Beside& beside) {
    unsigned cells = 1U << arrangement.cell[0];
    for (std::size_t card = 1; card < kRounds; ++card) {
        if ((beside[arrangement.cell[card]] & cells) == 0) return false;
        cells |= 1U << arrangement.cell[card];
    }
    return true;
}

Display laid(const Arrangement& arrangement, std::span<const Card> cards, int number) {
    Display d;
    d.left = d.top = 0;
    d.width = d.height = kSide;
    d.cards = static_cast<std::uint8_t>(number);
    for (int card = 0; card < number; ++card) {
        const Ground& face = cards[at(card)].turned(arrangement.turning[at(card)]);
        const int by = corner(arrangement, card);
        d.cover |= kCardShape << by;
        d.ground.lo |= face.lo << by;
        d.ground.hi |= face.hi << by;
        d.ground.huts |= face.huts << by;
    }
    return d;
}

Plan planned(const Arrangement& arrangement, std::span<const Card> cards, const Land& full) {
    Workers workers(arrangement, cards, full);
    Plan plan{workers.send(), {}};
    // On the table's grid the first card lies in the middle.
    const int cell_shift = kFirstCell - 8 * (arrangement.cell[0] / kSide) - arrangement.cell[0] % kSide;
    const int zone_shift = 2 * (cell_shift % 8) + 32 * (cell_shift / 8);
    const auto on_grid = [&](int zone) {
        return static_cast<std::uint8_t>(zone < 0 ? Turn::kNone : zone_shift + 16 * (zone / 8) + zone % 8);
    };
    for (int n = 0; n < kRounds; ++n) {
        const int cell = arrangement.cell[at(n)];
        const Workers::Action action = workers.action(n);
        plan.turns.push_back({static_cast<std::uint8_t>(cell_shift + 8 * (cell / kSide) + cell % kSide),
                              arrangement.turning[at(n)], on_grid(action.from), on_grid(action.to)});
    }
    return plan;
}

}  // namespace limina::limes

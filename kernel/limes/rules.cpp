#include "limes/rules.hpp"

#include <algorithm>
#include <optional>

#include "limes/simd_rules.hpp"

namespace limina::limes {

Card::Card(const std::array<FaceZone, 4>& face) {
    // A quarter turn clockwise moves nw to ne, ne to se, se to sw, and sw to nw.
    constexpr std::array<std::size_t, 4> kClockwise = {1, 3, 0, 2};
    std::array<std::size_t, 4> quarter = {0, 1, 2, 3};
    for (Ground& ground : turned_) {
        for (std::size_t i = 0; i < 4; ++i) {
            const Bitboard zone = bit_at(kQuarterOffsets[quarter[i]]);
            const auto landscape = static_cast<unsigned>(face[i].landscape);
            if (landscape & 1) ground.lo |= zone;
            if (landscape & 2) ground.hi |= zone;
            if (face[i].hut) ground.huts |= zone;
            quarter[i] = kClockwise[quarter[i]];
        }
    }
}

Bitboard open_cells(const Display& d) {
    if (d.card_count == 0) return bit_at(kFirstCell);
    return open_neighbor_cells<Bitboard>(occupied_cells(d), d.left, d.top, d.width, d.height, d.variants.diagonal);
}

void place_card(Display& d, int cell, const Ground& card) {
    place_card<Display, int, Bitboard>(d, cell & 7, cell >> 3, card);
    ++d.card_count;
}

void add_worker(Display& d, Bitboard zone) { add_workers<Bitboard>(d, zone); }
void remove_worker(Display& d, Bitboard zone) { remove_workers<Bitboard>(d, zone); }

namespace {

// Calls visit(turn, after_card) for every legal turn; `after_card` is the display before the worker action.
template <class Visit>
void for_each_turn(const Display& display, const Card& card, Visit visit) {
    if (display.card_count >= kRounds) return;
    for (Bitboard cells = open_cells(display); cells != 0;) {
        const auto cell = static_cast<std::uint8_t>(pop_lsb(cells));
        for (std::uint8_t turning = 0; turning < kTurnings; ++turning) {
            Display after_card = display;
            place_card(after_card, cell, card.turned(turning));
            const auto zone = [&](int z) { return static_cast<std::uint8_t>(zone_on_grid(after_card, z)); };
            visit(Turn{cell, turning}, after_card);
            if (after_card.supply > 0) {
                const int corner = 2 * ((cell & 7) - after_card.left) + 16 * ((cell >> 3) - after_card.top);
                for (const int quarter : kQuarterOffsets) {
                    visit(Turn{cell, turning, Turn::kNone, zone(corner + quarter)}, after_card);
                }
            }
            const Links<Bitboard> links = find_links<Bitboard>(after_card);
            for (Bitboard remaining = after_card.workers(); remaining != 0;) {
                const SimdBitboard sources = pop_lsbs_into_lanes<SimdBitboard>(remaining);
                const SimdBitboard targets =
                    destinations<SimdBitboard, Bitboard>(after_card, sources, links, after_card.variants.ferryman);
                for (int i = 0; i < kSimdLanes && get_lane(sources, i) != 0; ++i) {
                    const std::uint8_t source = zone(lsb(get_lane(sources, i)));
                    for (Bitboard to = get_lane(targets, i); to != 0;)
                        visit(Turn{cell, turning, source, zone(pop_lsb(to))}, after_card);
                }
            }
        }
    }
}

// Returns the rule that placing a card on the cell breaks, or nothing.
std::optional<IllegalTurnReason> check_cell(const Display& d, int cell) {
    const int column = cell & 7, row = cell >> 3;
    if (column >= kGridSide || row >= kGridSide) return IllegalTurnReason::no_such_cell;
    if (contains(open_cells(d), cell)) return std::nullopt;
    if (d.card_count == 0) return IllegalTurnReason::first_card_off_d4;
    const Bitboard occupied = occupied_cells(d);
    if (contains(occupied, cell)) return IllegalTurnReason::cell_taken;
    if (!contains(neighbor_cells(occupied, d.variants.diagonal), cell)) return IllegalTurnReason::not_beside_card;
    return column < d.left + d.width - kMaxSpan || column > d.left + kMaxSpan - 1 ? IllegalTurnReason::too_wide
                                                                                  : IllegalTurnReason::too_tall;
}

// Returns the zone of the display for a zone of the grid, or -1 if it has no card.
int display_zone(const Display& d, int zone) {
    const int x = (zone & 15) - 2 * d.left, y = (zone >> 4) - 2 * d.top;
    return x >= 0 && x < 8 && y >= 0 && y < 8 && contains(d.covered, 8 * y + x) ? 8 * y + x : -1;
}

// Returns the rule that the worker action breaks after the card is placed, or nothing.
std::optional<IllegalTurnReason> check_worker(const Display& after_card, const Turn& turn) {
    if (turn.target == Turn::kNone) {
        return turn.source == Turn::kNone ? std::nullopt : std::optional(IllegalTurnReason::no_card_under_target);
    }
    if (turn.source == Turn::kNone) {
        if (after_card.supply == 0) return IllegalTurnReason::empty_supply;
        const bool on_card = (turn.target & 15) / 2 == (turn.cell & 7) && (turn.target >> 4) / 2 == turn.cell >> 3;
        return on_card ? std::nullopt : std::optional(IllegalTurnReason::target_off_card);
    }
    const int source = display_zone(after_card, turn.source), target = display_zone(after_card, turn.target);
    if (source < 0 || after_card.workers_on(source) == 0) return IllegalTurnReason::no_worker_on_source;
    if (target < 0) return IllegalTurnReason::no_card_under_target;
    const Links<Bitboard> links = find_links<Bitboard>(after_card);
    if (contains(destinations<Bitboard, Bitboard>(after_card, bit_at(source), links, after_card.variants.ferryman),
                 target))
        return std::nullopt;
    return contains(flood_fill(bit_at(source), links), target) ? IllegalTurnReason::target_in_own_territory
                                                               : IllegalTurnReason::target_not_adjacent;
}

// Applies the worker action of a legal turn after its card is placed.
void apply_worker_action(Display& after_card, const Turn& turn) {
    if (turn.target == Turn::kNone) return;
    if (turn.source == Turn::kNone) {
        --after_card.supply;
    } else {
        remove_worker(after_card, bit_at(display_zone(after_card, turn.source)));
    }
    add_worker(after_card, bit_at(display_zone(after_card, turn.target)));
}

}  // namespace

std::vector<Turn> legal_turns(const Display& display, const Card& card) {
    std::vector<Turn> turns;
    turns.reserve(4096);
    for_each_turn(display, card, [&](const Turn& turn, const Display&) { turns.push_back(turn); });
    return turns;
}

std::vector<ScoredTurn> scored_turns(const Display& display, const Card& card) {
    std::vector<ScoredTurn> turns;
    turns.reserve(4096);
    for_each_turn(display, card, [&](const Turn& turn, const Display& after_card) {
        Display after = after_card;
        apply_worker_action(after, turn);
        turns.push_back({turn, total(after)});
    });
    return turns;
}

std::variant<Display, IllegalTurnReason> play(const Display& display, const Card& card, const Turn& turn) {
    if (display.card_count >= kRounds) return IllegalTurnReason::display_full;
    if (const auto problem = check_cell(display, turn.cell)) return *problem;
    if (turn.turning >= kTurnings) return IllegalTurnReason::no_such_turning;
    Display d = display;
    place_card(d, turn.cell, card.turned(turn.turning));
    if (const auto problem = check_worker(d, turn)) return *problem;
    apply_worker_action(d, turn);
    return d;
}

int total(const Display& d) { return static_cast<int>(total_points<Bitboard>(d)); }

namespace {

// Returns one zone for each point that a worker scores in the territory.
Bitboard counted_by_worker(const Display& d, const Links<Bitboard>& links, Bitboard territory) {
    return counted_zones<Bitboard>(d, territory) |
           one_zone_per_territory(woodcutter_zones<Bitboard>(d, links, territory), links);
}

}  // namespace

std::vector<WorkerScore> scores(const Display& d) {
    const Links<Bitboard> links = find_links<Bitboard>(d);
    std::vector<WorkerScore> result;
    Bitboard scored_territories = 0;
    for (Bitboard remaining = d.workers(); remaining != 0;) {
        const int zone = pop_lsb(remaining);
        const Bitboard territory = flood_fill(bit_at(zone), links);
        const auto profession = static_cast<Profession>(contains(d.ground.lo, zone) + 2 * contains(d.ground.hi, zone));
        WorkerScore score{static_cast<std::uint8_t>(zone_on_grid(d, zone)), profession, false, territory, {}};
        for (Bitboard counted = counted_by_worker(d, links, territory); counted != 0; counted &= counted - 1) {
            // A woodcutter scores for territories, the others for zones.
            const Bitboard counted_zone = isolate_lsb(counted);
            score.counted.push_back(profession == Profession::woodcutter ? flood_fill(counted_zone, links)
                                                                         : counted_zone);
        }
        for (int n = 0; n < d.workers_on(zone); ++n) {
            score.is_scoring = n == 0 && !contains(scored_territories, zone);
            result.push_back(score);
        }
        scored_territories |= territory;
    }
    return result;
}

std::array<std::uint8_t, kWorkersPerPlayer> tie_break_points(const Display& d) {
    const Links<Bitboard> links = find_links<Bitboard>(d);
    std::array<std::uint8_t, kWorkersPerPlayer> points{};
    std::size_t scoring = 0;
    for (Bitboard remaining = d.workers(); remaining != 0;) {
        const Bitboard territory = flood_fill(isolate_lsb(remaining), links);
        remaining &= ~territory;
        points[scoring++] = static_cast<std::uint8_t>(popcount(counted_by_worker(d, links, territory)));
    }
    std::sort(points.rbegin(), points.rend());
    return points;
}

std::vector<int> winners(std::span<const Display> displays) {
    struct Standing {
        int total;
        std::array<std::uint8_t, kWorkersPerPlayer> tie_break_points;
        auto operator<=>(const Standing&) const = default;
    };
    std::vector<Standing> standings;
    for (const Display& d : displays) standings.push_back({total(d), tie_break_points(d)});
    std::vector<int> best;
    for (std::size_t i = 0; i < standings.size(); ++i) {
        if (!best.empty() && standings[i] < standings[best[0]]) continue;
        if (!best.empty() && standings[i] > standings[best[0]]) best.clear();
        best.push_back(static_cast<int>(i));
    }
    return best;
}

std::string_view rating(int total) {
    if (total < 28) return "capable of improvement";
    if (total < 35) return "OK";
    if (total < 42) return "good";
    if (total < 49) return "very good";
    return "excellent";
}

std::vector<Bitboard> list_territories(const Display& d) {
    const Links<Bitboard> links = find_links<Bitboard>(d);
    std::vector<Bitboard> result;
    for (Bitboard remaining = d.covered; remaining != 0; remaining &= ~result.back())
        result.push_back(flood_fill(isolate_lsb(remaining), links));
    return result;
}

}  // namespace limina::limes

#include "limes/rules.hpp"

#include <algorithm>
#include <optional>

#include "limes/simd_rules.hpp"

namespace limina::limes {

Card::Card(const std::array<FaceZone, 4>& face) {
    // One turn clockwise brings nw to ne, ne to se, se to sw, sw to nw.
    constexpr std::array<std::size_t, 4> kClockwise = {1, 3, 0, 2};
    std::array<std::size_t, 4> place = {0, 1, 2, 3};
    for (Ground& ground : turned_) {
        for (std::size_t i = 0; i < 4; ++i) {
            const Word zone = bit(kQuarter[place[i]]);
            const auto landscape = static_cast<unsigned>(face[i].landscape);
            if (landscape & 1) ground.lo |= zone;
            if (landscape & 2) ground.hi |= zone;
            if (face[i].hut) ground.huts |= zone;
            place[i] = kClockwise[place[i]];
        }
    }
}

Word open_cells(const Display& d) {
    if (d.cards == 0) return bit(kFirstCell);
    return open_beside<Word>(cells_on_grid(d), d.left, d.top, d.width, d.height, d.variants.diagonal);
}

void lay(Display& d, int cell, const Ground& card) {
    lay_card<Display, int, Word>(d, cell & 7, cell >> 3, card);
    ++d.cards;
}

void add_worker(Display& d, Word zone) { add_workers<Word>(d, zone); }
void remove_worker(Display& d, Word zone) { remove_workers<Word>(d, zone); }

namespace {

// Calls visit(turn, laid) for every legal turn, with the display on which the card lies and no worker has gone yet.
template <class Visit>
void each_turn(const Display& display, const Card& card, Visit visit) {
    if (display.cards >= kRounds) return;
    for (Word cells = open_cells(display); cells != 0;) {
        const auto cell = static_cast<std::uint8_t>(pop(cells));
        for (std::uint8_t turning = 0; turning < kTurnings; ++turning) {
            Display laid = display;
            lay(laid, cell, card.turned(turning));
            const auto zone = [&](int z) { return static_cast<std::uint8_t>(zone_on_grid(laid, z)); };
            visit(Turn{cell, turning}, laid);
            if (laid.supply > 0) {
                const int corner = 2 * ((cell & 7) - laid.left) + 16 * ((cell >> 3) - laid.top);
                for (const int quarter : kQuarter) {
                    visit(Turn{cell, turning, Turn::kNone, zone(corner + quarter)}, laid);
                }
            }
            const Links<Word> l = links<Word>(laid);
            for (Word left = laid.workers(); left != 0;) {
                const Lanes sources = spread<Lanes>(left);
                const Lanes goals = destinations<Lanes, Word>(laid, sources, l, laid.variants.ferryman);
                for (int i = 0; i < kLanes && lane(sources, i) != 0; ++i) {
                    const std::uint8_t source = zone(first(lane(sources, i)));
                    for (Word to = lane(goals, i); to != 0;) visit(Turn{cell, turning, source, zone(pop(to))}, laid);
                }
            }
        }
    }
}

// Why no card may be laid on the cell.
std::optional<Problem> check_cell(const Display& d, int cell) {
    const int column = cell & 7, row = cell >> 3;
    if (column >= kGrid || row >= kGrid) return Problem::no_such_cell;
    if (has(open_cells(d), cell)) return std::nullopt;
    if (d.cards == 0) return Problem::first_cell;
    const Word laid = cells_on_grid(d);
    if (has(laid, cell)) return Problem::taken;
    if (!has(cells_beside(laid, d.variants.diagonal), cell)) return Problem::not_beside;
    return column < d.left + d.width - kSide || column > d.left + kSide - 1 ? Problem::too_wide : Problem::too_tall;
}

// The board's zone for one of the grid, or -1 where no card lies.
int zone_on_board(const Display& d, int zone) {
    const int x = (zone & 15) - 2 * d.left, y = (zone >> 4) - 2 * d.top;
    return x >= 0 && x < 8 && y >= 0 && y < 8 && has(d.cover, 8 * y + x) ? 8 * y + x : -1;
}

// Why no worker may go the turn's way, once its card lies.
std::optional<Problem> check_worker(const Display& laid, const Turn& turn) {
    if (turn.target == Turn::kNone) {
        return turn.source == Turn::kNone ? std::nullopt : std::optional(Problem::no_ground);
    }
    if (turn.source == Turn::kNone) {
        if (laid.supply == 0) return Problem::empty_supply;
        const bool on_card = (turn.target & 15) / 2 == (turn.cell & 7) && (turn.target >> 4) / 2 == turn.cell >> 3;
        return on_card ? std::nullopt : std::optional(Problem::off_card);
    }
    const int source = zone_on_board(laid, turn.source), target = zone_on_board(laid, turn.target);
    if (source < 0 || laid.workers_on(source) == 0) return Problem::no_worker;
    if (target < 0) return Problem::no_ground;
    const Links<Word> l = links<Word>(laid);
    if (has(destinations<Word, Word>(laid, bit(source), l, laid.variants.ferryman), target)) return std::nullopt;
    return has(flood(bit(source), l), target) ? Problem::own_territory : Problem::not_adjacent;
}

// Sends the worker of a legal turn whose card lies.
void send_worker(Display& laid, const Turn& turn) {
    if (turn.target == Turn::kNone) return;
    if (turn.source == Turn::kNone) {
        --laid.supply;
    } else {
        remove_worker(laid, bit(zone_on_board(laid, turn.source)));
    }
    add_worker(laid, bit(zone_on_board(laid, turn.target)));
}

}  // namespace

std::vector<Turn> legal_turns(const Display& display, const Card& card) {
    std::vector<Turn> turns;
    turns.reserve(4096);
    each_turn(display, card, [&](const Turn& turn, const Display&) { turns.push_back(turn); });
    return turns;
}

std::vector<Scored> scored_turns(const Display& display, const Card& card) {
    std::vector<Scored> turns;
    turns.reserve(4096);
    each_turn(display, card, [&](const Turn& turn, const Display& laid) {
        Display after = laid;
        send_worker(after, turn);
        turns.push_back({turn, total(after)});
    });
    return turns;
}

std::variant<Display, Problem> play(const Display& display, const Card& card, const Turn& turn) {
    if (display.cards >= kRounds) return Problem::full;
    if (const auto problem = check_cell(display, turn.cell)) return *problem;
    if (turn.turning >= kTurnings) return Problem::no_such_turning;
    Display d = display;
    lay(d, turn.cell, card.turned(turn.turning));
    if (const auto problem = check_worker(d, turn)) return *problem;
    send_worker(d, turn);
    return d;
}

int total(const Display& d) { return static_cast<int>(totals<Word>(d)); }

namespace {

// What a worker of the territory counts, one zone for each point.
Word counted_in(const Display& d, const Links<Word>& l, Word territory) {
    return counted_zones<Word>(d, territory) | heads(clearings<Word>(d, l, territory), l);
}

}  // namespace

std::vector<WorkerScore> scores(const Display& d) {
    const Links<Word> l = links<Word>(d);
    std::vector<WorkerScore> result;
    Word taken = 0;
    for (Word left = d.workers(); left != 0;) {
        const int zone = pop(left);
        const Word territory = flood(bit(zone), l);
        const auto profession = static_cast<Profession>(has(d.ground.lo, zone) + 2 * has(d.ground.hi, zone));
        WorkerScore score{static_cast<std::uint8_t>(zone_on_grid(d, zone)), profession, false, territory, {}};
        for (Word things = counted_in(d, l, territory); things != 0; things &= things - 1) {
            // A woodcutter counts whole territories, the others single zones.
            const Word thing = lowest(things);
            score.counted.push_back(profession == Profession::woodcutter ? flood(thing, l) : thing);
        }
        for (int n = 0; n < d.workers_on(zone); ++n) {
            score.scored = n == 0 && !has(taken, zone);
            result.push_back(score);
        }
        taken |= territory;
    }
    return result;
}

std::array<std::uint8_t, kWorkers> ranking(const Display& d) {
    const Links<Word> l = links<Word>(d);
    std::array<std::uint8_t, kWorkers> points{};
    std::size_t scoring = 0;
    for (Word left = d.workers(); left != 0;) {
        const Word territory = flood(lowest(left), l);
        left &= ~territory;
        points[scoring++] = static_cast<std::uint8_t>(count(counted_in(d, l, territory)));
    }
    std::sort(points.rbegin(), points.rend());
    return points;
}

std::vector<int> winners(std::span<const Display> displays) {
    struct Standing {
        int total;
        std::array<std::uint8_t, kWorkers> ranking;
        auto operator<=>(const Standing&) const = default;
    };
    std::vector<Standing> standings;
    for (const Display& d : displays) standings.push_back({total(d), ranking(d)});
    std::vector<int> best;
    for (std::size_t i = 0; i < standings.size(); ++i) {
        if (!best.empty() && standings[i] < standings[static_cast<std::size_t>(best[0])]) continue;
        if (!best.empty() && standings[i] > standings[static_cast<std::size_t>(best[0])]) best.clear();
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

std::vector<Word> all_territories(const Display& d) {
    const Links<Word> l = links<Word>(d);
    std::vector<Word> result;
    for (Word left = d.cover; left != 0; left &= ~result.back()) result.push_back(flood(lowest(left), l));
    return result;
}

}  // namespace limina::limes

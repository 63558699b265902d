#include "limes.hpp"

#include <algorithm>
#include <optional>

#include "limes_zones.hpp"

namespace limina::limes {

namespace {

constexpr Word kCellCorners = 0x0055005500550055;  // the nw zone of every cell

Word scatter_rows(Word cells16) {  // 4x4 packed cells to rows of eight
    return (cells16 & 0xf) | (cells16 & 0xf0) << 4 | (cells16 & 0xf00) << 8 | (cells16 & 0xf000) << 12;
}

Word cells_on_grid(const Display& d) { return scatter_rows(gather(d.cover, kCellCorners)) << (8 * d.top + d.left); }

// The cells that keep the display within 4x4, laid or not.
Word window(const Display& d) {
    const Word columns = static_cast<Word>(0xff >> d.width) << (d.left + d.width - kSide);
    const Word rows = ~Word{0} >> (8 * d.height) << (8 * (d.top + d.height - kSide));
    return (columns * 0x0101010101010101) & rows;
}

Word cells_beside(Word cells, bool diagonal) {
    const Word sides = cells << 1 | cells >> 1;
    return diagonal ? (sides | cells) << 8 | (sides | cells) >> 8 | sides : cells << 8 | cells >> 8 | sides;
}

// One zone of each territory that has zones in `zones`, a union of whole territories.
inline Word heads(Word zones, const Links& l) {
    const Word starts = zones & ~(l.east << 1) & ~(l.south << 8);  // linked neither to the west nor to the north
    const Word linked = starts & (l.east | l.south);
    Word result = starts & ~linked;
    for (Word left = linked; left != 0;) {
        const Lanes candidates = spread(left);
        const Lanes found = flood(candidates, l) & linked;
        // A bent territory has several starts; the lowest one is its head.
        const Lanes chosen = found & (0 - found) & candidates;
        for (int i = 0; i < kLanes; ++i) {
            result |= chosen[i];
            left &= left - 1;
        }
    }
    return result;
}

// What each zone with workers counts, one zone for each point, and the territories of these zones.
struct Tally {
    Lanes zones;
    Lanes territories;
    Lanes counted;
    Word scoring = 0;  // lanes that score: the first of each territory
};

inline Tally tally(const Display& d, const Links& l) {
    Tally t;
    t.zones = spread(d.workers());
    t.territories = flood(t.zones, l);
    // A lane stands in one landscape and is empty in the three other terms.
    const Lanes forests = t.territories & d.forest();
    const Lanes neighbours = adjacent(forests, d.cover, l);
    Word all = 0;
    for (int i = 0; i < kLanes; ++i) all |= neighbours[i];
    t.counted = (t.territories & d.field()) | (touching(t.territories & d.water()) & d.ground.huts) |
                (neighbours & heads(all, l)) | (view(t.territories & d.rock(), d.rock()) & d.forest());
    Word taken = 0;
    for (int i = 0; i < kWorkers; ++i) {
        const Word territory = t.territories[i];
        if ((territory & ~taken) != 0) t.scoring |= bit(i);
        taken |= territory;
    }
    return t;
}

}  // namespace

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
    const Word laid = cells_on_grid(d);
    return cells_beside(laid, d.variants.diagonal) & window(d) & ~laid;
}

void lay(Display& d, int cell, const Ground& card) {
    const int column = cell & 7, row = cell >> 3;
    // Push the board right and down where the card lies left of it or above it; without a branch, as nobody can
    // foretell it.
    const int left = std::min<int>(d.left, column), top = std::min<int>(d.top, row);
    const int push = 2 * (d.left - left) + 16 * (d.top - top);
    const int at = 2 * (column - left) + 16 * (row - top);
    d.cover = d.cover << push | kCardShape << at;
    d.ground.lo = d.ground.lo << push | card.lo << at;
    d.ground.hi = d.ground.hi << push | card.hi << at;
    d.ground.huts = d.ground.huts << push | card.huts << at;
    d.one <<= push;
    d.two <<= push;
    d.four <<= push;
    d.width = static_cast<std::uint8_t>(std::max(d.left + d.width, column + 1) - left);
    d.height = static_cast<std::uint8_t>(std::max(d.top + d.height, row + 1) - top);
    d.left = static_cast<std::uint8_t>(left);
    d.top = static_cast<std::uint8_t>(top);
    ++d.cards;
}

Links links(const Display& d) {
    const Word soft = d.cover & ~d.rock();
    const Word lo = d.ground.lo, hi = d.ground.hi;
    return {soft & (soft >> 1) & ~(lo ^ (lo >> 1)) & ~(hi ^ (hi >> 1)) & kNotEast,
            soft & (soft >> 8) & ~(lo ^ (lo >> 8)) & ~(hi ^ (hi >> 8))};
}

void add_worker(Display& d, Word zone) {
    const Word carry = d.one & zone;
    d.one ^= zone;
    d.four ^= d.two & carry;
    d.two ^= carry;
}

void remove_worker(Display& d, Word zone) {
    const Word borrow = ~d.one & zone;
    d.one ^= zone;
    d.four ^= ~d.two & borrow;
    d.two ^= borrow;
}

Lanes territories(const Lanes& zones, const Links& l) { return flood(zones, l); }

Lanes destinations(const Display& d, const Lanes& zones, const Links& l) {
    const Lanes own = flood(zones, l);
    Lanes goals = adjacent(own, d.cover, l);
    if (d.variants.ferryman) {
        const Word ferries = flood(d.workers() & d.water(), l);
        goals |= adjacent<Lanes>(goals & ferries, d.cover, l) & ~own;
    }
    return goals;
}

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
            const Lanes sources = spread(laid.workers());
            const Lanes goals = destinations(laid, sources, links(laid));
            for (int i = 0; i < kWorkers && sources[i] != 0; ++i) {
                const std::uint8_t source = zone(first(sources[i]));
                for (Word left = goals[i]; left != 0;) visit(Turn{cell, turning, source, zone(pop(left))}, laid);
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
    const Links l = links(laid);
    if (has(destinations(laid, Lanes{bit(source)}, l)[0], target)) return std::nullopt;
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

int total(const Display& d) {
    const Tally t = tally(d, links(d));
    const Lanes points = counts(t.counted);
    int sum = 0;
    for (int i = 0; i < kWorkers; ++i) sum += has(t.scoring, i) ? static_cast<int>(points[i]) : 0;
    return sum;
}

std::vector<WorkerScore> scores(const Display& d) {
    const Links l = links(d);
    const Tally t = tally(d, l);
    std::vector<WorkerScore> result;
    for (int i = 0; i < kWorkers && t.zones[i] != 0; ++i) {
        const int zone = first(t.zones[i]);
        const auto profession = static_cast<Profession>(has(d.ground.lo, zone) + 2 * has(d.ground.hi, zone));
        WorkerScore score{static_cast<std::uint8_t>(zone_on_grid(d, zone)), profession, false, t.territories[i], {}};
        for (Word left = t.counted[i]; left != 0; left &= left - 1) {
            // A woodcutter counts whole territories, the others single zones.
            const Word thing = lowest(left);
            score.counted.push_back(profession == Profession::woodcutter ? flood(thing, l) : thing);
        }
        for (int n = 0; n < d.workers_on(zone); ++n) {
            score.scored = n == 0 && has(t.scoring, i);
            result.push_back(score);
        }
    }
    return result;
}

std::array<std::uint8_t, kWorkers> ranking(const Display& d) {
    const Tally t = tally(d, links(d));
    std::array<std::uint8_t, kWorkers> points{};
    for (int i = 0; i < kWorkers; ++i) {
        if (has(t.scoring, i)) points[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(count(t.counted[i]));
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
    const Links l = links(d);
    std::vector<Word> result;
    for (Word left = d.cover; left != 0; left &= ~result.back()) result.push_back(flood(lowest(left), l));
    return result;
}

namespace {

// One turn of random play. Every choice is made without a branch on it: chance cannot be predicted, and a wrong guess
// of the processor costs more than the work.
inline void play_at_random(Display& d, const Card& card, Rng& rng) {
    const Word cell = pick(open_cells(d), rng);
    const Word luck = rng.next();
    lay(d, first(cell), card.turned(static_cast<int>(luck >> 62)));

    const Lanes sources = spread(d.workers());
    const Lanes goals = destinations(d, sources, links(d));
    const Lanes sums = running_sums(counts(goals));
    const auto moves = static_cast<unsigned>(sums[kLanes - 1]);
    const auto places = static_cast<unsigned>(d.supply > 0) * 4;
    const auto choice = static_cast<unsigned>(((luck & 0xffffffff) * (1 + places + moves)) >> 32);
    const bool moving = choice<moves, placing = choice> moves;
    const int lane = lane_of(sums, choice) & (kLanes - 1);
    const unsigned rest = static_cast<unsigned>(sums[lane]) - choice - 1;  // counted from the lane's end
    const int corner = 2 * ((first(cell) & 7) - d.left) + 16 * ((first(cell) >> 3) - d.top);
    const Word placed = nth(kCardShape << corner, (choice - moves - 1) & 3);
    remove_worker(d, sources[lane] & (0 - Word{moving}));
    add_worker(d, (nth(goals[lane], rest & 63) & (0 - Word{moving})) | (placed & (0 - Word{placing})));
    d.supply = static_cast<std::uint8_t>(d.supply - placing);
}

}  // namespace

Playouts playouts(const Display& display, std::span<const Card> deck, std::uint32_t unseen, int next,
                  std::uint64_t games, Word seed) {
    // Several games side by side: while one waits for its flood, the processor goes on with the others.
    constexpr std::uint64_t kBatch = 2;
    struct Game {
        Display display;
        std::array<std::uint8_t, kCards> cards;
    };
    Rng rng(seed);
    Playouts result;
    std::array<Game, kBatch> batch;
    unsigned unseen_count = 0;
    for (int i = 0; i < kCards; ++i) {
        if (i == next || !has(unseen, i)) continue;
        for (Game& game : batch) game.cards[unseen_count] = static_cast<std::uint8_t>(i);
        ++unseen_count;
    }
    for (std::uint64_t done = 0; done < games; done += kBatch) {
        const auto running = std::span(batch).first(std::min(kBatch, games - done));
        for (Game& game : running) {
            game.display = display;
            if (next >= 0 && display.cards < kRounds) {
                play_at_random(game.display, deck[static_cast<std::size_t>(next)], rng);
            }
        }
        for (unsigned left = unseen_count; running[0].display.cards < kRounds && left > 0; --left) {
            for (Game& game : running) {
                // The order that the last game left behind is as good a start for a shuffle as any.
                std::swap(game.cards[rng.below(left)], game.cards[left - 1]);
                play_at_random(game.display, deck[game.cards[left - 1]], rng);
            }
        }
        for (const Game& game : running) ++result.totals[static_cast<std::size_t>(std::min(total(game.display), 255))];
    }
    return result;
}

}  // namespace limina::limes

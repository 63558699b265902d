#include "limit.hpp"

#include <algorithm>
#include <cassert>

namespace limina::limit {

namespace {

// The rules of a turn are written once, for one table (sets are Word) and for eight side by side (sets are Lanes).
// They see the tiles only through steps(set), the neighbours of a set, for which there are two ways.

struct TableSteps {
    const Layout& layout;

    Word operator()(Word set) const { return layout.near(set); }
    Lanes operator()(const Lanes& sets) const {
        Lanes found{};
        for (int i = 0; 8 * i < layout.count; ++i) found |= look_up(layout.spread[i], (sets >> (8 * i)) & 255);
        return found;
    }
};

// For sets of grid cells (see Layout::cells). May name cells without a tile, which no rule minds.
struct GridSteps {
    int stride;

    template <typename Set>
    Set operator()(const Set& set) const {
        const Set up = set + set;
        const Set down = set >> 1;
        return up | down | ((set | up) >> stride) | ((set | down) << stride);
    }
};

// Tiles and pawns, the latter in the order of play: the player to move, the next one, the one after that. A player who
// is out of the game, and the third of two, has none.
template <typename Set>
struct Table {
    Set tiles, rim, own, next, last;

    Set enemies() const { return next | last; }
    Set pawns() const { return own | next | last; }
    Set empty() const { return tiles & ~pawns(); }
};

// All that the seeds reach by steps inside `within`.
template <typename Set, typename Steps>
Set flood(const Steps& steps, Set seeds, const Set& within) {
    while (true) {  // several steps at a time, since to ask whether it is done costs more than a step
        for (int i = 0; i < 2; ++i) seeds |= steps(seeds) & within;
        const Set reached = seeds | (steps(seeds) & within);
        if (same(reached, seeds)) return reached;
        seeds = reached;
    }
}

// The pawns of one colour whose groups have no freedom; `breathing` are the tiles that touch an empty one.
template <typename Set, typename Steps>
Set without_freedom(const Steps& steps, const Set& pawns, const Set& breathing) {
    return pawns & ~flood<Set>(steps, pawns & breathing, pawns);
}

// Only groups with a pawn in `touched` can have lost their freedom since it was last judged, and mostly none has.
template <typename Set, typename Steps>
Set capture_enemies(const Steps& steps, Table<Set>& table, const Set& touched, const Set& breathing) {
    if (none(table.enemies() & touched & ~breathing)) return Set{};
    Set captured = without_freedom<Set>(steps, table.next, breathing);
    if (!none(table.last)) captured |= without_freedom<Set>(steps, table.last, breathing);
    table.next &= ~captured;
    table.last &= ~captured;
    return captured;
}

template <typename Set, typename Steps>
Set capture_friends(const Steps& steps, Table<Set>& table, const Set& touched, const Set& breathing) {
    if (none(table.own & touched & ~breathing)) return Set{};
    const Set captured = without_freedom<Set>(steps, table.own, breathing);
    table.own &= ~captured;
    return captured;
}

// Part 1 of a turn. Returns the captured enemies.
template <typename Set, typename Steps>
Set move_pawn(const Steps& steps, Table<Set>& table, const Set& from, const Set& to) {
    table.own ^= from | to;
    return capture_enemies<Set>(steps, table, steps(to), steps(table.empty()));
}

// The tiles that stay on the table when one is removed: the group with the pawns, nothing if they are in several.
template <typename Set, typename Steps>
Set kept_without(const Steps& steps, const Table<Set>& table, const Set& removed) {
    const Set pawns = table.pawns();
    const Set group = flood<Set>(steps, pawns & -pawns, table.tiles & ~removed);
    return group & ~filled(pawns & ~group);
}

// Part 2 of a turn but for its captures.
template <typename Set, typename Steps>
void remove_tile(const Steps& steps, Table<Set>& table, const Set& removed, const Set& kept) {
    table.tiles = kept;
    table.rim = (table.rim | steps(removed)) & kept;
}

template <typename Set>
struct Captures {
    Set enemies, friends;
};

// Captures at the end of a turn, also where the turn was a pawn move alone. Freedom can be lost around the removed
// tile and, since one's own side has not been judged yet, by the pawn that moved.
template <typename Set, typename Steps>
Captures<Set> settle(const Steps& steps, Table<Set>& table, const Set& touched) {
    const Set breathing = steps(table.empty());
    const Set enemies = capture_enemies<Set>(steps, table, touched, breathing);
    const Set breathing_now = none(enemies) ? breathing : steps(table.empty());
    return {enemies, capture_friends<Set>(steps, table, touched, breathing_now)};
}

// For the first-move rule: what a turn that ends with this removal (of nothing, where no tile is removed) captures.
template <typename Set, typename Steps>
Set end_captures(const Steps& steps, Table<Set> table, const Set& removed, const Set& kept) {
    remove_tile<Set>(steps, table, removed, kept);
    const Captures<Set> captures = settle<Set>(steps, table, table.own | steps(removed));
    return captures.enemies | captures.friends;
}

Table<Word> table_of(const Position& position) {
    const auto pawns = [&](int later) { return position.pawns[(position.to_move + later) % kMostPlayers]; };
    return {position.tiles, position.rim, pawns(0), pawns(1), pawns(2)};
}

void put(const Table<Word>& table, Position& position) {
    position.tiles = table.tiles;
    position.rim = table.rim;
    position.pawns[position.to_move] = table.own;
    position.pawns[(position.to_move + 1) % kMostPlayers] = table.next;
    position.pawns[(position.to_move + 2) % kMostPlayers] = table.last;
}

// Passes the turn on and judges the end; `began` are the players in the game when the turn began.
void finish(Position& position, unsigned began) {
    const unsigned left = position.in_game();
    const unsigned others = began & ~(1U << position.to_move);
    ++position.turn;
    do {
        position.to_move = static_cast<std::uint8_t>((position.to_move + 1) % position.players);
    } while (left != 0 && !has(left, position.to_move));
    if (count(left) > 1) return;
    position.over = true;
    position.winners = static_cast<std::uint8_t>(left != 0 ? left : count(others) == 1 ? others : began);
}

// The repetition ruling, after a turn that led from `before` to `now`. The set-up is not the end of a turn.
void judge_repetition(History& history, const Position& before, Position& now) {
    if (now.tiles != before.tiles || count(now.all_pawns()) != count(before.all_pawns())) {
        history = {};
        return;
    }
    if (before.turn > 0) history = history.with(before);
    if (now.over || !history.holds(now)) return;
    now.over = true;
    now.winners = static_cast<std::uint8_t>(now.in_game());
}

// What the tiles allow to be removed, worked out once for all pawn moves of a turn.
class Ground {
  public:
    Ground(const Layout& layout, const Table<Word>& table) : steps_{layout}, tiles_(table.tiles) {
        for (Word rest = table.rim; rest != 0;) {
            const int tile = pop(rest);
            const Word arcs = gather(tiles_, layout.neighbours[tile]);
            if (has(layout.one_arc[tile], static_cast<int>(arcs)) || !cut(bit(tile))) safe_ |= bit(tile);
        }
    }

    // The tiles that may be removed; only the pawns may differ from the table that the ground was made for.
    Word removals(const Table<Word>& table, bool captures_forbidden) const {
        const Word pawns = table.pawns();
        Word allowed = safe_;
        for (int i = 0; i < size_; ++i) {
            if (cuts_[i].keeps_together(pawns)) allowed |= cuts_[i].tile;
        }
        allowed &= table.empty();
        return captures_forbidden ? harmless(table, allowed) : allowed;
    }

  private:
    // The groups that the tiles fall into without this one, at most three since a tile has six sides.
    struct Cut {
        Word tile;
        std::array<Word, 3> groups;

        bool keeps_together(Word pawns) const {
            bool together = false;
            for (const Word group : groups) together |= (pawns & ~group) == 0;
            return together;
        }
    };

    bool cut(Word tile) {
        Word rest = tiles_ & ~tile;
        Cut cut{tile, {}};
        for (Word& group : cut.groups) {
            group = flood<Word>(steps_, lowest(rest), rest);
            rest &= ~group;
        }
        if (cut.groups[1] == 0) return false;
        cuts_[size_++] = cut;
        return true;
    }

    Word harmless(const Table<Word>& table, Word allowed) const {
        for (Word rest = allowed; rest != 0; rest &= rest - 1) {
            const Word tile = lowest(rest);
            const Word kept = (safe_ & tile) != 0 ? tiles_ & ~tile : kept_without<Word>(steps_, table, tile);
            if (end_captures<Word>(steps_, table, tile, kept) != 0) allowed &= ~tile;
        }
        return allowed;
    }

    TableSteps steps_;
    Word tiles_;
    Word safe_ = 0;
    int size_ = 0;
    std::array<Cut, kMostTiles> cuts_;
};

Word reach(const Layout& layout, Word empty, int from) {
    return flood<Word>(TableSteps{layout}, layout.neighbours[from] & empty, empty);
}

// Visits every pawn move that the first-move rule allows, with the table after it.
template <typename Visit>
void each_move(const Layout& layout, const Table<Word>& table, bool captures_forbidden, Visit visit) {
    for (Word pawns = table.own; pawns != 0;) {
        const int from = pop(pawns);
        for (Word targets = reach(layout, table.empty(), from); targets != 0;) {
            const int to = pop(targets);
            Table<Word> moved = table;
            const Word captured = move_pawn<Word>(TableSteps{layout}, moved, bit(from), bit(to));
            if (captured == 0 || !captures_forbidden) visit(from, to, moved);
        }
    }
}

void append(std::vector<Turn>& turns, int from, int to, Word removed) {
    const std::uint32_t move = Turn{static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to), 0}.pack();
    const std::size_t before = turns.size();
    turns.resize(before + static_cast<std::size_t>(count(removed)));
    for (Turn* turn = turns.data() + before; removed != 0; ++turn) {
        *turn = Turn::unpack(move | static_cast<std::uint32_t>(pop(removed)) << 16);
    }
}

bool on_table(const Position& position, int tile) {
    return tile >= 0 && tile < kMostTiles && has(position.tiles, tile);
}

// Who stands on the tile, or -1.
int player_at(const Position& position, int tile) {
    for (int player = 0; player < kMostPlayers; ++player) {
        if (on_table(position, tile) && has(position.pawns[player], tile)) return player;
    }
    return -1;
}

Problem explain_move(const Layout& layout, const Position& position, Turn turn) {
    const int player = player_at(position, turn.from);
    if (player < 0) return Problem::no_pawn;
    if (player != position.to_move) return Problem::enemy_pawn;
    if (turn.from == turn.to) return Problem::same_tile;
    if (player_at(position, turn.to) >= 0) return Problem::occupied;
    if (!has(reach(layout, position, turn.from), turn.to)) return Problem::not_reachable;
    const Moved moved = after_move(layout, position, turn.from, turn.to);
    return moved.captured != 0 && position.captures_forbidden() ? Problem::move_captures : Problem::none;
}

// Why a tile may not be removed from a position (which is the one after the pawn move, if there was one).
Problem explain_removal(const Layout& layout, const Position& position, int tile) {
    if (player_at(position, tile) >= 0) return Problem::removed_occupied;
    if (!has(position.rim, tile)) return Problem::no_free_edge;
    const Word kept = kept_without<Word>(TableSteps{layout}, table_of(position), bit(tile));
    return kept == 0 ? Problem::splits_pawns : Problem::removal_captures;
}

// Why a turn is not among the legal ones, of which one is given to show what parts they have.
Problem explain(const Layout& layout, const Position& position, Turn turn, Turn legal) {
    if ((turn.from == Turn::kNone) != (turn.to == Turn::kNone)) return Problem::incomplete;
    for (const int tile : {turn.from, turn.to, turn.removed}) {
        if (tile != Turn::kNone && !on_table(position, tile)) return Problem::no_such_tile;
    }
    if (!turn.moves()) {
        if (!turn.removes()) return Problem::nothing;
        return legal.moves() ? Problem::must_move : explain_removal(layout, position, turn.removed);
    }
    const Problem problem = explain_move(layout, position, turn);
    if (problem != Problem::none) return problem;
    const Position moved = after_move(layout, position, turn.from, turn.to).position;
    if (turn.removes()) return explain_removal(layout, moved, turn.removed);
    if (!legal.moves() || !legal.removes()) return Problem::move_captures;
    return removals(layout, moved) != 0 ? Problem::must_remove : Problem::move_allows_no_removal;
}

// Chance for eight tables: xoroshiro128+ in each lane.
class Dice {
  public:
    explicit Dice(Word seed) {
        Chance chance(seed);
        for (int i = 0; i < kLanes; ++i) {
            low_[i] = chance.next();
            high_[i] = chance.next() | 1;  // never all zero
        }
    }

    // A number below n (itself below 2^32) in each lane.
    Lanes below(const Lanes& n) {
        const Lanes sum = low_ + high_;
        high_ ^= low_;
        low_ = (low_ << 24 | low_ >> 40) ^ high_ ^ high_ << 16;
        high_ = high_ << 37 | high_ >> 27;
        return products(sum >> 32, n) >> 32;
    }

    // A member of each set; nothing of an empty one.
    Lanes pick(const Lanes& sets) {
        const Lanes n = below(counts(sets));
        const auto one = [&](int i) { return nth(sets[i], static_cast<unsigned>(n[i])); };
        return Lanes{one(0), one(1), one(2), one(3), one(4), one(5), one(6), one(7)};
    }

  private:
    Lanes low_{}, high_{};
};

// A random turn for where the quick draw below fails: any legal pawn move, then any removal that it allows.
Turn draw_turn(const Layout& layout, const Position& position, Chance& chance) {
    std::vector<Turn> turns;
    legal_turns(layout, position, turns);
    std::vector<std::size_t> starts;  // of the turns with one pawn move, which are listed in a row
    for (std::size_t i = 0; i < turns.size(); ++i) {
        if (i == 0 || turns[i].from != turns[i - 1].from || turns[i].to != turns[i - 1].to) starts.push_back(i);
    }
    starts.push_back(turns.size());
    const std::size_t move = chance.below(static_cast<unsigned>(starts.size() - 1));
    return turns[starts[move] + chance.below(static_cast<unsigned>(starts[move + 1] - starts[move]))];
}

void record(Playouts& result, Word winners, std::uint64_t times) {
    if (count(winners) > 1) result.shared += times;
    for (int player = 0; player < kMostPlayers; ++player) {
        if (!has(winners, player)) continue;
        result.credit[player] += static_cast<double>(times) / count(winners);
        if (count(winners) == 1) result.wins[player] += times;
    }
}

// Eight playouts in step, a turn at a time. Drawing a turn branches and waits all the time; side by side the tables
// wait together. A lane whose game is over begins the next one; when all have begun, it stays an empty table.
template <typename Steps>
class Playing {
  public:
    // `cells` are the places of the tiles in the sets that the steps are for.
    Playing(const Layout& layout, Steps steps, Word cells, const State& start, std::uint64_t n, Word seed)
        : layout_(layout), steps_(steps), cells_(cells), start_(start), waiting_(n), chance_(seed), dice_(seed) {
        for (int lane = 0; lane < kLanes; ++lane) begin(lane);
    }

    Playouts run() {
        while (playing_ != 0) step();
        return result_;
    }

  private:
    void step() {
        Table<Lanes> now = table_;
        const auto [from, to] = draw_move(now);
        const Lanes captured = move_pawn<Lanes>(steps_, now, from, to);
        const Lanes removed = draw_removal(now, filled(from) & ~(filled(captured) & forbidden_));
        settle<Lanes>(steps_, now, to | steps_(removed));
        const Lanes done = filled(removed);
        const unsigned failed = playing_ & ~occupied(done);
        const unsigned ended = occupied(done & one_left(now));
        result_.turns += static_cast<unsigned>(std::popcount(occupied(done)));
        for (Word lanes = ended; lanes != 0;) judge(pop(lanes), now);
        const Lanes going = done & ~one_left(now);
        pass_on(now, going);
        for (Word lanes = occupied(done) & (remembering_ | retrying_); lanes != 0;) forget(pop(lanes));
        for (Word lanes = ended; lanes != 0;) begin(pop(lanes));
        for (Word lanes = failed; lanes != 0;) retry(pop(lanes));
    }

    struct Move {
        Lanes from, to;
    };

    // A pawn and an empty tile in its reach, every such pair with the same chance: goes through the regions of empty
    // tiles that touch own pawns, and lets each replace the one chosen before with the chance that its pairs have.
    Move draw_move(const Table<Lanes>& now) {
        const Lanes empty = now.empty();
        Lanes chosen{}, pawns{}, pairs{};
        for (Lanes rest = steps_(now.own) & empty; !none(rest);) {
            const Lanes region = flood<Lanes>(steps_, rest & -rest, empty);
            const Lanes touching = steps_(region) & now.own;
            const Lanes more = products(counts(region), counts(touching));
            pairs += more;
            const Lanes replace = std::bit_cast<Lanes>(dice_.below(pairs) < more);
            chosen = (replace & region) | (~replace & chosen);
            pawns = (replace & touching) | (~replace & pawns);
            rest &= ~region;
        }
        return {dice_.pick(pawns), dice_.pick(chosen)};
    }

    // Removes a tile, every one that may be with the same chance, from the tables in `open`. Returns the tiles.
    Lanes draw_removal(Table<Lanes>& now, const Lanes& open) {
        Lanes removed{}, kept = now.tiles;
        for (Lanes candidates = now.empty() & now.rim & open; !none(candidates);) {
            const Lanes drawn = dice_.pick(candidates);
            const Lanes left = kept_without<Lanes>(steps_, now, drawn);
            Lanes good = filled(drawn) & filled(left);
            if (!none(forbidden_ & drawn)) {
                good &= ~(forbidden_ & filled(end_captures<Lanes>(steps_, now, drawn, left)));
            }
            removed |= drawn & good;
            kept = (good & left) | (~good & kept);
            candidates &= ~(drawn | good);
        }
        remove_tile<Lanes>(steps_, now, removed, kept);
        return removed;
    }

    static Lanes one_left(const Table<Lanes>& now) {
        const Lanes own = filled(now.own), next = filled(now.next), last = filled(now.last);
        return ~((own & next) | (own & last) | (next & last));
    }

    // Hands the tables in `going` to the next player who has pawns.
    void pass_on(const Table<Lanes>& now, const Lanes& going) {
        const auto choose = [](const Lanes& where, const Lanes& a, const Lanes& b) {
            return (where & a) | (~where & b);
        };
        const Lanes skip = ~filled(now.next);
        table_.tiles = choose(going, now.tiles, table_.tiles);
        table_.rim = choose(going, now.rim, table_.rim);
        table_.own = choose(going, choose(skip, now.last, now.next), table_.own);
        table_.next = choose(going, choose(skip, now.own, now.last), table_.next);
        table_.last = choose(going, choose(skip, now.next, now.own), table_.last);
        const Lanes seat = seat_ + 1 + (skip & 1);
        seat_ = choose(going, seat - (std::bit_cast<Lanes>(seat >= 3) & 3), seat_);
        turn_ += going & 1;
        forbidden_ = std::bit_cast<Lanes>(turn_ + 1 < static_cast<Word>(layout_.players));
    }

    Position position(int lane, const Table<Lanes>& from) const {
        Position position = start_.position;
        position.turn = static_cast<std::uint32_t>(turn_[lane]);
        position.to_move = static_cast<std::uint8_t>(seat_[lane]);
        put({gather(from.tiles[lane], cells_), gather(from.rim[lane], cells_), gather(from.own[lane], cells_),
             gather(from.next[lane], cells_), gather(from.last[lane], cells_)},
            position);
        return position;
    }

    void set(int lane, const Position& position) {
        const Table<Word> table = table_of(position);
        table_.tiles[lane] = scatter(table.tiles, cells_);
        table_.rim[lane] = scatter(table.rim, cells_);
        table_.own[lane] = scatter(table.own, cells_);
        table_.next[lane] = scatter(table.next, cells_);
        table_.last[lane] = scatter(table.last, cells_);
        seat_[lane] = position.to_move;
        turn_[lane] = position.turn;
        forbidden_[lane] = position.captures_forbidden() ? ~Word{0} : 0;
    }

    void begin(int lane) {
        playing_ &= ~(1U << lane);
        set(lane, {});
        if (waiting_ == 0) return;
        --waiting_;
        playing_ |= 1U << lane;
        set(lane, start_.position);
        history_[lane] = start_.history;
        if (!start_.history.empty()) remembering_ |= 1U << lane;
    }

    void judge(int lane, const Table<Lanes>& now) {
        const unsigned began = position(lane, table_).in_game();
        Position end = position(lane, now);
        finish(end, began);
        record(result_, end.winners, 1);
    }

    void forget(int lane) {
        history_[lane] = {};
        remembering_ &= ~(1U << lane);
        tries_[lane] = 0;
        retrying_ &= ~(1U << lane);
    }

    // The pawn move that was drawn is not allowed, or no tile can be removed after it. To draw again is exact and
    // cheap; only when that fails repeatedly there may be no such move, and it takes the list of turns to know.
    void retry(int lane) {
        constexpr int kTries = 4;
        retrying_ |= 1U << lane;
        if (++tries_[lane] < kTries) return;
        State state{position(lane, table_), history_[lane]};
        play(layout_, state, draw_turn(layout_, state.position, chance_));
        ++result_.turns;
        forget(lane);
        if (state.position.over) {
            record(result_, state.position.winners, 1);
            begin(lane);
            return;
        }
        set(lane, state.position);
        history_[lane] = state.history;
        if (!state.history.empty()) remembering_ |= 1U << lane;
    }

    const Layout& layout_;
    Steps steps_;
    Word cells_;
    State start_;
    std::uint64_t waiting_;
    Chance chance_;
    Dice dice_;
    Table<Lanes> table_{};
    Lanes seat_{}, turn_{}, forbidden_{};
    unsigned playing_ = 0;      // a set of lanes
    unsigned remembering_ = 0;  // those whose history is not empty
    unsigned retrying_ = 0;     // those whose draws have failed
    std::array<int, kLanes> tries_{};
    std::array<History, kLanes> history_;
    Playouts result_;
};

}  // namespace

bool repeats(const Position& one, const Position& other) {
    return one.tiles == other.tiles && one.pawns == other.pawns && one.to_move == other.to_move;
}

Word hash(const Position& position) {
    Word state = position.to_move | (position.captures_forbidden() ? 4 + position.turn * 4 : 0);
    for (const Word part : {position.tiles, position.pawns[0], position.pawns[1], position.pawns[2]}) {
        state = Chance(state ^ part).next();
    }
    return state;
}

bool History::holds(const Position& position) const {
    return ends_ && std::ranges::any_of(*ends_, [&](const Position& end) { return repeats(end, position); });
}

History History::with(const Position& end) const {
    auto ends = ends_ ? std::make_shared<std::vector<Position>>(*ends_) : std::make_shared<std::vector<Position>>();
    ends->push_back(end);
    History result;
    result.ends_ = std::move(ends);
    return result;
}

Word rim(const Layout& layout, Word tiles) {
    Word found = 0;
    for (Word left = tiles; left != 0;) {
        const int tile = pop(left);
        if (count(layout.neighbours[static_cast<std::size_t>(tile)] & tiles) < 6) found |= bit(tile);
    }
    return found;
}

Position initial_position(const Layout& layout) {
    Position position;
    position.tiles = layout.all();
    position.players = static_cast<std::uint8_t>(layout.players);
    for (int player = 0; player < layout.players; ++player) position.pawns[player] = layout.colours[player];
    for (int tile = 0; tile < layout.count; ++tile) {
        if (count(layout.neighbours[tile]) < 6) position.rim |= bit(tile);
    }
    return position;
}

Played play(const Layout& layout, const Position& position, Turn turn) {
    assert(is_legal(layout, position, turn));
    const TableSteps steps{layout};
    Table<Word> table = table_of(position);
    Played played{position, {}};
    Word touched = 0;
    if (turn.moves()) {
        played.events.captured_by_move = move_pawn<Word>(steps, table, bit(turn.from), bit(turn.to));
        touched |= bit(turn.to);
    }
    if (turn.removes()) {
        const Word kept = kept_without<Word>(steps, table, bit(turn.removed));
        played.events.sunk = table.tiles & ~kept;
        remove_tile<Word>(steps, table, bit(turn.removed), kept);
        touched |= layout.neighbours[turn.removed];
    }
    const Captures<Word> captures = settle<Word>(steps, table, touched);
    played.events.captured_enemies = captures.enemies;
    played.events.captured_friends = captures.friends;
    put(table, played.position);
    finish(played.position, position.in_game());
    return played;
}

Events play(const Layout& layout, State& state, Turn turn) {
    const Position before = state.position;
    const Played played = play(layout, before, turn);
    state.position = played.position;
    judge_repetition(state.history, before, state.position);
    return played.events;
}

void legal_turns(const Layout& layout, const Position& position, std::vector<Turn>& turns) {
    turns.clear();
    if (position.over) return;
    const Table<Word> table = table_of(position);
    const bool forbidden = position.captures_forbidden();
    const Ground ground(layout, table);
    each_move(layout, table, forbidden, [&](int from, int to, const Table<Word>& moved) {
        append(turns, from, to, ground.removals(moved, forbidden));
    });
    if (!turns.empty()) return;
    each_move(layout, table, forbidden, [&](int from, int to, const Table<Word>& moved) {
        if (forbidden && end_captures<Word>(TableSteps{layout}, moved, 0, moved.tiles) != 0) return;
        turns.push_back({static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to)});
    });
    if (!turns.empty()) return;
    append(turns, Turn::kNone, Turn::kNone, ground.removals(table, forbidden));
    if (turns.empty()) turns.push_back({});
}

Problem check(const Layout& layout, const Position& position, Turn turn) {
    if (position.over) return Problem::game_over;
    std::vector<Turn> turns;
    legal_turns(layout, position, turns);
    if (std::ranges::find(turns, turn) != turns.end()) return Problem::none;
    return explain(layout, position, turn, turns.front());
}

bool is_legal(const Layout& layout, const Position& position, Turn turn) {
    return check(layout, position, turn) == Problem::none;
}

Word reach(const Layout& layout, const Position& position, int pawn) {
    return player_at(position, pawn) < 0 ? 0 : reach(layout, position.empty(), pawn);
}

Moved after_move(const Layout& layout, const Position& position, int from, int to) {
    assert(on_table(position, to) && has(reach(layout, position, from), to));
    Table<Word> table = table_of(position);
    Moved moved{position};
    moved.captured = move_pawn<Word>(TableSteps{layout}, table, bit(from), bit(to));
    put(table, moved.position);
    return moved;
}

Word removals(const Layout& layout, const Position& position) {
    const Table<Word> table = table_of(position);
    return Ground(layout, table).removals(table, position.captures_forbidden());
}

Word group(const Layout& layout, const Position& position, int pawn) {
    const int player = player_at(position, pawn);
    return player < 0 ? 0 : flood<Word>(TableSteps{layout}, bit(pawn), position.pawns[player]);
}

Word freedoms(const Layout& layout, const Position& position, int pawn) {
    return layout.near(group(layout, position, pawn)) & position.empty();
}

Word in_danger(const Layout& layout, const Position& position, int player) {
    if (player < 0 || player >= kMostPlayers) return 0;
    Word found = 0;
    for (Word rest = position.pawns[player]; rest != 0;) {
        const int pawn = first(rest);
        const Word members = group(layout, position, pawn);
        if (std::has_single_bit(freedoms(layout, position, pawn))) found |= members;
        rest &= ~members;
    }
    return found;
}

Playouts playouts(const Layout& layout, const State& state, std::uint64_t n, Word seed) {
    if (state.position.over) {
        Playouts result;
        record(result, state.position.winners, n);
        return result;
    }
    if (layout.cells != 0) {
        return Playing(layout, GridSteps{layout.stride}, layout.cells, state, n, seed).run();
    }
    return Playing(layout, TableSteps{layout}, ~Word{0}, state, n, seed).run();
}

}  // namespace limina::limit

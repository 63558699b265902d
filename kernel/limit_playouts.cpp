// Random play to the end, eight games side by side.
#include "limit_rules.hpp"

namespace limina::limit {

namespace {

// Random numbers for eight boards: xoroshiro128+ in each lane.
class LaneRng {
  public:
    explicit LaneRng(Word seed) {
        Rng rng(seed);
        for (int i = 0; i < kLanes; ++i) {
            low_[i] = rng.next();
            high_[i] = rng.next() | 1;  // never all zero
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
Turn draw_turn(const Layout& layout, const Position& position, Rng& rng) {
    std::vector<Turn> turns;
    legal_turns(layout, position, turns);
    std::vector<std::size_t> starts;  // of the turns with one pawn move, which are listed in a row
    for (std::size_t i = 0; i < turns.size(); ++i) {
        if (i == 0 || turns[i].from != turns[i - 1].from || turns[i].to != turns[i - 1].to) starts.push_back(i);
    }
    starts.push_back(turns.size());
    const std::size_t move = rng.below(static_cast<unsigned>(starts.size() - 1));
    return turns[starts[move] + rng.below(static_cast<unsigned>(starts[move + 1] - starts[move]))];
}

void record(Playouts& result, Word winners, std::uint64_t times) {
    if (count(winners) > 1) result.shared += times;
    for (int player = 0; player < kMostPlayers; ++player) {
        if (!has(winners, player)) continue;
        result.credit[player] += static_cast<double>(times) / count(winners);
        if (count(winners) == 1) result.wins[player] += times;
    }
}

// Eight playouts in step, a turn at a time. Drawing a turn branches and waits all the time; side by side the boards
// wait together. A lane whose game is over begins the next one; when all have begun, it stays an empty board.
template <typename Steps>
class Playing {
  public:
    // `cells` are the places of the tiles in the sets that the steps are for.
    Playing(const Layout& layout, Steps steps, Word cells, const State& start, std::uint64_t n, Word seed)
        : layout_(layout), steps_(steps), cells_(cells), start_(start), waiting_(n), rng_(seed), lane_rng_(seed) {
        for (int lane = 0; lane < kLanes; ++lane) begin(lane);
    }

    Playouts run() {
        while (playing_ != 0) step();
        return result_;
    }

  private:
    void step() {
        Bitboards<Lanes> now = boards_;
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
    Move draw_move(const Bitboards<Lanes>& now) {
        const Lanes empty = now.empty();
        Lanes chosen{}, pawns{}, pairs{};
        for (Lanes rest = steps_(now.own) & empty; !none(rest);) {
            const Lanes region = flood<Lanes>(steps_, rest & -rest, empty);
            const Lanes touching = steps_(region) & now.own;
            const Lanes more = products(counts(region), counts(touching));
            pairs += more;
            const Lanes replace = std::bit_cast<Lanes>(lane_rng_.below(pairs) < more);
            chosen = (replace & region) | (~replace & chosen);
            pawns = (replace & touching) | (~replace & pawns);
            rest &= ~region;
        }
        return {lane_rng_.pick(pawns), lane_rng_.pick(chosen)};
    }

    // Removes a tile, every one that may be with the same chance, from the boards in `open`. Returns the tiles.
    Lanes draw_removal(Bitboards<Lanes>& now, const Lanes& open) {
        Lanes removed{}, kept = now.tiles;
        for (Lanes candidates = now.empty() & now.rim & open; !none(candidates);) {
            const Lanes drawn = lane_rng_.pick(candidates);
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

    static Lanes one_left(const Bitboards<Lanes>& now) {
        const Lanes own = filled(now.own), next = filled(now.next), last = filled(now.last);
        return ~((own & next) | (own & last) | (next & last));
    }

    // Hands the boards in `going` to the next player who has pawns.
    void pass_on(const Bitboards<Lanes>& now, const Lanes& going) {
        const auto choose = [](const Lanes& where, const Lanes& a, const Lanes& b) {
            return (where & a) | (~where & b);
        };
        const Lanes skip = ~filled(now.next);
        boards_.tiles = choose(going, now.tiles, boards_.tiles);
        boards_.rim = choose(going, now.rim, boards_.rim);
        boards_.own = choose(going, choose(skip, now.last, now.next), boards_.own);
        boards_.next = choose(going, choose(skip, now.own, now.last), boards_.next);
        boards_.last = choose(going, choose(skip, now.next, now.own), boards_.last);
        const Lanes seat = seat_ + 1 + (skip & 1);
        seat_ = choose(going, seat - (std::bit_cast<Lanes>(seat >= 3) & 3), seat_);
        turn_ += going & 1;
        forbidden_ = std::bit_cast<Lanes>(turn_ + 1 < static_cast<Word>(layout_.players));
    }

    Position position(int lane, const Bitboards<Lanes>& from) const {
        Position position = start_.position;
        position.turn = static_cast<std::uint32_t>(turn_[lane]);
        position.to_move = static_cast<std::uint8_t>(seat_[lane]);
        put({gather(from.tiles[lane], cells_), gather(from.rim[lane], cells_), gather(from.own[lane], cells_),
             gather(from.next[lane], cells_), gather(from.last[lane], cells_)},
            position);
        return position;
    }

    void set(int lane, const Position& position) {
        const Bitboards<Word> board = bitboards(position);
        boards_.tiles[lane] = scatter(board.tiles, cells_);
        boards_.rim[lane] = scatter(board.rim, cells_);
        boards_.own[lane] = scatter(board.own, cells_);
        boards_.next[lane] = scatter(board.next, cells_);
        boards_.last[lane] = scatter(board.last, cells_);
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

    void judge(int lane, const Bitboards<Lanes>& now) {
        const unsigned began = position(lane, boards_).in_game();
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
        State state{position(lane, boards_), history_[lane]};
        play(layout_, state, draw_turn(layout_, state.position, rng_));
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
    Rng rng_;
    LaneRng lane_rng_;
    Bitboards<Lanes> boards_{};
    Lanes seat_{}, turn_{}, forbidden_{};
    unsigned playing_ = 0;      // a set of lanes
    unsigned remembering_ = 0;  // those whose history is not empty
    unsigned retrying_ = 0;     // those whose draws have failed
    std::array<int, kLanes> tries_{};
    std::array<History, kLanes> history_;
    Playouts result_;
};

}  // namespace

Playouts playouts(const Layout& layout, const State& state, std::uint64_t n, Word seed) {
    if (state.position.over) {
        Playouts result;
        record(result, state.position.winners, n);
        return result;
    }
    if (layout.cells != 0) {
        return Playing(layout, GridSteps{layout.stride}, layout.cells, state, n, seed).run();
    }
    return Playing(layout, LookupSteps{layout}, ~Word{0}, state, n, seed).run();
}

}  // namespace limina::limit

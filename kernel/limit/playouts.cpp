// Random play to the end, several games side by side.
#include "limit/simd_rules.hpp"

namespace limina::limit {

namespace {

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

// How often each set of players has won.
class Wins {
  public:
    void add(Word winners, std::uint64_t times) { times_[winners] += times; }

    Playouts result(std::uint64_t turns) const {
        Playouts result;
        result.turns = turns;
        for (Word winners = 1; winners < times_.size(); ++winners) {
            if (count(winners) > 1) result.shared += times_[winners];
            for (std::size_t player = 0; player < kMostPlayers; ++player) {
                if (!has(winners, static_cast<int>(player))) continue;
                result.credit[player] += static_cast<double>(times_[winners]) / count(winners);
                if (count(winners) == 1) result.wins[player] += times_[winners];
            }
        }
        return result;
    }

  private:
    std::array<std::uint64_t, 1U << kMostPlayers> times_{};
};

// Playouts in step, a turn at a time. Drawing a turn branches and waits all the time; side by side the boards wait
// together. A lane whose game is over begins the next one; when all have begun, it stays an empty board. Every game
// draws the same numbers in whichever lane it is played.
template <typename Set, typename Steps>
class Playing {
  public:
    // `cells` are the places of the tiles in the sets that the steps are for.
    Playing(const Layout& layout, Steps steps, Word cells, const State& start, std::uint64_t n, Word seed)
        : layout_(layout),
          steps_(steps),
          cells_(cells),
          start_(start),
          start_board_(on_cells(start.position)),
          games_(n),
          seed_(seed) {
        for (int i = 0; i < kLanesOf<Set>; ++i) begin(i);
    }

    Playouts run() {
        while (playing_ != 0) step();
        return wins_.result(turns_played_);
    }

  private:
    void step() {
        Bitboards<Set> now = boards_;
        const auto [from, to] = draw_move(now);
        const Set captured = move_pawn<Set>(steps_, now, from, to);
        const Set removed = draw_removal(now, filled(from) & ~(filled(captured) & forbidden_));
        settle<Set>(steps_, now, to | steps_(removed));
        const Set done = filled(removed), over = one_left(now);
        const unsigned played = occupied(done), failed = playing_ & ~played, ended = occupied(done & over);
        turns_played_ += static_cast<unsigned>(std::popcount(played));
        for (Word lanes = ended; lanes != 0;) judge(pop(lanes), now);
        pass_on(now, done & ~over);
        for (Word lanes = played & (remembering_ | retrying_); lanes != 0;) forget(pop(lanes));
        for (Word lanes = ended; lanes != 0;) begin(pop(lanes));
        for (Word lanes = failed; lanes != 0;) retry(pop(lanes));
    }

    struct Move {
        Set from, to;
    };

    // A pawn and an empty tile in its reach, every such pair with the same chance: finds the regions of empty tiles
    // that touch own pawns, and takes each with the chance that its pairs have.
    Move draw_move(const Bitboards<Set>& now) {
        const Set empty = now.empty();
        std::array<Set, kMostTiles> regions, beside;
        std::array<Set, kMostTiles + 1> pairs;  // in the regions before
        std::size_t n = 0;
        pairs[0] = Set{};
        for (Set rest = steps_(now.own) & empty; !none(rest); ++n) {
            regions[n] = flood<Set>(steps_, rest & -rest, empty);
            beside[n] = steps_(regions[n]) & now.own;
            pairs[n + 1] = pairs[n] + products(counts(regions[n]), counts(beside[n]));
            rest &= ~regions[n];
        }
        const Set choice = scaled_low(dice_.next(), pairs[n]), luck = dice_.next();
        Set targets{}, pawns{};
        for (std::size_t i = 0; i < n; ++i) {
            const Set chosen = below(choice, pairs[i + 1]) & ~below(choice, pairs[i]);
            targets |= regions[i] & chosen;
            pawns |= beside[i] & chosen;
        }
        return {nths(pawns, scaled_low(luck, counts(pawns))), nths(targets, scaled_high(luck, counts(targets)))};
    }

    // Removes a tile, every one that may be with the same chance, from the boards in `open`. Returns the tiles.
    Set draw_removal(Bitboards<Set>& now, const Set& open) {
        Set removed{}, kept = now.tiles;
        const Set easy = steps_.one_arc(now.tiles);
        for (Set candidates = now.empty() & now.rim & open; !none(candidates);) {
            const Set luck = dice_.next(filled(candidates));
            const Set drawn = nths(candidates, scaled_high(luck, counts(candidates)));
            Set left = now.tiles & ~drawn;
            if (const Set hard = filled(drawn & ~easy); !none(hard)) {
                left = choose(hard, kept_without<Set>(steps_, now, drawn), left);
            }
            Set good = filled(drawn) & filled(left);
            if (!none(forbidden_ & drawn)) {
                good &= ~(forbidden_ & filled(end_captures<Set>(steps_, now, drawn, left)));
            }
            removed |= drawn & good;
            kept = choose(good, left, kept);
            candidates &= ~(drawn | good);
        }
        remove_tile<Set>(steps_, now, removed, kept);
        return removed;
    }

    static Set one_left(const Bitboards<Set>& now) {
        const Set own = filled(now.own), next = filled(now.next), last = filled(now.last);
        return ~((own & next) | (own & last) | (next & last));
    }

    // Hands the boards in `going` to the next player who has pawns.
    void pass_on(const Bitboards<Set>& now, const Set& going) {
        const Set skip = ~filled(now.next);
        boards_.tiles = choose(going, now.tiles, boards_.tiles);
        boards_.rim = choose(going, now.rim, boards_.rim);
        boards_.own = choose(going, choose(skip, now.last, now.next), boards_.own);
        boards_.next = choose(going, choose(skip, now.own, now.last), boards_.next);
        boards_.last = choose(going, choose(skip, now.next, now.own), boards_.last);
        const Set seat = seat_ + 1 + (skip & 1);
        seat_ = choose(going, seat - (~below(seat, everywhere<Set>(kMostPlayers)) & kMostPlayers), seat_);
        turn_ += going & 1;
        forbidden_ = below(turn_ + 1, everywhere<Set>(static_cast<Word>(layout_.players)));
    }

    Position position(int i, const Bitboards<Set>& from) const {
        Position position = start_.position;
        position.turn = static_cast<std::uint32_t>(lane(turn_, i));
        position.to_move = static_cast<std::uint8_t>(lane(seat_, i));
        const auto tiles = [&](const Set& sets) { return gather(lane(sets, i), cells_); };
        put({tiles(from.tiles), tiles(from.rim), tiles(from.own), tiles(from.next), tiles(from.last)}, position);
        return position;
    }

    Bitboards<Word> on_cells(const Position& position) const {
        const Bitboards<Word> board = bitboards(position);
        return {scatter(board.tiles, cells_), scatter(board.rim, cells_), scatter(board.own, cells_),
                scatter(board.next, cells_), scatter(board.last, cells_)};
    }

    void set(int i, const Bitboards<Word>& board, const Position& position) {
        set_lane(boards_.tiles, i, board.tiles);
        set_lane(boards_.rim, i, board.rim);
        set_lane(boards_.own, i, board.own);
        set_lane(boards_.next, i, board.next);
        set_lane(boards_.last, i, board.last);
        set_lane(seat_, i, position.to_move);
        set_lane(turn_, i, position.turn);
        set_lane(forbidden_, i, position.captures_forbidden() ? ~Word{0} : 0);
    }

    void begin(int i) {
        playing_ &= ~(1U << i);
        set(i, {}, {});
        if (begun_ == games_) return;
        dice_.begin(i, seed_, begun_++);
        playing_ |= 1U << i;
        set(i, start_board_, start_.position);
        history_[at(i)] = start_.history;
        if (!start_.history.empty()) remembering_ |= 1U << i;
    }

    void judge(int i, const Bitboards<Set>& now) {
        const unsigned began = position(i, boards_).in_game();
        Position end = position(i, now);
        finish(end, began);
        wins_.add(end.winners, 1);
    }

    void forget(int i) {
        history_[at(i)] = {};
        remembering_ &= ~(1U << i);
        tries_[at(i)] = 0;
        retrying_ &= ~(1U << i);
    }

    // The pawn move that was drawn is not allowed, or no tile can be removed after it. To draw again is exact and
    // cheap; only when that fails repeatedly there may be no such move, and it takes the list of turns to know.
    void retry(int i) {
        constexpr int kTries = 4;
        retrying_ |= 1U << i;
        if (++tries_[at(i)] < kTries) return;
        State state{position(i, boards_), history_[at(i)]};
        Rng rng = dice_.single(i);
        play(layout_, state, draw_turn(layout_, state.position, rng));
        ++turns_played_;
        forget(i);
        if (state.position.over) {
            wins_.add(state.position.winners, 1);
            begin(i);
            return;
        }
        set(i, on_cells(state.position), state.position);
        history_[at(i)] = state.history;
        if (!state.history.empty()) remembering_ |= 1U << i;
    }

    const Layout& layout_;
    Steps steps_;
    Word cells_;
    State start_;
    Bitboards<Word> start_board_;
    std::uint64_t games_, begun_ = 0;
    Word seed_;
    Dice<Set> dice_;
    Bitboards<Set> boards_{};
    Set seat_{}, turn_{}, forbidden_{};
    unsigned playing_ = 0;      // a set of lanes
    unsigned remembering_ = 0;  // those whose history is not empty
    unsigned retrying_ = 0;     // those whose draws have failed
    std::array<int, kLanesOf<Set>> tries_{};
    std::array<History, kLanesOf<Set>> history_;
    std::uint64_t turns_played_ = 0;
    Wins wins_;
};

}  // namespace

Playouts playouts(const Layout& layout, const State& state, std::uint64_t n, Word seed) {
    if (state.position.over) {
        Wins wins;
        wins.add(state.position.winners, n);
        return wins.result(0);
    }
    if (layout.cells != 0 && layout.stride == kUsualStride) {
        return Playing<Lanes, GridSteps<kUsualStride>>(layout, {layout.stride}, layout.cells, state, n, seed).run();
    }
    if (layout.cells != 0) {
        return Playing<Lanes, GridSteps<0>>(layout, {layout.stride}, layout.cells, state, n, seed).run();
    }
    return Playing<Lanes, LookupSteps>(layout, {layout}, ~Word{0}, state, n, seed).run();
}

}  // namespace limina::limit

// Random playouts, several games in SIMD lanes.
#include "limit/simd_rules.hpp"

namespace limina::limit {

namespace {

// Returns a random turn from the list of legal turns: a uniform pawn move, then a uniform removal that it allows. Slow;
// for positions where PlayoutLanes draws without success.
Turn random_turn(const Layout& layout, const Position& position, Rng& rng) {
    std::vector<Turn> turns;
    legal_turns(layout, position, turns);
    std::vector<std::size_t> move_starts;  // of the turns with one pawn move, which are listed in a row
    for (std::size_t i = 0; i < turns.size(); ++i) {
        if (i == 0 || turns[i].from != turns[i - 1].from || turns[i].to != turns[i - 1].to) move_starts.push_back(i);
    }
    move_starts.push_back(turns.size());
    const std::size_t move = rng.below(static_cast<unsigned>(move_starts.size() - 1));
    return turns[move_starts[move] + rng.below(static_cast<unsigned>(move_starts[move + 1] - move_starts[move]))];
}

// Counts how often each set of players has won.
class WinCounter {
  public:
    void add(Bitboard winners, std::uint64_t count) { counts_[winners] += count; }

    PlayoutResult result(std::uint64_t turns) const {
        PlayoutResult result;
        result.turns = turns;
        for (Bitboard winners = 1; winners < counts_.size(); ++winners) {
            if (popcount(winners) > 1) result.shared_wins += counts_[winners];
            for (std::size_t player = 0; player < kMaxPlayers; ++player) {
                if (!contains(winners, static_cast<int>(player))) continue;
                result.win_credit[player] += static_cast<double>(counts_[winners]) / popcount(winners);
                if (popcount(winners) == 1) result.wins[player] += counts_[winners];
            }
        }
        return result;
    }

  private:
    std::array<std::uint64_t, 1U << kMaxPlayers> counts_{};
};

// Plays a game in each lane, all of them turn by turn. A single game spends most of its time waiting for memory and
// mispredicted branches; several games in lanes share this time. A lane whose game is over begins the next one. When
// all games have begun, its board stays empty. A game is the same in any lane.
template <typename Set, typename Neighbors>
class PlayoutLanes {
  public:
    // `grid_cells` are the bits of the tiles in the sets that `neighbors` works on. Plays n games from `start`.
    PlayoutLanes(const Layout& layout, Neighbors neighbors, Bitboard grid_cells, const State& start, std::uint64_t n,
                 std::uint64_t seed)
        : layout_(layout),
          neighbors_(neighbors),
          grid_cells_(grid_cells),
          start_(start),
          start_board_(to_grid(start.position)),
          game_count_(n),
          seed_(seed) {
        for (int i = 0; i < kLaneCount<Set>; ++i) begin_game(i);
    }

    PlayoutResult run() {
        while (lanes_playing_ != 0) play_turn();
        return wins_.result(turns_played_);
    }

  private:
    void play_turn() {
        BoardSets<Set> next_boards = boards_;
        const auto [from, to] = draw_move(next_boards);
        const Set captured = move_pawn<Set>(neighbors_, next_boards, from, to);
        const Set removed =
            draw_removal(next_boards, nonzero_mask(from) & ~(nonzero_mask(captured) & captures_forbidden_));
        capture_at_turn_end<Set>(neighbors_, next_boards, to | neighbors_(removed));
        const Set done = nonzero_mask(removed), is_over = at_most_one_left(next_boards);
        const unsigned lanes_played = nonzero_lanes(done), lanes_failed = lanes_playing_ & ~lanes_played,
                       lanes_ended = nonzero_lanes(done & is_over);
        turns_played_ += static_cast<unsigned>(std::popcount(lanes_played));
        for (Bitboard lanes = lanes_ended; lanes != 0;) record_result(pop_lsb(lanes), next_boards);
        pass_turn(next_boards, done & ~is_over);
        for (Bitboard lanes = lanes_played & (lanes_with_history_ | lanes_retrying_); lanes != 0;)
            clear_history(pop_lsb(lanes));
        for (Bitboard lanes = lanes_ended; lanes != 0;) begin_game(pop_lsb(lanes));
        for (Bitboard lanes = lanes_failed; lanes != 0;) retry_draw(pop_lsb(lanes));
    }

    struct Move {
        Set from, to;
    };

    // Draws a pawn and an empty tile in its reach, uniformly among all such pairs. It finds the regions of empty tiles
    // beside own pawns and draws one with a probability proportional to its number of pairs.
    Move draw_move(const BoardSets<Set>& next_boards) {
        const Set empty = next_boards.empty_tiles();
        std::array<Set, kMaxTiles> regions, beside;
        std::array<Set, kMaxTiles + 1> pairs;  // number of pairs in the regions before this one
        std::size_t n = 0;
        pairs[0] = Set{};
        for (Set remaining = neighbors_(next_boards.own) & empty; !is_zero(remaining); ++n) {
            regions[n] = flood_fill<Set>(neighbors_, remaining & -remaining, empty);
            beside[n] = neighbors_(regions[n]) & next_boards.own;
            pairs[n + 1] = pairs[n] + multiply_u32(popcounts(regions[n]), popcounts(beside[n]));
            remaining &= ~regions[n];
        }
        const Set pair_index = scale_low32(rng_.next(), pairs[n]), random = rng_.next();
        Set targets{}, pawns{};
        for (std::size_t i = 0; i < n; ++i) {
            const Set chosen = less_mask(pair_index, pairs[i + 1]) & ~less_mask(pair_index, pairs[i]);
            targets |= regions[i] & chosen;
            pawns |= beside[i] & chosen;
        }
        return {nth_bits(pawns, scale_low32(random, popcounts(pawns))),
                nth_bits(targets, scale_high32(random, popcounts(targets)))};
    }

    // Removes a uniformly drawn legal tile from each board in `may_remove`, and returns the removed tiles. Draws among
    // the candidates until one is legal.
    Set draw_removal(BoardSets<Set>& next_boards, const Set& may_remove) {
        Set removed{}, remaining_tiles = next_boards.tiles;
        const Set safe_removals = neighbors_.single_arc(next_boards.tiles);
        for (Set candidates = next_boards.empty_tiles() & next_boards.edge_tiles & may_remove; !is_zero(candidates);) {
            const Set random = rng_.next(nonzero_mask(candidates));
            const Set drawn = nth_bits(candidates, scale_high32(random, popcounts(candidates)));
            Set tiles_left = next_boards.tiles & ~drawn;
            if (const Set needs_check = nonzero_mask(drawn & ~safe_removals); !is_zero(needs_check)) {
                tiles_left = blend(needs_check, tiles_after_removal<Set>(neighbors_, next_boards, drawn), tiles_left);
            }
            Set is_allowed = nonzero_mask(drawn) & nonzero_mask(tiles_left);
            if (!is_zero(captures_forbidden_ & drawn)) {
                is_allowed &= ~(captures_forbidden_ &
                                nonzero_mask(captures_at_turn_end<Set>(neighbors_, next_boards, drawn, tiles_left)));
            }
            removed |= drawn & is_allowed;
            remaining_tiles = blend(is_allowed, tiles_left, remaining_tiles);
            candidates &= ~(drawn | is_allowed);
        }
        remove_tile<Set>(neighbors_, next_boards, removed, remaining_tiles);
        return removed;
    }

    static Set at_most_one_left(const BoardSets<Set>& next_boards) {
        const Set own = nonzero_mask(next_boards.own), next = nonzero_mask(next_boards.next),
                  last = nonzero_mask(next_boards.last);
        return ~((own & next) | (own & last) | (next & last));
    }

    // Copies the boards in `continuing` to boards_ and passes the turn to the next player who has pawns.
    void pass_turn(const BoardSets<Set>& next_boards, const Set& continuing) {
        const Set skips_next = ~nonzero_mask(next_boards.next);
        boards_.tiles = blend(continuing, next_boards.tiles, boards_.tiles);
        boards_.edge_tiles = blend(continuing, next_boards.edge_tiles, boards_.edge_tiles);
        boards_.own = blend(continuing, blend(skips_next, next_boards.last, next_boards.next), boards_.own);
        boards_.next = blend(continuing, blend(skips_next, next_boards.own, next_boards.last), boards_.next);
        boards_.last = blend(continuing, blend(skips_next, next_boards.next, next_boards.own), boards_.last);
        const Set seat = to_move_ + 1 + (skips_next & 1);
        to_move_ = blend(continuing, seat - (~less_mask(seat, broadcast<Set>(kMaxPlayers)) & kMaxPlayers), to_move_);
        turn_ += continuing & 1;
        captures_forbidden_ = less_mask(turn_ + 1, broadcast<Set>(static_cast<std::uint64_t>(layout_.players)));
    }

    // Returns the board in lane i as a position.
    Position position(int i, const BoardSets<Set>& from) const {
        Position position = start_.position;
        position.turn = static_cast<std::uint32_t>(get_lane(turn_, i));
        position.to_move = static_cast<std::uint8_t>(get_lane(to_move_, i));
        const auto tiles = [&](const Set& sets) { return pext(get_lane(sets, i), grid_cells_); };
        store({tiles(from.tiles), tiles(from.edge_tiles), tiles(from.own), tiles(from.next), tiles(from.last)},
              position);
        return position;
    }

    BoardSets<Bitboard> to_grid(const Position& position) const {
        const BoardSets<Bitboard> board = board_sets(position);
        return {pdep(board.tiles, grid_cells_), pdep(board.edge_tiles, grid_cells_), pdep(board.own, grid_cells_),
                pdep(board.next, grid_cells_), pdep(board.last, grid_cells_)};
    }

    void set_board(int i, const BoardSets<Bitboard>& board, const Position& position) {
        set_lane(boards_.tiles, i, board.tiles);
        set_lane(boards_.edge_tiles, i, board.edge_tiles);
        set_lane(boards_.own, i, board.own);
        set_lane(boards_.next, i, board.next);
        set_lane(boards_.last, i, board.last);
        set_lane(to_move_, i, position.to_move);
        set_lane(turn_, i, position.turn);
        set_lane(captures_forbidden_, i, position.captures_forbidden() ? ~Bitboard{0} : 0);
    }

    // Begins the next game in lane i, or empties the lane if all games have begun.
    void begin_game(int i) {
        lanes_playing_ &= ~(1U << i);
        set_board(i, {}, {});
        if (games_begun_ == game_count_) return;
        rng_.seed_lane(i, seed_, games_begun_++);
        lanes_playing_ |= 1U << i;
        set_board(i, start_board_, start_.position);
        history_[i] = start_.history;
        if (!start_.history.empty()) lanes_with_history_ |= 1U << i;
    }

    void record_result(int i, const BoardSets<Set>& next_boards) {
        const unsigned players_before = position(i, boards_).players_in_game();
        Position end = position(i, next_boards);
        finish_turn(end, players_before);
        wins_.add(end.winners, 1);
    }

    void clear_history(int i) {
        history_[i] = {};
        lanes_with_history_ &= ~(1U << i);
        failed_draws_[i] = 0;
        lanes_retrying_ &= ~(1U << i);
    }

    // Called if the drawn pawn move is illegal or allows no removal. The lane draws again in the next step, which keeps
    // the distribution exact (rejection sampling). After several failures there may be no such move, so the turn is
    // drawn from the list of legal turns.
    void retry_draw(int i) {
        constexpr int kMaxFailedDraws = 4;
        lanes_retrying_ |= 1U << i;
        if (++failed_draws_[i] < kMaxFailedDraws) return;
        State state{position(i, boards_), history_[i]};
        Rng rng = rng_.lane_rng(i);
        play(layout_, state, random_turn(layout_, state.position, rng));
        ++turns_played_;
        clear_history(i);
        if (state.position.over) {
            wins_.add(state.position.winners, 1);
            begin_game(i);
            return;
        }
        set_board(i, to_grid(state.position), state.position);
        history_[i] = state.history;
        if (!state.history.empty()) lanes_with_history_ |= 1U << i;
    }

    const Layout& layout_;
    Neighbors neighbors_;
    Bitboard grid_cells_;
    State start_;
    BoardSets<Bitboard> start_board_;
    std::uint64_t game_count_, games_begun_ = 0;
    std::uint64_t seed_;
    SimdRng<Set> rng_;
    BoardSets<Set> boards_{};
    Set to_move_{}, turn_{}, captures_forbidden_{};
    // Bit masks of lanes.
    unsigned lanes_playing_ = 0;
    unsigned lanes_with_history_ = 0;  // lanes whose history is not empty
    unsigned lanes_retrying_ = 0;      // lanes whose last draws have failed
    std::array<int, kLaneCount<Set>> failed_draws_{};
    std::array<History, kLaneCount<Set>> history_;
    std::uint64_t turns_played_ = 0;
    WinCounter wins_;
};

}  // namespace

PlayoutResult playouts(const Layout& layout, const State& state, std::uint64_t n, std::uint64_t seed) {
    if (state.position.over) {
        WinCounter wins;
        wins.add(state.position.winners, n);
        return wins.result(0);
    }
    if (layout.grid_cells != 0 && layout.grid_stride == kDefaultStride) {
        return PlayoutLanes<SimdBitboard, GridNeighbors<kDefaultStride>>(layout, {layout.grid_stride},
                                                                         layout.grid_cells, state, n, seed)
            .run();
    }
    if (layout.grid_cells != 0) {
        return PlayoutLanes<SimdBitboard, GridNeighbors<0>>(layout, {layout.grid_stride}, layout.grid_cells, state, n,
                                                            seed)
            .run();
    }
    return PlayoutLanes<SimdBitboard, TableNeighbors>(layout, {layout}, ~Bitboard{0}, state, n, seed).run();
}

}  // namespace limina::limit

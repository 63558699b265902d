#include "limit/rules.hpp"

#include <algorithm>
#include <cassert>
#include <variant>

#include "limit/simd_rules.hpp"

namespace limina::limit {

namespace {

// What the tiles allow to be removed, worked out once for all pawn moves of a turn.
class Removals {
  public:
    Removals(const Layout& layout, const Bitboards<Word>& board) : steps_{layout}, tiles_(board.tiles) {
        for (Word rest = board.rim; rest != 0;) {
            const int tile = pop(rest);
            const Word arcs = gather(tiles_, layout.neighbours[tile]);
            if (has(layout.one_arc[tile], static_cast<int>(arcs)) || !cut(bit(tile))) safe_ |= bit(tile);
        }
    }

    // The tiles that may be removed; only the pawns may differ from the board that this was made for.
    Word allowed(const Bitboards<Word>& board, bool captures_forbidden) const {
        const Word pawns = board.pawns();
        Word allowed = safe_;
        for (int i = 0; i < size_; ++i) {
            if (cuts_[i].keeps_together(pawns)) allowed |= cuts_[i].tile;
        }
        allowed &= board.empty();
        return captures_forbidden ? harmless(board, allowed) : allowed;
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

    Word harmless(const Bitboards<Word>& board, Word allowed) const {
        for (Word rest = allowed; rest != 0; rest &= rest - 1) {
            const Word tile = lowest(rest);
            const Word kept = (safe_ & tile) != 0 ? tiles_ & ~tile : kept_without<Word>(steps_, board, tile);
            if (end_captures<Word>(steps_, board, tile, kept) != 0) allowed &= ~tile;
        }
        return allowed;
    }

    LookupSteps steps_;
    Word tiles_;
    Word safe_ = 0;
    int size_ = 0;
    std::array<Cut, kMostTiles> cuts_;
};

Word reach(const Layout& layout, Word empty, int from) {
    return flood<Word>(LookupSteps{layout}, layout.neighbours[from] & empty, empty);
}

// Visits every pawn move that the first-move rule allows, with the board after it.
template <typename Visit>
void each_move(const Layout& layout, const Bitboards<Word>& board, bool captures_forbidden, Visit visit) {
    for (Word pawns = board.own; pawns != 0;) {
        const int from = pop(pawns);
        for (Word targets = reach(layout, board.empty(), from); targets != 0;) {
            const int to = pop(targets);
            Bitboards<Word> moved = board;
            const Word captured = move_pawn<Word>(LookupSteps{layout}, moved, bit(from), bit(to));
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

bool on_board(const Position& position, int tile) {
    return tile >= 0 && tile < kMostTiles && has(position.tiles, tile);
}

// Who stands on the tile, or -1.
int player_at(const Position& position, int tile) {
    for (int player = 0; player < kMostPlayers; ++player) {
        if (on_board(position, tile) && has(position.pawns[player], tile)) return player;
    }
    return -1;
}

// Why a pawn may not go the turn's way, or the position after it.
std::variant<Position, Problem> check_move(const Layout& layout, const Position& position, Turn turn) {
    const int player = player_at(position, turn.from);
    if (player < 0) return Problem::no_pawn;
    if (player != position.to_move) return Problem::enemy_pawn;
    if (turn.from == turn.to) return Problem::same_tile;
    if (player_at(position, turn.to) >= 0) return Problem::occupied;
    if (!has(reach(layout, position.empty(), turn.from), turn.to)) return Problem::not_reachable;
    const Moved moved = after_move(layout, position, turn.from, turn.to);
    if (moved.captured != 0 && position.captures_forbidden()) return Problem::move_captures;
    return moved.position;
}

// Why a tile may not be removed from a position (which is the one after the pawn move, if there was one).
std::optional<Problem> check_removal(const Layout& layout, const Position& position, int tile) {
    if (player_at(position, tile) >= 0) return Problem::removed_occupied;
    if (!has(position.rim, tile)) return Problem::no_free_edge;
    const LookupSteps steps{layout};
    const Bitboards<Word> board = bitboards(position);
    const Word kept = kept_without<Word>(steps, board, bit(tile));
    if (kept == 0) return Problem::splits_pawns;
    const bool captures = position.captures_forbidden() && end_captures<Word>(steps, board, bit(tile), kept) != 0;
    return captures ? std::optional(Problem::removal_captures) : std::nullopt;
}

// The same for a turn without a move or without a removal: what else could be done decides.
std::optional<Problem> check_partial(const Layout& layout, const Position& position, Turn turn) {
    std::vector<Turn> turns;
    legal_turns(layout, position, turns);
    if (std::ranges::find(turns, turn) != turns.end()) return std::nullopt;
    const Turn legal = turns.front();  // all legal turns have the same parts
    if (!turn.moves()) {
        if (!turn.removes()) return Problem::nothing;
        return legal.moves() ? Problem::must_move : check_removal(layout, position, turn.removed);
    }
    const auto moved = check_move(layout, position, turn);
    if (const Problem* problem = std::get_if<Problem>(&moved)) return *problem;
    if (!legal.moves() || !legal.removes()) return Problem::move_captures;
    return removals(layout, std::get<Position>(moved)) != 0 ? Problem::must_remove : Problem::move_allows_no_removal;
}

// Whether the turn's pawn move, if it has one, has a beginning and an end, and all of its tiles are on the board.
std::optional<Problem> check_tiles(const Position& position, Turn turn) {
    if ((turn.from == Turn::kNone) != (turn.to == Turn::kNone)) return Problem::incomplete;
    for (const int tile : {turn.from, turn.to, turn.removed}) {
        if (tile != Turn::kNone && !on_board(position, tile)) return Problem::no_such_tile;
    }
    return std::nullopt;
}

}  // namespace

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
    assert(!check(layout, position, turn));
    const LookupSteps steps{layout};
    Bitboards<Word> board = bitboards(position);
    Played played{position, {}};
    Word touched = 0;
    if (turn.moves()) {
        played.events.captured_by_move = move_pawn<Word>(steps, board, bit(turn.from), bit(turn.to));
        touched |= bit(turn.to);
    }
    if (turn.removes()) {
        const Word kept = kept_without<Word>(steps, board, bit(turn.removed));
        played.events.sunk = board.tiles & ~kept;
        remove_tile<Word>(steps, board, bit(turn.removed), kept);
        touched |= layout.neighbours[turn.removed];
    }
    const Captures<Word> captures = settle<Word>(steps, board, touched);
    played.events.captured_enemies = captures.enemies;
    played.events.captured_friends = captures.friends;
    put(board, played.position);
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
    if (position.over || position.tiles == 0) return;
    const Bitboards<Word> board = bitboards(position);
    const bool forbidden = position.captures_forbidden();
    const Removals removals(layout, board);
    each_move(layout, board, forbidden, [&](int from, int to, const Bitboards<Word>& moved) {
        append(turns, from, to, removals.allowed(moved, forbidden));
    });
    if (!turns.empty()) return;
    each_move(layout, board, forbidden, [&](int from, int to, const Bitboards<Word>& moved) {
        if (forbidden && end_captures<Word>(LookupSteps{layout}, moved, 0, moved.tiles) != 0) return;
        turns.push_back({static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to)});
    });
    if (!turns.empty()) return;
    append(turns, Turn::kNone, Turn::kNone, removals.allowed(board, forbidden));
    if (turns.empty()) turns.push_back({});
}

std::optional<Problem> check(const Layout& layout, const Position& position, Turn turn) {
    if (position.over) return Problem::game_over;
    if (position.tiles == 0) return Problem::not_laid;
    if (const auto problem = check_tiles(position, turn)) return problem;
    if (!turn.moves() || !turn.removes()) return check_partial(layout, position, turn);
    const auto moved = check_move(layout, position, turn);
    if (const Problem* problem = std::get_if<Problem>(&moved)) return *problem;
    return check_removal(layout, std::get<Position>(moved), turn.removed);
}

Word reach(const Layout& layout, const Position& position, int pawn) {
    return player_at(position, pawn) < 0 ? 0 : reach(layout, position.empty(), pawn);
}

Moved after_move(const Layout& layout, const Position& position, int from, int to) {
    assert(on_board(position, to) && has(reach(layout, position, from), to));
    Bitboards<Word> board = bitboards(position);
    Moved moved{position};
    moved.captured = move_pawn<Word>(LookupSteps{layout}, board, bit(from), bit(to));
    put(board, moved.position);
    return moved;
}

std::vector<PawnMove> pawn_moves(const Layout& layout, const Position& position) {
    std::vector<Turn> turns;
    legal_turns(layout, position, turns);
    std::vector<PawnMove> moves;
    for (const Turn& turn : turns) {
        // The turns with one pawn move are listed in a row.
        if (!turn.moves() || (!moves.empty() && moves.back().from == turn.from && moves.back().to == turn.to)) continue;
        moves.push_back({turn.from, turn.to, after_move(layout, position, turn.from, turn.to).captured});
    }
    return moves;
}

Word completions(const Layout& layout, const Position& position, Turn turn) {
    if (position.over || !turn.moves() || check_tiles(position, {turn.from, turn.to})) return 0;
    const auto moved = check_move(layout, position, turn);
    return std::holds_alternative<Position>(moved) ? removals(layout, std::get<Position>(moved)) : 0;
}

Word removals(const Layout& layout, const Position& position) {
    const Bitboards<Word> board = bitboards(position);
    return Removals(layout, board).allowed(board, position.captures_forbidden());
}

Word group(const Layout& layout, const Position& position, int pawn) {
    const int player = player_at(position, pawn);
    return player < 0 ? 0 : flood<Word>(LookupSteps{layout}, bit(pawn), position.pawns[player]);
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

}  // namespace limina::limit

#include "limit/batch.hpp"

#include <cstring>
#include <limits>
#include <utility>

namespace limina::limit {

namespace {

// Returns empty tiles whose removal cannot split the tiles wherever the pawns stand, because their remaining neighbors
// form one unbroken arc.
Bitboard always_removable(const Layout& layout, const Position& position) {
    Bitboard result = 0;
    for (Bitboard remaining = position.edge_tiles & position.empty_tiles(); remaining != 0;) {
        const int tile = pop_lsb(remaining);
        const Bitboard present_neighbors = pext(position.tiles, layout.neighbors[tile]);
        if (contains(layout.single_arc[tile], static_cast<int>(present_neighbors))) result |= bit_at(tile);
    }
    return result;
}

Bitboard movable_pawns(const Layout& layout, const Position& position) {
    return position.own_pawns() & layout.neighbors_of(position.empty_tiles());
}

}  // namespace

Batch::Batch(const Options& options) : options_(options), pool_(options.threads), games_(options.games) {
    Rng deal_rng(options_.seed);
    for (int i = 0; i < options_.layouts; ++i) layouts_.push_back(random_framed_layout(deal_rng));
    pool_.parallel_for(options_.games, [&](int game) { reset(game, static_cast<std::uint64_t>(game)); });
}

std::shared_ptr<const Batch::FramedLayout> Batch::framed_layout(std::shared_ptr<const Layout> layout) const {
    auto result = std::make_shared<FramedLayout>();
    result->tile.fill(kNoTile);
    const auto places = std::span(layout->places).first(layout->count);
    const int left = std::ranges::min(places, {}, &Place::q).q, top = std::ranges::min(places, {}, &Place::r).r;
    for (std::size_t tile = 0; tile < places.size(); ++tile) {
        const int x = places[tile].q - left, y = places[tile].r - top;
        if (x >= frame_side() || y >= frame_side()) return nullptr;
        result->place[tile] = static_cast<Byte>(frame_side() * y + x);
        result->tile[result->place[tile]] = static_cast<Byte>(tile);
    }
    result->layout = std::move(layout);
    return result;
}

std::shared_ptr<const Batch::FramedLayout> Batch::random_framed_layout(Rng& deal_rng) const {
    for (;;) {
        auto result = framed_layout(random_layout(options_.size, options_.players, deal_rng.next()));
        if (result) return result;
    }
}

void Batch::reset(int game_index, std::uint64_t seed) {
    Game& game = games_[game_index];
    game.deal_rng = Rng(seed);
    game.sample_rng = Rng(game.deal_rng.next());
    begin_game(game);
}

bool Batch::set_game(int game_index, std::shared_ptr<const Layout> layout, const State& state) {
    if (layout->count != kColors * options_.size || layout->players != options_.players) return false;
    auto new_layout = framed_layout(std::move(layout));
    if (!new_layout) return false;
    Game& game = games_[game_index];
    game.framed_layout = std::move(new_layout);
    game.state = state;
    game.over = state.position.over;
    begin_turn(game);
    return true;
}

void Batch::begin_game(Game& game) const {
    game.framed_layout = layouts_.empty() ? random_framed_layout(game.deal_rng)
                                          : layouts_[game.deal_rng.below(static_cast<unsigned>(layouts_.size()))];
    game.state = {initial_position(*game.framed_layout->layout), {}};
    game.over = false;
    begin_turn(game);
}

void Batch::begin_turn(Game& game) const {
    const Layout& layout = *game.framed_layout->layout;
    const Position& position = game.state.position;
    game.visible = position;
    game.turn = {};
    game.phase = choose_pawn;
    game.legal_tiles = 0;
    game.turns.clear();
    if (game.over) return;
    // With two tiles that can be removed anyway, one stays empty wherever the pawn goes, so every pawn move begins a
    // legal turn. Otherwise, and while captures are forbidden, the legal turns have to be listed.
    if (!position.captures_forbidden() && popcount(always_removable(layout, position)) > 1) {
        game.legal_tiles = movable_pawns(layout, position);
        if (game.legal_tiles != 0) return;
    }
    legal_turns(layout, position, game.turns);
    if (!game.turns.front().moves() && game.turns.front().removes()) game.phase = choose_removal;
    set_legal_from_turns(game);
}

// Sets the legal tiles for the next action from the listed turns that begin with the actions so far.
void Batch::set_legal_from_turns(Game& game) const {
    game.legal_tiles = 0;
    for (const Turn& turn : game.turns) {
        if (game.phase == choose_pawn) {
            if (turn.moves()) game.legal_tiles |= bit_at(turn.from);
        } else if (turn.from == game.turn.from && (game.phase == choose_target || turn.to == game.turn.to)) {
            const Byte tile = game.phase == choose_target ? turn.to : turn.removed;
            if (tile != Turn::kNone) game.legal_tiles |= bit_at(tile);
        }
    }
}

void Batch::end_turn(Game& game) const {
    limit::play(*game.framed_layout->layout, game.state, game.turn);
    game.over = game.state.position.over;
    begin_turn(game);
}

// Applies an action. If it is illegal, returns false and changes nothing.
bool Batch::apply_action(Game& game, std::int64_t action) const {
    const Layout& layout = *game.framed_layout->layout;
    if (action == frame_side() * frame_side()) {
        if (game.legal_tiles != 0) return false;
        end_turn(game);  // a turn without a move and without a removal
        return true;
    }
    if (action < 0 || action > frame_side() * frame_side()) return false;
    const Byte tile = game.framed_layout->tile[action];
    if (tile == kNoTile || !contains(game.legal_tiles, tile)) return false;
    if (game.phase == choose_pawn) {
        game.turn.from = tile;
        game.phase = choose_target;
        if (game.turns.empty()) {
            game.legal_tiles = reachable_tiles(layout, game.state.position, tile);
        } else {
            set_legal_from_turns(game);
        }
    } else if (game.phase == choose_target) {
        game.turn.to = tile;
        game.phase = choose_removal;
        game.visible = after_move(layout, game.state.position, game.turn.from, tile).position;
        if (game.turns.empty()) {
            game.legal_tiles = legal_removals(layout, game.visible);
        } else {
            set_legal_from_turns(game);
        }
        if (game.legal_tiles == 0) end_turn(game);
    } else {
        game.turn.removed = tile;
        end_turn(game);
    }
    return true;
}

bool Batch::play(Game& game, std::uint32_t code) const {
    const Turn turn = Turn::unpack(code);
    const bool is_first_action = game.turn == Turn{};
    if (!is_first_action || check_turn(*game.framed_layout->layout, game.state.position, turn)) return false;
    game.turn = turn;
    end_turn(game);
    return true;
}

template <class Act>
void Batch::step_games(const OutputBuffers& out, Act act) {
    const auto act_in_game = [&](int game_index, float* rewards) {
        Game& game = games_[game_index];
        const int mover = game.state.position.to_move;
        if (!act(game, game_index)) {
            game.over = true;
            game.legal_tiles = 0;
            if (rewards != nullptr) rewards[mover] = options_.illegal_reward;
        } else if (game.over && rewards != nullptr) {
            for (int player = 0; player < options_.players; ++player) {
                rewards[player] = batch::zero_sum_reward(game.state.position.winners, options_.players, player);
            }
        }
    };
    batch::step_games(
        pool_, options_, games_, out, act_in_game, [&](int game_index) { begin_game(games_[game_index]); },
        [&](int game_index) { write_row(game_index, out); });
}

void Batch::step(const std::int64_t* actions, const OutputBuffers& out) {
    step_games(out, [&](Game& game, int game_index) { return apply_action(game, actions[game_index]); });
}

void Batch::play(const std::uint32_t* turns, const OutputBuffers& out) {
    step_games(out, [&](Game& game, int game_index) { return play(game, turns[game_index]); });
}

void Batch::sample(std::int64_t* actions) {
    pool_.parallel_for(options_.games, [&](int game_index) {
        Game& game = games_[game_index];
        const bool pass = game.legal_tiles == 0;
        actions[game_index] = pass ? frame_side() * frame_side()
                                   : game.framed_layout->place[lsb(random_bit(game.legal_tiles, game.sample_rng))];
    });
}

void Batch::observe(const OutputBuffers& out) const {
    pool_.parallel_for(rows(), [&](int game_index) { write_row(game_index, out); });
}

void Batch::write_row(int game_index, const OutputBuffers& out) const {
    const auto row = static_cast<std::size_t>(game_index);
    const Game& game = games_[row];
    const Position& position = game.visible;
    const auto places = static_cast<std::size_t>(frame_side() * frame_side());
    if (out.player != nullptr) out.player[row] = position.to_move;
    if (out.planes != nullptr) write_planes(game, out.planes + row * kPlaneCount * places);
    if (out.mask != nullptr) {
        Byte* mask = out.mask + row * (places + 1);
        std::memset(mask, 0, places + 1);
        for (Bitboard tiles = game.legal_tiles; tiles != 0;) mask[game.framed_layout->place[pop_lsb(tiles)]] = 1;
        mask[places] = game.legal_tiles == 0;
    }
    if (out.vector != nullptr) {
        Byte* vector = out.vector + row * kVectorSize;
        std::memset(vector, 0, kVectorSize);
        vector[game.phase] = 1;
        vector[3] = position.captures_forbidden();
        vector[4 + position.to_move] = 1;
        vector[7] = position.players == 3;
    }
    if (out.packed != nullptr) {
        std::uint64_t* packed = out.packed + row * kPackedWords;
        const int players = position.players;
        const auto pawns = [&](int seats_after) {
            return seats_after < players ? position.pawns[(position.to_move + seats_after) % players] : 0;
        };
        const std::array<Byte, 8> bytes = {game.phase,
                                           position.to_move,
                                           game.turn.from,
                                           game.turn.to,
                                           position.players,
                                           position.captures_forbidden(),
                                           0,
                                           0};
        const std::array<std::uint64_t, 7> words = {position.tiles,
                                                    pawns(0),
                                                    pawns(1),
                                                    pawns(2),
                                                    position.edge_tiles,
                                                    game.legal_tiles,
                                                    std::bit_cast<std::uint64_t>(bytes)};
        std::ranges::copy(words, packed);
        std::memcpy(packed + words.size(), game.framed_layout->place.data(), game.framed_layout->place.size());
    }
}

void Batch::write_planes(const Game& game, Byte* planes) const {
    const Position& position = game.visible;
    const auto places = static_cast<std::size_t>(frame_side() * frame_side());
    std::memset(planes, 0, kPlaneCount * places);
    const auto& place = game.framed_layout->place;
    const auto mark = [&](std::size_t plane, Bitboard tiles) {
        Byte* at = planes + plane * places;
        while (tiles != 0) at[place[pop_lsb(tiles)]] = 1;
    };
    mark(0, position.tiles);
    for (int seats_after = 0; seats_after < position.players; ++seats_after) {
        const int player = (position.to_move + seats_after) % position.players;
        mark(1 + seats_after, position.pawns[player]);
    }
    mark(4, position.edge_tiles);
    if (game.turn.from != Turn::kNone) mark(5, bit_at(game.turn.from));
    if (game.turn.to != Turn::kNone) mark(6, bit_at(game.turn.to));
}

void Batch::afterstates(int k, std::uint32_t* turns, float* gains, std::int16_t* features, std::int32_t* counts) const {
    static const Weights naive = naive_weights();
    static_assert(kFeatureCount <= std::numeric_limits<std::int16_t>::max());
    struct After {
        Turn turn;
        Position position;
        float probability;
    };
    const auto max_turns = static_cast<std::size_t>(k);
    const auto write_afterstates = [&](int game_index) {
        const auto row = static_cast<std::size_t>(game_index);
        const Game& game = games_[row];
        std::fill_n(turns + row * max_turns, max_turns, 0U);
        std::fill_n(gains + row * max_turns, max_turns, 0.0F);
        std::fill_n(features + row * max_turns * kMaxFeatures, max_turns * kMaxFeatures,
                    static_cast<std::int16_t>(kFeatureCount));
        counts[row] = 0;
        if (game.over || game.turn != Turn{}) return;
        const Layout& layout = *game.framed_layout->layout;
        const int player = game.state.position.to_move;
        std::vector<Turn> all_turns;
        legal_turns(layout, game.state.position, all_turns);
        std::vector<After> outcomes;
        for (const Turn& turn : all_turns) {
            State next = game.state;
            limit::play(layout, next, turn);
            const Position& position = next.position;
            const WinProbabilities win_probabilities = position.over
                                                           ? terminal_win_probabilities(position)
                                                           : evaluate(layout, naive, position, TurnPart::move);
            outcomes.push_back({turn, position, win_probabilities[player]});
        }
        std::ranges::stable_sort(outcomes, std::ranges::greater{}, &After::probability);
        std::vector<int> active;
        std::size_t at = row * max_turns;
        for (std::size_t i = 0; i < outcomes.size() && at < (row + 1) * max_turns; ++i) {
            const Position& position = outcomes[i].position;
            bool is_duplicate = false;  // equal positions have equal probabilities, so they follow each other
            for (std::size_t j = i; j > 0 && outcomes[j - 1].probability == outcomes[i].probability && !is_duplicate;
                 --j) {
                is_duplicate = equal_for_repetition(outcomes[j - 1].position, position);
            }
            if (is_duplicate) continue;
            turns[at] = outcomes[i].turn.pack();
            if (position.over) {
                gains[at] = batch::zero_sum_reward(position.winners, options_.players, player);
            } else if (!contains(position.players_in_game(), player)) {
                gains[at] = -1;
            } else {
                active_patterns(layout, position, TurnPart::move, player, active);
                std::int16_t* to = features + at * kMaxFeatures;
                for (const int pattern : active) *to++ = static_cast<std::int16_t>(pattern % kFeatureCount);
            }
            ++at;
            ++counts[row];
        }
    };
    pool_.parallel_for(rows(), write_afterstates, 2);
}

}  // namespace limina::limit

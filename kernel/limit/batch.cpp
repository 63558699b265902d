#include "limit/batch.hpp"

#include <cstring>
#include <limits>
#include <utility>

namespace limina::limit {

namespace {

// The empty tiles that can be taken away whatever stands where, as their neighbours touch each other in a row.
Word removable_anyway(const Layout& layout, const Position& position) {
    Word found = 0;
    for (Word left = position.rim & position.empty(); left != 0;) {
        const int tile = pop(left);
        const auto at = static_cast<std::size_t>(tile);
        const Word there = gather(position.tiles, layout.neighbours[at]);
        if (has(layout.one_arc[at], static_cast<int>(there))) found |= bit(tile);
    }
    return found;
}

Word pawns_with_a_way(const Layout& layout, const Position& position) {
    return position.own() & layout.near(position.empty());
}

}  // namespace

Batch::Batch(const Options& options)
    : options_(options), crew_(options.threads), games_(static_cast<std::size_t>(options.games)) {
    Rng chance(options_.seed);
    for (int i = 0; i < options_.layouts; ++i) pool_.push_back(dealt(chance));
    crew_.each(options_.games, [&](int game) { reset(game, static_cast<Word>(game)); });
}

std::shared_ptr<const Batch::Framed> Batch::framed(std::shared_ptr<const Layout> layout) const {
    auto result = std::make_shared<Framed>();
    result->tile.fill(kNoTile);
    const auto places = std::span(layout->places).first(static_cast<std::size_t>(layout->count));
    const int left = std::ranges::min(places, {}, &Place::q).q, top = std::ranges::min(places, {}, &Place::r).r;
    for (std::size_t tile = 0; tile < places.size(); ++tile) {
        const int x = places[tile].q - left, y = places[tile].r - top;
        if (x >= side() || y >= side()) return nullptr;
        result->place[tile] = static_cast<Byte>(side() * y + x);
        result->tile[result->place[tile]] = static_cast<Byte>(tile);
    }
    result->layout = std::move(layout);
    return result;
}

std::shared_ptr<const Batch::Framed> Batch::dealt(Rng& chance) const {
    for (;;) {
        auto found = framed(random_layout(options_.size, options_.players, chance.next()));
        if (found) return found;
    }
}

void Batch::reset(int number, Word seed) {
    Game& game = games_[static_cast<std::size_t>(number)];
    game.chance = Rng(seed);
    game.sampler = Rng(game.chance.next());
    begin(game);
}

bool Batch::set(int number, std::shared_ptr<const Layout> layout, const State& state) {
    if (layout->count != kColours * options_.size || layout->players != options_.players) return false;
    auto found = framed(std::move(layout));
    if (!found) return false;
    Game& game = games_[static_cast<std::size_t>(number)];
    game.framed = std::move(found);
    game.state = state;
    game.over = state.position.over;
    begin_turn(game);
    return true;
}

void Batch::begin(Game& game) const {
    game.framed = pool_.empty() ? dealt(game.chance) : pool_[game.chance.below(static_cast<unsigned>(pool_.size()))];
    game.state = {initial_position(*game.framed->layout), {}};
    game.over = false;
    begin_turn(game);
}

void Batch::begin_turn(Game& game) const {
    const Layout& layout = *game.framed->layout;
    const Position& position = game.state.position;
    game.seen = position;
    game.turn = {};
    game.phase = choose_pawn;
    game.legal = 0;
    game.turns.clear();
    if (game.over) return;
    // With two tiles that can go anyway one is left wherever the pawn goes, so every way of a pawn begins a legal turn.
    // Else, and where captures are forbidden, the rules have to list what is legal.
    if (!position.captures_forbidden() && count(removable_anyway(layout, position)) > 1) {
        game.legal = pawns_with_a_way(layout, position);
        if (game.legal != 0) return;
    }
    legal_turns(layout, position, game.turns);
    if (!game.turns.front().moves() && game.turns.front().removes()) game.phase = choose_removal;
    narrow(game);
}

// What may be clicked next, of the turns that were listed.
void Batch::narrow(Game& game) const {
    game.legal = 0;
    for (const Turn& turn : game.turns) {
        if (game.phase == choose_pawn) {
            if (turn.moves()) game.legal |= bit(turn.from);
        } else if (turn.from == game.turn.from && (game.phase == choose_target || turn.to == game.turn.to)) {
            const Byte tile = game.phase == choose_target ? turn.to : turn.removed;
            if (tile != Turn::kNone) game.legal |= bit(tile);
        }
    }
}

void Batch::end_turn(Game& game) const {
    limit::play(*game.framed->layout, game.state, game.turn);
    game.over = game.state.position.over;
    begin_turn(game);
}

// Does what the click says; false if it is not legal, and then nothing is done.
bool Batch::click(Game& game, std::int64_t action) const {
    const Layout& layout = *game.framed->layout;
    if (action == side() * side()) {
        if (game.legal != 0) return false;
        end_turn(game);  // a turn of nothing
        return true;
    }
    if (action < 0 || action > side() * side()) return false;
    const Byte tile = game.framed->tile[static_cast<std::size_t>(action)];
    if (tile == kNoTile || !has(game.legal, tile)) return false;
    if (game.phase == choose_pawn) {
        game.turn.from = tile;
        game.phase = choose_target;
        if (game.turns.empty()) {
            game.legal = reach(layout, game.state.position, tile);
        } else {
            narrow(game);
        }
    } else if (game.phase == choose_target) {
        game.turn.to = tile;
        game.phase = choose_removal;
        game.seen = after_move(layout, game.state.position, game.turn.from, tile).position;
        if (game.turns.empty()) {
            game.legal = removals(layout, game.seen);
        } else {
            narrow(game);
        }
        if (game.legal == 0) end_turn(game);
    } else {
        game.turn.removed = tile;
        end_turn(game);
    }
    return true;
}

bool Batch::play(Game& game, std::uint32_t code) const {
    const Turn turn = Turn::unpack(code);
    const bool fresh = game.turn == Turn{};
    if (!fresh || check(*game.framed->layout, game.state.position, turn)) return false;
    game.turn = turn;
    end_turn(game);
    return true;
}

template <class Act>
void Batch::step_all(const Out& out, Act act) {
    const auto act_once = [&](int number, float* rewards) {
        Game& game = games_[static_cast<std::size_t>(number)];
        const int mover = game.state.position.to_move;
        if (!act(game, number)) {
            game.over = true;
            game.legal = 0;
            if (rewards != nullptr) rewards[mover] = options_.illegal_reward;
        } else if (game.over && rewards != nullptr) {
            for (int player = 0; player < options_.players; ++player) {
                rewards[player] = batch::payoff(game.state.position.winners, options_.players, player);
            }
        }
    };
    batch::step_games(
        crew_, options_, games_, out, act_once, [&](int number) { begin(games_[static_cast<std::size_t>(number)]); },
        [&](int number) { write(number, out); });
}

void Batch::step(const std::int64_t* actions, const Out& out) {
    step_all(out, [&](Game& game, int number) { return click(game, actions[number]); });
}

void Batch::play(const std::uint32_t* turns, const Out& out) {
    step_all(out, [&](Game& game, int number) { return play(game, turns[number]); });
}

void Batch::sample(std::int64_t* actions) {
    crew_.each(options_.games, [&](int number) {
        Game& game = games_[static_cast<std::size_t>(number)];
        const bool pass = game.legal == 0;
        actions[number] = pass ? side() * side()
                               : game.framed->place[static_cast<std::size_t>(first(pick(game.legal, game.sampler)))];
    });
}

void Batch::observe(const Out& out) const {
    crew_.each(rows(), [&](int number) { write(number, out); });
}

void Batch::write(int number, const Out& out) const {
    const auto row = static_cast<std::size_t>(number);
    const Game& game = games_[row];
    const Position& position = game.seen;
    const auto places = static_cast<std::size_t>(side() * side());
    if (out.player != nullptr) out.player[row] = position.to_move;
    if (out.planes != nullptr) write_planes(game, out.planes + row * kPlanes * places);
    if (out.mask != nullptr) {
        Byte* mask = out.mask + row * (places + 1);
        std::memset(mask, 0, places + 1);
        for (Word left = game.legal; left != 0;) mask[game.framed->place[static_cast<std::size_t>(pop(left))]] = 1;
        mask[places] = game.legal == 0;
    }
    if (out.vector != nullptr) {
        Byte* vector = out.vector + row * kVector;
        std::memset(vector, 0, kVector);
        vector[game.phase] = 1;
        vector[3] = position.captures_forbidden();
        vector[4 + position.to_move] = 1;
        vector[7] = position.players == 3;
    }
    if (out.packed != nullptr) {
        Word* packed = out.packed + row * kPacked;
        const int players = position.players;
        const auto pawns = [&](int after) {
            return after < players ? position.pawns[static_cast<std::size_t>((position.to_move + after) % players)] : 0;
        };
        const std::array<Byte, 8> bytes = {game.phase,
                                           position.to_move,
                                           game.turn.from,
                                           game.turn.to,
                                           position.players,
                                           position.captures_forbidden(),
                                           0,
                                           0};
        const std::array<Word, 7> words = {
            position.tiles, pawns(0), pawns(1), pawns(2), position.rim, game.legal, std::bit_cast<Word>(bytes)};
        std::ranges::copy(words, packed);
        std::memcpy(packed + words.size(), game.framed->place.data(), game.framed->place.size());
    }
}

void Batch::write_planes(const Game& game, Byte* planes) const {
    const Position& position = game.seen;
    const auto places = static_cast<std::size_t>(side() * side());
    std::memset(planes, 0, kPlanes * places);
    const auto& place = game.framed->place;
    const auto mark = [&](std::size_t plane, Word tiles) {
        Byte* at = planes + plane * places;
        while (tiles != 0) at[place[static_cast<std::size_t>(pop(tiles))]] = 1;
    };
    mark(0, position.tiles);
    for (int after = 0; after < position.players; ++after) {
        const auto player = static_cast<std::size_t>((position.to_move + after) % position.players);
        mark(1 + static_cast<std::size_t>(after), position.pawns[player]);
    }
    mark(4, position.rim);
    if (game.turn.from != Turn::kNone) mark(5, bit(game.turn.from));
    if (game.turn.to != Turn::kNone) mark(6, bit(game.turn.to));
}

void Batch::afterstates(int k, std::uint32_t* turns, float* gains, std::int16_t* features, std::int32_t* found) const {
    static const Values naive = naive_values();
    static_assert(kFeatures <= std::numeric_limits<std::int16_t>::max());
    struct After {
        Turn turn;
        Position position;
        float chance;
    };
    const auto most = static_cast<std::size_t>(k);
    const auto look = [&](int number) {
        const auto row = static_cast<std::size_t>(number);
        const Game& game = games_[row];
        std::fill_n(turns + row * most, most, 0U);
        std::fill_n(gains + row * most, most, 0.0F);
        std::fill_n(features + row * most * kMostFeatures, most * kMostFeatures, static_cast<std::int16_t>(kFeatures));
        found[row] = 0;
        if (game.over || game.turn != Turn{}) return;
        const Layout& layout = *game.framed->layout;
        const int mover = game.state.position.to_move;
        std::vector<Turn> legal;
        legal_turns(layout, game.state.position, legal);
        std::vector<After> after;
        for (const Turn& turn : legal) {
            State next = game.state;
            limit::play(layout, next, turn);
            const Position& position = next.position;
            const Chances chances =
                position.over ? terminal_chances(position) : evaluate(layout, naive, position, Part::move);
            after.push_back({turn, position, chances[static_cast<std::size_t>(mover)]});
        }
        std::ranges::stable_sort(after, std::ranges::greater{}, &After::chance);
        std::vector<int> seen;
        std::size_t at = row * most;
        for (std::size_t i = 0; i < after.size() && at < (row + 1) * most; ++i) {
            const Position& position = after[i].position;
            bool again = false;  // equal positions have equal chances
            for (std::size_t j = i; j > 0 && after[j - 1].chance == after[i].chance && !again; --j) {
                again = repeats(after[j - 1].position, position);
            }
            if (again) continue;
            turns[at] = after[i].turn.pack();
            if (position.over) {
                gains[at] = batch::payoff(position.winners, options_.players, mover);
            } else if (!has(position.in_game(), mover)) {
                gains[at] = -1;
            } else {
                active_patterns(layout, position, Part::move, mover, seen);
                std::int16_t* to = features + at * kMostFeatures;
                for (const int pattern : seen) *to++ = static_cast<std::int16_t>(pattern % kFeatures);
            }
            ++at;
            ++found[row];
        }
    };
    crew_.each(rows(), look, 2);
}

}  // namespace limina::limit

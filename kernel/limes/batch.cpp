#include "limes/batch.hpp"

#include <cstring>

#include "limes/greedy.hpp"
#include "limes/zones.hpp"

namespace limina::limes {

namespace {

// The turning that moves the nw zone of the face to each quarter (nw, ne, sw, se).
constexpr std::array<Byte, 4> kTurningOfQuarter = {0, 1, 3, 2};

// Returns the cell of the grid that contains a zone of the frame.
int grid_cell(const Display& d, int x, int y) { return 8 * (y / 2 - 1 + d.top) + x / 2 - 1 + d.left; }

}  // namespace

Batch::Batch(const Options& options, std::span<const Card> deck)
    : options_(options), pool_(options.threads), games_(options.games), seats_(rows()) {
    std::ranges::copy(deck, deck_.begin());
    for (std::size_t i = 0; i < deck_.size(); ++i) {
        const Ground& ground = deck_[i].turned(0);
        for (std::size_t quarter = 0; quarter < 4; ++quarter) {
            const int zone = kQuarterOffsets[quarter];
            const auto landscape = contains(ground.lo, zone) + 2 * contains(ground.hi, zone);
            face_vectors_[i][5 * quarter + landscape] = 1;
            face_vectors_[i][5 * quarter + 4] = contains(ground.huts, zone);
        }
    }
    for (int game = 0; game < options_.games; ++game) reset(game, static_cast<std::uint64_t>(game));
}

void Batch::reset(int game_index, std::uint64_t seed) {
    Game& game = games_[game_index];
    game.deal_rng = Rng(seed);
    game.sample_rng = Rng(game.deal_rng.next());
    deal_random(game_index);
}

void Batch::deal_random(int game_index) {
    Game& game = games_[game_index];
    std::array<Byte, kDeckSize> order{};
    for (Byte card = 0; card < kDeckSize; ++card) order[card] = card;
    for (unsigned i = 0; i < kRounds; ++i) {
        std::swap(order[i], order[i + game.deal_rng.below(kDeckSize - i)]);
        game.cards[i] = order[i];
    }
    deal(game_index, game.cards);
}

void Batch::deal(int game_index, std::span<const Byte> cards) {
    Game& game = games_[game_index];
    std::copy_n(cards.begin(), kRounds, game.cards.begin());
    game.unseen = (1U << kDeckSize) - 1;
    game.round = 0;
    game.over = false;
    for (Seat& seat : seats(game_index)) {
        seat = Seat{};
        seat.display.variants = options_.variants;
    }
    start_round(game_index);
}

bool Batch::set_game(int game_index, std::span<const Display> displays, std::span<const Byte> draws) {
    Game& game = games_[game_index];
    const std::span<Seat> game_seats = seats(game_index);
    const std::size_t rounds = draws.size();
    if (displays.size() != game_seats.size() || rounds > kRounds) return false;
    for (const Display& d : displays) {
        if (d.variants != options_.variants || d.card_count > rounds || d.card_count + 1U < rounds) return false;
    }
    deal_random(game_index);
    std::uint32_t unseen = (1U << kDeckSize) - 1;
    for (const Byte card : draws) unseen &= ~(1U << card);
    if (std::popcount(unseen) + rounds != kDeckSize) return false;
    game.unseen = unseen;
    std::ranges::copy(draws, game.cards.begin());
    for (std::size_t i = rounds; i < kRounds; ++i) {
        const Bitboard next = random_bit(unseen, game.deal_rng);
        game.cards[i] = static_cast<Byte>(lsb(next));
        unseen &= ~static_cast<std::uint32_t>(next);
    }
    game.round = static_cast<Byte>(rounds);
    bool all_waiting = true;
    for (std::size_t i = 0; i < game_seats.size(); ++i) {
        const bool is_waiting = displays[i].card_count == rounds;
        game_seats[i] = Seat{displays[i], is_waiting ? 0 : open_cells(displays[i]), is_waiting ? waiting : choose_cell};
        game_seats[i].points = total(displays[i]);
        all_waiting = all_waiting && is_waiting;
    }
    if (all_waiting && rounds < kRounds) start_round(game_index);
    game.over = all_waiting && rounds == kRounds;
    return true;
}

std::span<const Byte> Batch::draws(int game_index) const {
    const Game& game = games_[game_index];
    return std::span(game.cards).first(game.round);
}

void Batch::start_round(int game_index) {
    Game& game = games_[game_index];
    game.unseen &= ~(1U << game.cards[game.round]);
    ++game.round;
    for (Seat& seat : seats(game_index)) {
        seat.phase = choose_cell;
        seat.choices = open_cells(seat.display);
    }
}

// Applies an action. If it is illegal, returns false and changes nothing.
bool Batch::apply_action(Seat& seat, const Card& card, std::int64_t action) const {
    if (action < 0 || action > kPassAction) return false;
    if (action == kPassAction) {
        if (seat.phase != waiting && seat.phase != choose_worker) return false;
        seat.phase = waiting;
        return true;
    }
    const int x = static_cast<int>(action) % kFrameSide, y = static_cast<int>(action) / kFrameSide;
    Display& d = seat.display;
    if (seat.phase == choose_cell) {
        const int cell = grid_cell(d, x, y);
        if (cell < 0 || cell > 63 || !contains(seat.choices, cell)) return false;
        place_card(d, cell, card.turned(kTurningOfQuarter[2 * (y & 1) + (x & 1)]));
        seat.card_corner = static_cast<Byte>(2 * ((cell & 7) - d.left) + 16 * ((cell >> 3) - d.top));
        seat.phase = choose_worker;
        seat.choices = d.supply > 0 ? kCardZones << seat.card_corner : 0;
        const Links<Bitboard> links = find_links<Bitboard>(d);
        for (Bitboard remaining = d.workers(); remaining != 0; remaining &= remaining - 1) {
            const Bitboard source = isolate_lsb(remaining);
            if (destinations<Bitboard, Bitboard>(d, source, links, d.variants.ferryman) != 0) seat.choices |= source;
        }
        return true;
    }
    if (seat.phase == waiting || x < 2 || y < 2) return false;
    const int zone = 8 * (y - 2) + x - 2;
    if (!contains(seat.choices, zone)) return false;
    if (seat.phase == choose_target) {
        remove_worker(d, bit_at(seat.lifted_zone));
        add_worker(d, bit_at(zone));
        seat.phase = waiting;
    } else if (contains(kCardZones << seat.card_corner, zone)) {
        --d.supply;
        add_worker(d, bit_at(zone));
        seat.phase = waiting;
    } else {
        seat.lifted_zone = static_cast<Byte>(zone);
        seat.phase = choose_target;
        seat.choices = destinations<Bitboard, Bitboard>(d, bit_at(zone), find_links<Bitboard>(d), d.variants.ferryman);
    }
    return true;
}

bool Batch::play(Seat& seat, const Card& card, std::uint32_t code) const {
    if (seat.phase == waiting) return true;
    if (seat.phase != choose_cell) return false;
    const auto after = limes::play(seat.display, card, Turn::unpack(code));
    if (!std::holds_alternative<Display>(after)) return false;
    seat.display = std::get<Display>(after);
    seat.phase = waiting;
    return true;
}

// Finishes a step of a game: writes rewards, and starts the next round or ends the game.
void Batch::finish_step(int game_index, bool is_legal, float* rewards) {
    Game& game = games_[game_index];
    const std::span<Seat> game_seats = seats(game_index);
    bool all_waiting = true;
    for (std::size_t i = 0; i < game_seats.size(); ++i) {
        Seat& seat = game_seats[i];
        all_waiting = all_waiting && seat.phase == waiting;
        if (options_.reward_at_end || rewards == nullptr || seat.phase != waiting || !is_legal) continue;
        const int points = total(seat.display);
        rewards[i] = static_cast<float>(points - seat.points);
        seat.points = points;
    }
    if (is_legal && all_waiting && game.round < kRounds) return start_round(game_index);
    if (is_legal && !all_waiting) return;
    game.over = true;
    if (!is_legal || !options_.reward_at_end || rewards == nullptr) return;
    if (game_seats.size() == 1) {
        rewards[0] = static_cast<float>(total(game_seats[0].display));
        return;
    }
    std::vector<Display> displays;
    for (const Seat& seat : game_seats) displays.push_back(seat.display);
    Bitboard winner_bits = 0;
    for (const int winner : winners(displays)) winner_bits |= bit_at(winner);
    for (int player = 0; player < options_.players; ++player) {
        rewards[player] = batch::zero_sum_reward(winner_bits, options_.players, player);
    }
}

template <class Act>
void Batch::step_games(const OutputBuffers& out, Act act) {
    const int players = options_.players;
    const auto act_in_game = [&](int game_index, float* rewards) {
        bool is_legal = true;
        const Card& drawn_card = card(games_[game_index]);
        const std::span<Seat> game_seats = seats(game_index);
        for (int player = 0; player < players; ++player) {
            Seat& seat = game_seats[player];
            if (act(seat, drawn_card, game_index * players + player)) continue;
            is_legal = false;
            if (rewards != nullptr) rewards[player] = options_.illegal_reward;
        }
        finish_step(game_index, is_legal, rewards);
    };
    batch::step_games(
        pool_, options_, games_, out, act_in_game, [&](int game_index) { deal_random(game_index); },
        [&](int game_index) {
            for (int player = 0; player < players; ++player) write_row(game_index * players + player, out);
        });
}

void Batch::step(const std::int64_t* actions, const OutputBuffers& out) {
    step_games(
        out, [&](Seat& seat, const Card& drawn_card, int row) { return apply_action(seat, drawn_card, actions[row]); });
}

void Batch::play(const std::uint32_t* turns, const OutputBuffers& out) {
    step_games(out, [&](Seat& seat, const Card& drawn_card, int row) { return play(seat, drawn_card, turns[row]); });
}

void Batch::sample(std::int64_t* actions) {
    pool_.parallel_for(options_.games, [&](int game_index) {
        Game& game = games_[game_index];
        std::int64_t* action = actions + game_index * options_.players;
        for (const Seat& seat : seats(game_index)) {
            const auto choices = static_cast<unsigned>(popcount(seat.choices));
            if (game.over || seat.phase == waiting) {
                *action++ = kPassAction;
            } else if (seat.phase == choose_cell) {
                const unsigned turn = game.sample_rng.below(4 * choices);
                const int cell = lsb(nth_bit(seat.choices, turn / 4));
                const auto quarter = static_cast<int>(turn % 4);
                const int x = 2 * ((cell & 7) - seat.display.left + 1) + (quarter & 1);
                const int y = 2 * ((cell >> 3) - seat.display.top + 1) + (quarter >> 1);
                *action++ = kFrameSide * y + x;
            } else {
                const unsigned turn = game.sample_rng.below(choices + (seat.phase == choose_worker));
                const int zone = turn < choices ? lsb(nth_bit(seat.choices, turn)) : 0;
                *action++ = turn < choices ? kFrameSide * ((zone >> 3) + 2) + (zone & 7) + 2 : kPassAction;
            }
        }
    });
}

void Batch::observe(const OutputBuffers& out) const {
    pool_.parallel_for(rows(), [&](int row) { write_row(row, out); });
}

void Batch::write_row(int row, const OutputBuffers& out) const {
    const auto at = static_cast<std::size_t>(row);
    const Seat& seat = seats_[at];
    const Game& game = games_[at / options_.players];
    if (out.planes != nullptr) write_planes(seat, out.planes + at * kPlaneCount * kPassAction);
    if (out.vector != nullptr) write_vector(seat, game, out.vector + at * kVectorSize);
    if (out.mask != nullptr) write_mask(seat, out.mask + at * kActionCount);
    if (out.packed != nullptr) {
        const Display& d = seat.display;
        const std::array<Byte, 8> bytes = {
            seat.phase, game.cards[game.round - 1U], d.supply, game.round, seat.card_corner, seat.lifted_zone, d.left,
            d.top};
        const std::uint64_t flags =
            static_cast<std::uint64_t>(d.variants.diagonal) | static_cast<std::uint64_t>(d.variants.ferryman) << 1;
        const std::array<std::uint64_t, kPackedWords> words = {d.covered,
                                                               d.ground.lo,
                                                               d.ground.hi,
                                                               d.ground.huts,
                                                               d.workers_bit0,
                                                               d.workers_bit1,
                                                               d.workers_bit2,
                                                               seat.choices,
                                                               std::bit_cast<std::uint64_t>(bytes),
                                                               game.unseen | flags << 32};
        std::ranges::copy(words, out.packed + at * kPackedWords);
    }
}

void Batch::write_planes(const Seat& seat, Byte* planes) const {
    const Display& d = seat.display;
    std::memset(planes, 0, kPlaneCount * kPassAction);
    const bool card_placed = seat.phase == choose_worker || seat.phase == choose_target;
    const std::array<Bitboard, 8> sets = {d.field(),
                                          d.water(),
                                          d.forest(),
                                          d.rock(),
                                          d.ground.huts,
                                          d.workers_bit0,
                                          card_placed ? kCardZones << seat.card_corner : 0,
                                          seat.phase == choose_target ? bit_at(seat.lifted_zone) : 0};
    const Bitboard crowded = d.workers_bit1 | d.workers_bit2;
    for (int y = 0; y < 2 * d.height; ++y) {
        Byte* at = planes + kFrameSide * (y + 2) + 2;
        for (const Bitboard zones : sets) {
            std::memcpy(at, batch::kBitsAsBytes[zones >> (8 * y) & 255].data(), 8);
            at += kPassAction;
        }
    }
    for (Bitboard remaining = crowded; remaining != 0;) {
        const int zone = pop_lsb(remaining);
        planes[5 * kPassAction + kFrameSide * ((zone >> 3) + 2) + (zone & 7) + 2] =
            static_cast<Byte>(d.workers_on(zone));
    }
}

void Batch::write_vector(const Seat& seat, const Game& game, Byte* vector) const {
    std::memset(vector, 0, kVectorSize);
    const auto drawn_card = game.cards[game.round - 1U];
    vector[seat.phase] = 1;
    std::ranges::copy(face_vectors_[drawn_card], vector + 4);
    vector[24 + drawn_card] = 1;
    for (unsigned byte = 0; byte < 3; ++byte) {
        std::memcpy(vector + 48 + 8 * byte, batch::kBitsAsBytes[game.unseen >> (8 * byte) & 255].data(), 8);
    }
    vector[72] = seat.display.supply;
    vector[73] = seat.display.card_count;
    vector[74] = seat.display.variants.diagonal;
    vector[75] = seat.display.variants.ferryman;
}

void Batch::write_mask(const Seat& seat, Byte* mask) const {
    std::memset(mask, 0, kActionCount);
    const Display& d = seat.display;
    mask[kPassAction] = seat.phase == choose_worker || seat.phase == waiting;
    if (seat.phase == choose_cell) {
        for (Bitboard remaining = seat.choices; remaining != 0;) {
            const int cell = pop_lsb(remaining);
            Byte* at = mask + 2 * kFrameSide * ((cell >> 3) - d.top + 1) + 2 * ((cell & 7) - d.left + 1);
            at[0] = at[1] = at[kFrameSide] = at[kFrameSide + 1] = 1;
        }
    } else if (seat.phase != waiting) {
        for (int y = 0; y < 2 * d.height; ++y) {
            std::memcpy(mask + kFrameSide * (y + 2) + 2, batch::kBitsAsBytes[seat.choices >> (8 * y) & 255].data(), 8);
        }
    }
}

void Batch::afterstates(int k, std::uint32_t* turns, float* gains, std::int16_t* features, std::int32_t* counts) const {
    static const Weights points_only;  // static because it is large
    const auto max_turns = static_cast<std::size_t>(k);
    const auto write_afterstates = [&](int row_index) {
        const auto row = static_cast<std::size_t>(row_index);
        const Seat& seat = seats_[row];
        const Game& game = games_[row / options_.players];
        std::fill_n(turns + row * max_turns, max_turns, 0U);
        std::fill_n(gains + row * max_turns, max_turns, 0.0F);
        std::fill_n(features + row * max_turns * kMaxFeatures, max_turns * kMaxFeatures,
                    static_cast<std::int16_t>(kFeatureCount));
        counts[row] = 0;
        if (seat.phase != choose_cell || game.over) return;
        const Card& drawn_card = card(game);
        const int before = total(seat.display);
        std::vector<int> active_features;
        std::size_t at = row * max_turns;
        for (const BoardTurn& turn : best_turns(points_only, seat.display, drawn_card, {}, max_turns)) {
            const Display after = play_board_turn(seat.display, drawn_card, turn);
            turns[at] = to_turn(seat.display, drawn_card, turn).pack();
            gains[at] = static_cast<float>(total(after) - before);
            active_features.clear();
            evaluate(points_only, after, {}, &active_features);
            std::copy_n(active_features.begin(), std::min<std::size_t>(active_features.size(), kMaxFeatures),
                        features + at * kMaxFeatures);
            ++at;
            ++counts[row];
        }
    };
    pool_.parallel_for(rows(), write_afterstates, 2);
}

}  // namespace limina::limes

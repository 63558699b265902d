#include "limes/batch.hpp"

#include <cstring>

#include "limes/greedy.hpp"
#include "limes/zones.hpp"

namespace limina::limes {

namespace {

// The quarter (nw ne sw se) to which each turning brings the face's nw zone, and the other way round: the same table.
constexpr std::array<Byte, 4> kTurningOf = {0, 1, 3, 2};

// A cell of the table's grid under a zone of the frame.
int cell_under(const Display& d, int x, int y) { return 8 * (y / 2 - 1 + d.top) + x / 2 - 1 + d.left; }

}  // namespace

Batch::Batch(const Options& options, std::span<const Card> deck)
    : options_(options),
      crew_(options.threads),
      games_(static_cast<std::size_t>(options.games)),
      seats_(static_cast<std::size_t>(rows())) {
    std::ranges::copy(deck, deck_.begin());
    for (std::size_t i = 0; i < deck_.size(); ++i) {
        const Ground& ground = deck_[i].turned(0);
        for (std::size_t quarter = 0; quarter < 4; ++quarter) {
            const int zone = kQuarter[quarter];
            const auto landscape = static_cast<std::size_t>(has(ground.lo, zone) + 2 * has(ground.hi, zone));
            faces_[i][5 * quarter + landscape] = 1;
            faces_[i][5 * quarter + 4] = has(ground.huts, zone);
        }
    }
    for (int game = 0; game < options_.games; ++game) reset(game, static_cast<Word>(game));
}

void Batch::reset(int number, Word seed) {
    Game& game = games_[static_cast<std::size_t>(number)];
    game.chance = Rng(seed);
    game.sampler = Rng(game.chance.next());
    begin(number);
}

void Batch::begin(int number) {
    Game& game = games_[static_cast<std::size_t>(number)];
    std::array<Byte, kCards> order{};
    for (Byte card = 0; card < kCards; ++card) order[card] = card;
    for (unsigned i = 0; i < kRounds; ++i) {
        std::swap(order[i], order[i + game.chance.below(kCards - i)]);
        game.cards[i] = order[i];
    }
    deal(number, game.cards);
}

void Batch::deal(int number, std::span<const Byte> cards) {
    Game& game = games_[static_cast<std::size_t>(number)];
    std::copy_n(cards.begin(), kRounds, game.cards.begin());
    game.unseen = (1U << kCards) - 1;
    game.round = 0;
    game.over = false;
    for (Seat& seat : seats(number)) {
        seat = Seat{};
        seat.display.variants = options_.variants;
    }
    open_round(number);
}

bool Batch::set(int number, std::span<const Display> displays, std::span<const Byte> drawn) {
    Game& game = games_[static_cast<std::size_t>(number)];
    const std::span<Seat> all = seats(number);
    const std::size_t rounds = drawn.size();
    if (displays.size() != all.size() || rounds > kRounds) return false;
    for (const Display& d : displays) {
        if (d.variants != options_.variants || d.cards > rounds || d.cards + 1U < rounds) return false;
    }
    begin(number);
    std::uint32_t unseen = (1U << kCards) - 1;
    for (const Byte card : drawn) unseen &= ~(1U << card);
    if (std::popcount(unseen) + rounds != kCards) return false;
    game.unseen = unseen;
    std::ranges::copy(drawn, game.cards.begin());
    for (std::size_t i = rounds; i < kRounds; ++i) {
        const Word next = pick(unseen, game.chance);
        game.cards[i] = static_cast<Byte>(first(next));
        unseen &= ~static_cast<std::uint32_t>(next);
    }
    game.round = static_cast<Byte>(rounds);
    bool done = true;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool waits = displays[i].cards == rounds;
        all[i] = Seat{displays[i], waits ? 0 : open_cells(displays[i]), waits ? wait : lay_card};
        all[i].points = total(displays[i]);
        done = done && waits;
    }
    if (done && rounds < kRounds) open_round(number);
    game.over = done && rounds == kRounds;
    return true;
}

std::span<const Byte> Batch::draws(int number) const {
    const Game& game = games_[static_cast<std::size_t>(number)];
    return std::span(game.cards).first(game.round);
}

void Batch::open_round(int number) {
    Game& game = games_[static_cast<std::size_t>(number)];
    game.unseen &= ~(1U << game.cards[game.round]);
    ++game.round;
    for (Seat& seat : seats(number)) {
        seat.phase = lay_card;
        seat.open = open_cells(seat.display);
    }
}

// Does what the click says; false if it is not legal, and then nothing is done.
bool Batch::click(Seat& seat, const Card& card, std::int64_t action) const {
    if (action < 0 || action > kPass) return false;
    if (action == kPass) {
        if (seat.phase != wait && seat.phase != choose_worker) return false;
        seat.phase = wait;
        return true;
    }
    const int x = static_cast<int>(action) % kFrame, y = static_cast<int>(action) / kFrame;
    Display& d = seat.display;
    if (seat.phase == lay_card) {
        const int cell = cell_under(d, x, y);
        if (cell < 0 || cell > 63 || !has(seat.open, cell)) return false;
        lay(d, cell, card.turned(kTurningOf[static_cast<std::size_t>(2 * (y & 1) + (x & 1))]));
        seat.corner = static_cast<Byte>(2 * ((cell & 7) - d.left) + 16 * ((cell >> 3) - d.top));
        seat.phase = choose_worker;
        seat.open = d.supply > 0 ? kCardShape << seat.corner : 0;
        const Links<Word> linked = links<Word>(d);
        for (Word left = d.workers(); left != 0; left &= left - 1) {
            const Word source = lowest(left);
            if (destinations<Word, Word>(d, source, linked, d.variants.ferryman) != 0) seat.open |= source;
        }
        return true;
    }
    if (seat.phase == wait || x < 2 || y < 2) return false;
    const int zone = 8 * (y - 2) + x - 2;
    if (!has(seat.open, zone)) return false;
    if (seat.phase == choose_target) {
        remove_worker(d, bit(seat.lifted));
        add_worker(d, bit(zone));
        seat.phase = wait;
    } else if (has(kCardShape << seat.corner, zone)) {
        --d.supply;
        add_worker(d, bit(zone));
        seat.phase = wait;
    } else {
        seat.lifted = static_cast<Byte>(zone);
        seat.phase = choose_target;
        seat.open = destinations<Word, Word>(d, bit(zone), links<Word>(d), d.variants.ferryman);
    }
    return true;
}

bool Batch::play(Seat& seat, const Card& card, std::uint32_t code) const {
    if (seat.phase == wait) return true;
    if (seat.phase != lay_card) return false;
    const auto after = limes::play(seat.display, card, Turn::unpack(code));
    if (!std::holds_alternative<Display>(after)) return false;
    seat.display = std::get<Display>(after);
    seat.phase = wait;
    return true;
}

// What a step brought: rewards, the next round, the end.
void Batch::settle(int number, bool legal, float* rewards) {
    Game& game = games_[static_cast<std::size_t>(number)];
    const std::span<Seat> all = seats(number);
    bool done = true;
    for (std::size_t i = 0; i < all.size(); ++i) {
        Seat& seat = all[i];
        done = done && seat.phase == wait;
        if (options_.reward_at_end || rewards == nullptr || seat.phase != wait || !legal) continue;
        const int points = total(seat.display);
        rewards[i] = static_cast<float>(points - seat.points);
        seat.points = points;
    }
    if (legal && done && game.round < kRounds) return open_round(number);
    if (legal && !done) return;
    game.over = true;
    if (!legal || !options_.reward_at_end || rewards == nullptr) return;
    if (all.size() == 1) {
        rewards[0] = static_cast<float>(total(all[0].display));
        return;
    }
    std::vector<Display> displays;
    for (const Seat& seat : all) displays.push_back(seat.display);
    Word won = 0;
    for (const int winner : winners(displays)) won |= bit(winner);
    for (int player = 0; player < options_.players; ++player) {
        rewards[player] = batch::payoff(won, options_.players, player);
    }
}

template <class Act>
void Batch::step_all(const Out& out, Act act) {
    const int players = options_.players;
    const auto act_all = [&](int number, float* rewards) {
        bool legal = true;
        const Card& drawn = card(games_[static_cast<std::size_t>(number)]);
        const std::span<Seat> all = seats(number);
        for (int player = 0; player < players; ++player) {
            Seat& seat = all[static_cast<std::size_t>(player)];
            if (act(seat, drawn, number * players + player)) continue;
            legal = false;
            if (rewards != nullptr) rewards[player] = options_.illegal_reward;
        }
        settle(number, legal, rewards);
    };
    batch::step_games(
        crew_, options_, games_, out, act_all, [&](int number) { begin(number); },
        [&](int number) {
            for (int player = 0; player < players; ++player) write(number * players + player, out);
        });
}

void Batch::step(const std::int64_t* actions, const Out& out) {
    step_all(out, [&](Seat& seat, const Card& drawn, int row) { return click(seat, drawn, actions[row]); });
}

void Batch::play(const std::uint32_t* turns, const Out& out) {
    step_all(out, [&](Seat& seat, const Card& drawn, int row) { return play(seat, drawn, turns[row]); });
}

void Batch::sample(std::int64_t* actions) {
    crew_.each(options_.games, [&](int number) {
        Game& game = games_[static_cast<std::size_t>(number)];
        std::int64_t* action = actions + number * options_.players;
        for (const Seat& seat : seats(number)) {
            const auto open = static_cast<unsigned>(count(seat.open));
            if (game.over || seat.phase == wait) {
                *action++ = kPass;
            } else if (seat.phase == lay_card) {
                const unsigned choice = game.sampler.below(4 * open);
                const int cell = first(nth(seat.open, choice / 4));
                const auto quarter = static_cast<int>(choice % 4);
                const int x = 2 * ((cell & 7) - seat.display.left + 1) + (quarter & 1);
                const int y = 2 * ((cell >> 3) - seat.display.top + 1) + (quarter >> 1);
                *action++ = kFrame * y + x;
            } else {
                const unsigned choice = game.sampler.below(open + (seat.phase == choose_worker));
                const int zone = choice < open ? first(nth(seat.open, choice)) : 0;
                *action++ = choice < open ? kFrame * ((zone >> 3) + 2) + (zone & 7) + 2 : kPass;
            }
        }
    });
}

void Batch::observe(const Out& out) const {
    crew_.each(rows(), [&](int row) { write(row, out); });
}

void Batch::write(int row, const Out& out) const {
    const auto at = static_cast<std::size_t>(row);
    const Seat& seat = seats_[at];
    const Game& game = games_[at / static_cast<std::size_t>(options_.players)];
    if (out.planes != nullptr) write_planes(seat, out.planes + at * kPlanes * kPass);
    if (out.vector != nullptr) write_vector(seat, game, out.vector + at * kVector);
    if (out.mask != nullptr) write_mask(seat, out.mask + at * kActions);
    if (out.packed != nullptr) {
        const Display& d = seat.display;
        const std::array<Byte, 8> bytes = {
            seat.phase, game.cards[game.round - 1U], d.supply, game.round, seat.corner, seat.lifted, d.left, d.top};
        const Word flags = static_cast<Word>(d.variants.diagonal) | static_cast<Word>(d.variants.ferryman) << 1;
        const std::array<Word, kPacked> words = {d.cover,
                                                 d.ground.lo,
                                                 d.ground.hi,
                                                 d.ground.huts,
                                                 d.one,
                                                 d.two,
                                                 d.four,
                                                 seat.open,
                                                 std::bit_cast<Word>(bytes),
                                                 game.unseen | flags << 32};
        std::ranges::copy(words, out.packed + at * kPacked);
    }
}

void Batch::write_planes(const Seat& seat, Byte* planes) const {
    const Display& d = seat.display;
    std::memset(planes, 0, kPlanes * kPass);
    const bool lies = seat.phase == choose_worker || seat.phase == choose_target;
    const std::array<Word, 8> sets = {d.field(),
                                      d.water(),
                                      d.forest(),
                                      d.rock(),
                                      d.ground.huts,
                                      d.one,
                                      lies ? kCardShape << seat.corner : 0,
                                      seat.phase == choose_target ? bit(seat.lifted) : 0};
    const Word several = d.two | d.four;
    for (int y = 0; y < 2 * d.height; ++y) {
        Byte* at = planes + kFrame * (y + 2) + 2;
        for (const Word set : sets) {
            std::memcpy(at, batch::kBytes[set >> (8 * y) & 255].data(), 8);
            at += kPass;
        }
    }
    for (Word left = several; left != 0;) {
        const int zone = pop(left);
        planes[5 * kPass + kFrame * ((zone >> 3) + 2) + (zone & 7) + 2] = static_cast<Byte>(d.workers_on(zone));
    }
}

void Batch::write_vector(const Seat& seat, const Game& game, Byte* vector) const {
    std::memset(vector, 0, kVector);
    const auto drawn = game.cards[game.round - 1U];
    vector[seat.phase] = 1;
    std::ranges::copy(faces_[drawn], vector + 4);
    vector[24 + drawn] = 1;
    for (unsigned byte = 0; byte < 3; ++byte) {
        std::memcpy(vector + 48 + 8 * byte, batch::kBytes[game.unseen >> (8 * byte) & 255].data(), 8);
    }
    vector[72] = seat.display.supply;
    vector[73] = seat.display.cards;
    vector[74] = seat.display.variants.diagonal;
    vector[75] = seat.display.variants.ferryman;
}

void Batch::write_mask(const Seat& seat, Byte* mask) const {
    std::memset(mask, 0, kActions);
    const Display& d = seat.display;
    mask[kPass] = seat.phase == choose_worker || seat.phase == wait;
    if (seat.phase == lay_card) {
        for (Word left = seat.open; left != 0;) {
            const int cell = pop(left);
            Byte* at = mask + 2 * kFrame * ((cell >> 3) - d.top + 1) + 2 * ((cell & 7) - d.left + 1);
            at[0] = at[1] = at[kFrame] = at[kFrame + 1] = 1;
        }
    } else if (seat.phase != wait) {
        for (int y = 0; y < 2 * d.height; ++y) {
            std::memcpy(mask + kFrame * (y + 2) + 2, batch::kBytes[seat.open >> (8 * y) & 255].data(), 8);
        }
    }
}

void Batch::afterstates(int k, std::uint32_t* turns, float* gains, std::int16_t* features, std::int32_t* found) const {
    static const Values points_only;  // large, and always the same
    const auto most = static_cast<std::size_t>(k);
    const auto look = [&](int number) {
        const auto row = static_cast<std::size_t>(number);
        const Seat& seat = seats_[row];
        const Game& game = games_[row / static_cast<std::size_t>(options_.players)];
        std::fill_n(turns + row * most, most, 0U);
        std::fill_n(gains + row * most, most, 0.0F);
        std::fill_n(features + row * most * kMostFeatures, most * kMostFeatures, static_cast<std::int16_t>(kFeatures));
        found[row] = 0;
        if (seat.phase != lay_card || game.over) return;
        const Card& drawn = card(game);
        const int before = total(seat.display);
        std::vector<int> list;
        std::size_t at = row * most;
        for (const Choice& choice : best_choices(points_only, seat.display, drawn, {}, most)) {
            const Display after = played(seat.display, drawn, choice);
            turns[at] = turn_of(seat.display, drawn, choice).pack();
            gains[at] = static_cast<float>(total(after) - before);
            list.clear();
            value(points_only, after, {}, &list);
            std::copy_n(list.begin(), std::min<std::size_t>(list.size(), kMostFeatures), features + at * kMostFeatures);
            ++at;
            ++found[row];
        }
    };
    crew_.each(rows(), look, 2);
}

}  // namespace limina::limes

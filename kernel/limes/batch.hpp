// Games of Limes side by side, click by click.
//
// A click is a zone of a 10x10 frame, two zones around the display's corner and so wide that every place for a card is
// in it, or kPassAction. Three kinds follow each other: the place of the card (the quarter that is clicked is where the
// face's nw zone comes to lie), then a zone of the new card for a worker from the supply or the zone of a worker to
// lift, then where he goes. All players of a game have the same cards; who is done with a round waits, and only passes.
#pragma once

#include <span>
#include <vector>

#include "common/batch.hpp"
#include "limes/portable/weights.hpp"
#include "limes/rules.hpp"

namespace limina::limes {

using batch::Autoreset;
using batch::Byte;
using batch::OutputBuffers;

class Batch {
  public:
    static constexpr int kFrameSide = 10, kPassAction = kFrameSide * kFrameSide, kActionCount = kPassAction + 1;
    static constexpr int kPlaneCount = 8, kVectorSize = 76, kPackedWords = 10;
    static constexpr int kFeatureCount = feature::kRemainingDeck, kMaxFeatures = 192;

    struct Options {
        int games = 1, players = 1, threads = 1;
        Variants variants;
        bool reward_at_end = false;  // in place of what each turn gains
        float illegal_reward = -1;
        Autoreset autoreset = Autoreset::next_step;
    };

    Batch(const Options& options, std::span<const Card> deck);

    int rows() const { return options_.games * options_.players; }
    const Options& options() const { return options_; }

    // Begins one game anew: its cards, and all that comes after it, follow from the seed.
    void reset(int game_index, std::uint64_t seed);
    // ... with these cards in this order; those after the last round do not matter.
    void deal(int game_index, std::span<const Byte> cards);
    // Begins one game with these displays, as many as there are players, and these cards drawn; all others follow by
    // chance. False where they do not fit each other.
    bool set_game(int game_index, std::span<const Display> displays, std::span<const Byte> drawn_card);
    // One click in each row.
    void step(const std::int64_t* actions, const OutputBuffers& out);
    // A whole turn in each row where a card is to be laid.
    void play(const std::uint32_t* turns, const OutputBuffers& out);
    // A random legal action for each row, from a source of its own.
    void sample(std::int64_t* actions);
    void observe(const OutputBuffers& out) const;

    // The k turns of each row that gain most, best first, of those that differ: their codes, what they gain, and the
    // entries of the display after them (see limes/portable/weights.hpp), filled up with kFeatureCount. Unused turns
    // have the code 0 and gain nothing; `counts` says how many there are.
    void afterstates(int k, std::uint32_t* turns, float* gains, std::int16_t* features, std::int32_t* counts) const;

    const Display& display(int row) const { return seats_[row].display; }
    std::span<const Byte> draws(int game_index) const;

  private:
    enum Phase : Byte { choose_cell, choose_worker, choose_target, waiting };

    struct Seat {
        Display display;       // with the card of this round once it lies
        Bitboard choices = 0;  // what may be clicked: cells of the grid while the card is to be laid, then zones
        Phase phase = waiting;
        Byte card_corner = 0, lifted_zone = 0;
        int points = 0;
    };

    struct Game {
        Rng deal_rng{0}, sample_rng{0};
        std::array<Byte, kRounds> cards{};
        std::uint32_t unseen = 0;
        Byte round = 0;  // cards drawn
        bool over = false;
    };

    std::span<Seat> seats(int game_index) {
        return std::span(seats_).subspan(game_index * options_.players, options_.players);
    }
    const Card& card(const Game& game) const { return deck_[game.cards[game.round - 1U]]; }
    void deal_random(int game_index);
    void start_round(int game_index);
    bool apply_action(Seat& seat, const Card& card, std::int64_t action) const;
    bool play(Seat& seat, const Card& card, std::uint32_t code) const;
    void finish_step(int game_index, bool is_legal, float* rewards);
    template <class Act>
    void step_games(const OutputBuffers& out, Act act);
    void write_row(int row, const OutputBuffers& out) const;
    void write_planes(const Seat& seat, Byte* planes) const;
    void write_vector(const Seat& seat, const Game& game, Byte* vector) const;
    void write_mask(const Seat& seat, Byte* mask) const;

    Options options_;
    mutable batch::ThreadPool pool_;
    std::array<Card, kDeckSize> deck_;
    std::array<std::array<Byte, 20>, kDeckSize> face_vectors_{};
    std::vector<Game> games_;
    std::vector<Seat> seats_;
};

}  // namespace limina::limes

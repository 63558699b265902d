// A batch of Limes games that advance action by action.
//
// An action is a zone of a 10x10 frame (10 * y + x), or kPassAction. The frame has the corner of the display at (2, 2),
// so it contains every cell for a card. A turn takes up to three actions: the cell and turning of the card (the zone
// where the nw zone of its face will be); a zone of the new card for a worker from the supply, or the zone of a worker
// to move; and the zone that the worker moves to. Each player has a row, and all players of a game get the same cards.
// A player who has finished the round waits and can only pass.
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
        bool reward_at_end = false;  // instead of the points gained by each turn
        float illegal_reward = -1;   // for an illegal action, which ends the game
        Autoreset autoreset = Autoreset::next_step;
    };

    Batch(const Options& options, std::span<const Card> deck);

    int rows() const { return options_.games * options_.players; }
    const Options& options() const { return options_; }

    // Restarts one game. The seed determines its cards, and those of all later games with this index.
    void reset(int game_index, std::uint64_t seed);
    // Restarts one game with these cards in this order. Cards after the last round are ignored.
    void deal(int game_index, std::span<const Byte> cards);
    // Sets one game to these displays, one for each player, and these drawn cards. All other cards are random. Returns
    // false if they contradict each other.
    bool set_game(int game_index, std::span<const Display> displays, std::span<const Byte> draws);
    // Applies one action in each row.
    void step(const std::int64_t* actions, const OutputBuffers& out);
    // Plays a packed turn in each row. It is illegal in the middle of a turn and ignored in a row that waits.
    void play(const std::uint32_t* turns, const OutputBuffers& out);
    // Writes a random legal action for each row. It draws from a generator of its own, so the cards do not change.
    void sample(std::int64_t* actions);
    // Writes the observations of all rows.
    void observe(const OutputBuffers& out) const;

    // Writes for each row up to k turns with distinct results that gain most points, best first: their packed codes,
    // gains, and the active features after them (see limes/portable/weights.hpp). `counts` receives the number of
    // turns. Unused features are kFeatureCount; unused turns have code and gain 0.
    void afterstates(int k, std::uint32_t* turns, float* gains, std::int16_t* features, std::int32_t* counts) const;

    const Display& display(int row) const { return seats_[row].display; }
    std::span<const Byte> draws(int game_index) const;

  private:
    enum Phase : Byte { choose_cell, choose_worker, choose_target, waiting };

    // The state of one row.
    struct Seat {
        Display display;       // with the card of this round after it is placed
        Bitboard choices = 0;  // legal actions: cells of the grid before the card is placed, then zones
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

// Games of Limit side by side, click by click.
//
// A click is a tile of a frame of axial coordinates into which the whole layout fits, or the pass that stands for a
// turn in which nothing can be done. Three follow each other: a pawn, where it goes, the tile that is removed; what
// cannot be done in a turn is not asked for. Everything is seen by the player to move.
#pragma once

#include <memory>
#include <vector>

#include "common/batch.hpp"
#include "limit/evaluation.hpp"
#include "limit/rules.hpp"

namespace limina::limit {

using batch::Autoreset;
using batch::Byte;
using batch::OutputBuffers;

class Batch {
  public:
    static constexpr int kPlaneCount = 7, kVectorSize = 8, kPackedWords = 15;
    static constexpr int kSmallFrameSide = 12, kLargeFrameSide = 16;  // sides of the frame, up to size 8 and above
    static constexpr int kFeatureCount = patterns::kStages * patterns::kPatternsPerSet, kMaxFeatures = 128;

    struct Options {
        int games = 1, players = 2, size = 8, threads = 1;
        int layouts = 0;         // how many layouts all games share; none: every game has one of its own
        std::uint64_t seed = 0;  // of those
        float illegal_reward = -1;
        Autoreset autoreset = Autoreset::next_step;
    };

    explicit Batch(const Options& options);

    int rows() const { return options_.games; }
    int frame_side() const { return options_.size <= 8 ? kSmallFrameSide : kLargeFrameSide; }
    int actions() const { return frame_side() * frame_side() + 1; }
    const Options& options() const { return options_; }

    // Begins one game anew: its layout, and all that comes after it, follow from the seed.
    void reset(int game_index, std::uint64_t seed);
    // Begins one game with this state; false if its layout does not fit into the frame.
    bool set_game(int game_index, std::shared_ptr<const Layout> layout, const State& state);
    void step(const std::int64_t* actions, const OutputBuffers& out);
    // A whole turn in each game where a turn begins.
    void play(const std::uint32_t* turns, const OutputBuffers& out);
    void sample(std::int64_t* actions);
    void observe(const OutputBuffers& out) const;

    // The k turns of each game that leave the mover best off, best first, as a beginner sees it (naive_weights), of
    // those that differ in what they lead to: their codes, what they decide for the mover (what is paid at the end, and
    // nothing while that is open), and the patterns that the mover sees then, filled up with kFeatureCount. Unused
    // turns have the code 0; `counts` says how many there are.
    void afterstates(int k, std::uint32_t* turns, float* gains, std::int16_t* features, std::int32_t* counts) const;

    // Where a game stood when the present turn began.
    const State& state(int game_index) const { return games_[game_index].state; }
    const std::shared_ptr<const Layout>& layout(int game_index) const {
        return games_[game_index].framed_layout->layout;
    }

  private:
    enum Phase : Byte { choose_pawn, choose_target, choose_removal };
    static constexpr Byte kNoTile = 255;

    // A layout with the place of each tile in the frame, and the tile on each place.
    struct FramedLayout {
        std::shared_ptr<const Layout> layout;
        std::array<Byte, kMaxTiles> place{};
        std::array<Byte, kLargeFrameSide * kLargeFrameSide> tile{};
    };

    struct Game {
        std::shared_ptr<const FramedLayout> framed_layout;
        State state;
        Position visible;          // the same with the pawn that has moved
        Bitboard legal_tiles = 0;  // the tiles that may be clicked
        std::vector<Turn> turns;   // all legal turns, where they had to be listed
        Turn turn;                 // as far as it is made
        Phase phase = choose_pawn;
        bool over = false;
        Rng deal_rng{0}, sample_rng{0};
    };

    std::shared_ptr<const FramedLayout> framed_layout(std::shared_ptr<const Layout> layout) const;
    std::shared_ptr<const FramedLayout> random_framed_layout(Rng& deal_rng) const;
    void begin_game(Game& game) const;
    void begin_turn(Game& game) const;
    void set_legal_from_turns(Game& game) const;
    void end_turn(Game& game) const;
    bool apply_action(Game& game, std::int64_t action) const;
    bool play(Game& game, std::uint32_t code) const;
    template <class Act>
    void step_games(const OutputBuffers& out, Act act);
    void write_row(int game_index, const OutputBuffers& out) const;
    void write_planes(const Game& game, Byte* planes) const;

    Options options_;
    mutable batch::ThreadPool pool_;
    std::vector<std::shared_ptr<const FramedLayout>> layouts_;
    std::vector<Game> games_;
};

}  // namespace limina::limit

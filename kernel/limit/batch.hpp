// A batch of Limit games that advance action by action.
//
// An action is a place of the frame (side * y + x), a square of axial coordinates that contains the whole layout; or
// the pass, the last action, in a turn in which nothing can be done. A turn takes up to three actions: a pawn, the tile
// where it goes, the tile to remove. A part that the turn cannot have is skipped. Observations are those of the player
// to move.
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
    static constexpr int kSmallFrameSide = 12, kLargeFrameSide = 16;  // side of the frame up to size 8, and above
    static constexpr int kFeatureCount = patterns::kStages * patterns::kPatternsPerSet, kMaxFeatures = 128;

    struct Options {
        int games = 1, players = 2, size = 8, threads = 1;
        int layouts = 0;            // number of layouts that all games share; 0 gives every game a new one
        std::uint64_t seed = 0;     // of the shared layouts
        float illegal_reward = -1;  // for an illegal action, which ends the game
        Autoreset autoreset = Autoreset::next_step;
    };

    explicit Batch(const Options& options);

    int rows() const { return options_.games; }
    int frame_side() const { return options_.size <= 8 ? kSmallFrameSide : kLargeFrameSide; }
    int actions() const { return frame_side() * frame_side() + 1; }
    const Options& options() const { return options_; }

    // Starts one game again. The seed determines its layout and those of all games after it.
    void reset(int game_index, std::uint64_t seed);
    // Sets one game to this state. Returns false if its layout has another size or number of players, or does not fit
    // into the frame.
    bool set_game(int game_index, std::shared_ptr<const Layout> layout, const State& state);
    // Applies one action in each game.
    void step(const std::int64_t* actions, const OutputBuffers& out);
    // Plays a packed turn in each game. It is illegal in the middle of a turn.
    void play(const std::uint32_t* turns, const OutputBuffers& out);
    // Writes a random legal action for each game. It draws from a generator of its own, so the layouts do not change.
    void sample(std::int64_t* actions);
    // Writes the observations of all games.
    void observe(const OutputBuffers& out) const;

    // Writes for each game up to k turns with distinct results that give the mover the highest win probability by
    // naive_weights, best first: their packed codes, gains, and the mover's active patterns after them. The gain is the
    // final reward of the mover if the turn decides it, else 0 and the patterns are written. `counts` receives the
    // number of turns. Unused patterns are kFeatureCount; unused turns have code and gain 0.
    void afterstates(int k, std::uint32_t* turns, float* gains, std::int16_t* features, std::int32_t* counts) const;

    // The state when the current turn began.
    const State& state(int game_index) const { return games_[game_index].state; }
    const std::shared_ptr<const Layout>& layout(int game_index) const {
        return games_[game_index].framed_layout->layout;
    }

  private:
    enum Phase : Byte { choose_pawn, choose_target, choose_removal };
    static constexpr Byte kNoTile = 255;

    // A layout with the place of each tile in the frame, and the tile on each place or kNoTile.
    struct FramedLayout {
        std::shared_ptr<const Layout> layout;
        std::array<Byte, kMaxTiles> place{};
        std::array<Byte, kLargeFrameSide * kLargeFrameSide> tile{};
    };

    struct Game {
        std::shared_ptr<const FramedLayout> framed_layout;
        State state;
        Position visible;          // `state.position` after the pawn move of the current turn, if it was made
        Bitboard legal_tiles = 0;  // for the next action
        std::vector<Turn> turns;   // all legal turns if they had to be listed, else empty
        Turn turn;                 // the parts of the current turn so far
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

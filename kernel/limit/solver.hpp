// Exact results of small endgames of Limit between two players, with the repetition ruling.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "common/deadline.hpp"
#include "limit/evaluation.hpp"
#include "limit/rules.hpp"

namespace limina::limit {

// How a game ends with best play, as the player to move sees it.
enum class GameResult : std::int8_t { loss = -1, tie = 0, win = 1 };

inline GameResult opposite(GameResult result) { return static_cast<GameResult>(-static_cast<int>(result)); }

// Solves positions of one layout and remembers them. The values only say which turn to try first.
class Solver {
  public:
    Solver(const Layout& layout, const Weights& weights, int table_bits = 14);

    // The result with best play, or nothing where this takes more than `max_positions` positions, where three are still
    // in the game, or where it was told to stop.
    std::optional<GameResult> solve(const State& state, std::uint64_t max_positions,
                                    const CancelToken* cancel_token = nullptr);

    // The same for every legal turn, as the player who moves sees it.
    std::optional<std::vector<std::pair<Turn, GameResult>>> solve_turns(const State& state, std::uint64_t max_positions,
                                                                        const CancelToken* cancel_token = nullptr);

    // A winning turn where there is one, else all turns that lead to the best result; the most promising first. Much
    // sooner done than solve_turns where the position is won, and as exact.
    std::optional<std::vector<std::pair<Turn, GameResult>>> solve_best(const State& state, std::uint64_t max_positions,
                                                                       const CancelToken* cancel_token = nullptr);

    // From then on it gives up whatever it is asked.
    void set_deadline(std::chrono::steady_clock::time_point deadline) { deadline_ = deadline; }

    // All positions looked at so far.
    std::uint64_t positions_searched() const { return positions_searched_; }

  private:
    struct BudgetExhausted {};
    struct TableEntry {
        Bitboard tiles = 0, own = 0, other_pawns = 0;
        GameResult result = GameResult::tie;
        std::uint8_t state_tag = 0;  // who is to move, and whether captures are forbidden; 0 where nothing is known
    };

    GameResult solve_state(const State& state);
    GameResult solve_removals(const Position& position, const std::vector<Turn>& turns);
    GameResult solve_moves_only(const State& state);
    void count_position();
    bool is_out_of_time() const;
    TableEntry& slot(const Position& position);
    const TableEntry* look_up(const Position& position);
    void store(const Position& position, GameResult result);

    const Layout& layout_;
    const Weights& weights_;
    std::vector<TableEntry> table_;
    std::uint64_t positions_searched_ = 0;
    std::uint64_t max_positions_ = 0;
    const CancelToken* cancel_token_ = nullptr;
    std::chrono::steady_clock::time_point deadline_ = std::chrono::steady_clock::time_point::max();
};

}  // namespace limina::limit

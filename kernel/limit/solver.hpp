// Solves small endgames of Limit between two players exactly, with the repetition rule.
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

// The result of a game with best play, for the player to move.
enum class GameResult : std::int8_t { loss = -1, tie = 0, win = 1 };

inline GameResult opposite(GameResult result) { return static_cast<GameResult>(-static_cast<int>(result)); }

// Solves positions of one layout, with a transposition table. The weights only order the turns.
class Solver {
  public:
    Solver(const Layout& layout, const Weights& weights, int table_bits = 14);

    // Returns the result with best play. Returns nothing if that takes more than `max_positions` positions, if three
    // players are in the game, or if the search is canceled or out of time.
    std::optional<GameResult> solve(const State& state, std::uint64_t max_positions,
                                    const CancelToken* cancel_token = nullptr);

    // Returns the result of every legal turn, for the player who moves. Returns nothing as `solve` does.
    std::optional<std::vector<std::pair<Turn, GameResult>>> solve_turns(const State& state, std::uint64_t max_positions,
                                                                        const CancelToken* cancel_token = nullptr);

    // Returns one winning turn if there is one, else all turns with the best result, those with the highest evaluation
    // first. Exact, and much faster than solve_turns if there is a winning turn. Returns nothing as `solve` does.
    std::optional<std::vector<std::pair<Turn, GameResult>>> solve_best(const State& state, std::uint64_t max_positions,
                                                                       const CancelToken* cancel_token = nullptr);

    // Makes all functions return nothing after the deadline.
    void set_deadline(std::chrono::steady_clock::time_point deadline) { deadline_ = deadline; }

    // Returns the number of positions searched since construction.
    std::uint64_t positions_searched() const { return positions_searched_; }

  private:
    struct BudgetExhausted {};
    struct TableEntry {
        Bitboard tiles = 0, own = 0, other_pawns = 0;
        GameResult result = GameResult::tie;
        std::uint8_t state_tag = 0;  // player to move and captures_forbidden; 0 in an empty entry
    };

    GameResult solve_state(const State& state);
    GameResult solve_removals(const Position& position, const std::vector<Turn>& turns);
    GameResult solve_without_removals(const State& state);
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

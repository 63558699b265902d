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
enum class Result : std::int8_t { loss = -1, tie = 0, win = 1 };

inline Result opposite(Result result) { return static_cast<Result>(-static_cast<int>(result)); }

// Solves positions of one layout and remembers them. The values only say which turn to try first.
class Solver {
  public:
    Solver(const Layout& layout, const Values& values, int table_bits = 14);

    // The result with best play, or nothing where this takes more than `most` positions, where three are still in the
    // game, or where it was told to stop.
    std::optional<Result> solve(const State& state, std::uint64_t most, const Stop* stop = nullptr);

    // The same for every legal turn, as the player who moves sees it.
    std::optional<std::vector<std::pair<Turn, Result>>> solve_turns(const State& state, std::uint64_t most,
                                                                    const Stop* stop = nullptr);

    // A winning turn where there is one, else all turns that lead to the best result; the most promising first. Much
    // sooner done than solve_turns where the position is won, and as exact.
    std::optional<std::vector<std::pair<Turn, Result>>> solve_best(const State& state, std::uint64_t most,
                                                                   const Stop* stop = nullptr);

    // From then on it gives up whatever it is asked.
    void give_up_at(std::chrono::steady_clock::time_point deadline) { deadline_ = deadline; }

    // All positions looked at so far.
    std::uint64_t looked_at() const { return looked_at_; }

  private:
    struct GaveUp {};
    struct Known {
        Word tiles = 0, own = 0, other = 0;
        Result result = Result::tie;
        std::uint8_t mark = 0;  // who is to move, and whether captures are forbidden; 0 where nothing is known
    };

    Result result_of(const State& state);
    Result by_removals(const Position& position, const std::vector<Turn>& turns);
    Result by_moves_alone(const State& state);
    void look();
    bool out_of_time() const;
    Known& slot(const Position& position);
    const Known* recall(const Position& position);
    void remember(const Position& position, Result result);

    const Layout& layout_;
    const Values& values_;
    std::vector<Known> known_;
    std::uint64_t looked_at_ = 0;
    std::uint64_t limit_ = 0;
    const Stop* stop_ = nullptr;
    std::chrono::steady_clock::time_point deadline_ = std::chrono::steady_clock::time_point::max();
};

}  // namespace limina::limit

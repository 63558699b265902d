#include "limit/solver.hpp"

#include <algorithm>
#include <functional>
#include <unordered_map>

namespace limina::limit {

namespace {

// Returns the result of a finished game for a player.
GameResult final_result(const Position& position, int player) {
    if (!contains(position.winners, player)) return GameResult::loss;
    return popcount(position.winners) > 1 ? GameResult::tie : GameResult::win;
}

std::uint8_t state_tag_of(const Position& position) {
    return static_cast<std::uint8_t>(1 + position.to_move * 2 + position.captures_forbidden());
}

Bitboard enemy_pawns_of(const Position& position) { return position.enemy_pawns(); }

// Returns true if the legal turns of a position remove no tile. Either all of them do or none.
bool keep_all_tiles(const std::vector<Turn>& turns) { return !turns.empty() && !turns.front().removes(); }

}  // namespace

Solver::Solver(const Layout& layout, const Weights& weights, int table_bits)
    : layout_(layout), weights_(weights), table_(std::size_t{1} << table_bits) {}

void Solver::count_position() {
    constexpr std::uint64_t kPositionsPerClockCheck = 16;
    const bool checks_clock = positions_searched_ % kPositionsPerClockCheck == 0;
    if (++positions_searched_ > max_positions_ || (cancel_token_ != nullptr && cancel_token_->is_canceled()) ||
        (checks_clock && is_out_of_time())) {
        throw BudgetExhausted{};
    }
}

bool Solver::is_out_of_time() const {
    return deadline_ != std::chrono::steady_clock::time_point::max() && std::chrono::steady_clock::now() >= deadline_;
}

Solver::TableEntry& Solver::slot(const Position& position) { return table_[hash(position) & (table_.size() - 1)]; }

const Solver::TableEntry* Solver::look_up(const Position& position) {
    const TableEntry& entry = slot(position);
    const bool is_same = entry.state_tag == state_tag_of(position) && entry.tiles == position.tiles &&
                         entry.own == position.own_pawns() && entry.other_pawns == enemy_pawns_of(position);
    return is_same ? &entry : nullptr;
}

void Solver::store(const Position& position, GameResult result) {
    slot(position) = {position.tiles, position.own_pawns(), enemy_pawns_of(position), result, state_tag_of(position)};
}

GameResult Solver::solve_state(const State& state) {
    const Position& position = state.position;
    if (position.over) return final_result(position, position.to_move);
    std::vector<Turn> turns;
    if (state.history.empty()) {
        if (const TableEntry* entry = look_up(position)) return entry->result;
    }
    count_position();
    legal_turns(layout_, position, turns);
    if (keep_all_tiles(turns)) return solve_without_removals(state);
    const GameResult result = solve_removals(position, turns);
    store(position, result);
    return result;
}

// Solves a position in which every turn removes a tile, so no earlier position can be repeated.
GameResult Solver::solve_removals(const Position& position, const std::vector<Turn>& turns) {
    struct Child {
        Position position;
        float enemy_probability;
    };
    std::vector<Child> children;
    children.reserve(turns.size());
    for (const Turn turn : turns) {
        const Position after = play(layout_, position, turn).position;
        if (after.over) {
            if (final_result(after, position.to_move) == GameResult::win) return GameResult::win;
            // The rest are losses, because with two players only a repetition is a tie.
            continue;
        }
        if (const TableEntry* entry = look_up(after)) {
            if (entry->result == GameResult::loss) return GameResult::win;
            if (entry->result == GameResult::win) continue;
        }
        children.push_back({after, evaluate(layout_, weights_, after, TurnPart::move)[after.to_move]});
    }
    std::ranges::sort(children, {}, &Child::enemy_probability);
    GameResult best = GameResult::loss;
    for (const Child& child : children) {
        best = std::max(best, opposite(solve_state({child.position, {}})));
        if (best == GameResult::win) break;
    }
    return best;
}

// Solves a position in which turns remove no tile, so the game may cycle. It collects all positions that are reachable
// by such turns and finds forced wins by retrograde analysis. Positions without a forced win are ties by repetition.
GameResult Solver::solve_without_removals(const State& state) {
    struct CycleNode {
        Position position;
        std::vector<std::size_t> next;
        GameResult best_exit = GameResult::loss;  // of the turns that lead to other positions
        bool is_solved = false;
        GameResult result = GameResult::tie;
    };
    std::vector<CycleNode> nodes;
    std::unordered_multimap<std::uint64_t, std::size_t> node_of_hash;
    const auto find_or_add_node = [&](const Position& position) {
        const auto [from, to] = node_of_hash.equal_range(hash(position));
        for (auto entry = from; entry != to; ++entry) {
            const Position& known_position = nodes[entry->second].position;
            if (equal_for_repetition(known_position, position) &&
                state_tag_of(known_position) == state_tag_of(position))
                return entry->second;
        }
        node_of_hash.emplace(hash(position), nodes.size());
        nodes.push_back({position, {}});
        return nodes.size() - 1;
    };
    find_or_add_node(state.position);
    std::vector<Turn> turns, replies;
    for (std::size_t index = 0; index < nodes.size(); ++index) {
        const Position position = nodes[index].position;
        legal_turns(layout_, position, turns);
        for (const Turn turn : turns) {
            const Position after = play(layout_, position, turn).position;
            GameResult exit_result = GameResult::loss;
            if (after.over) {
                exit_result = final_result(after, position.to_move);
            } else if (after.tiles == position.tiles && popcount(after.all_pawns()) == popcount(position.all_pawns())) {
                if (state.history.contains(after)) {
                    exit_result = GameResult::tie;
                } else {
                    count_position();
                    legal_turns(layout_, after, replies);
                    if (keep_all_tiles(replies)) {
                        const std::size_t next = find_or_add_node(after);
                        nodes[index].next.push_back(next);
                        continue;
                    }
                    exit_result = opposite(solve_state({after, {}}));
                }
            } else {
                exit_result = opposite(solve_state({after, {}}));
            }
            nodes[index].best_exit = std::max(nodes[index].best_exit, exit_result);
        }
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (CycleNode& node : nodes) {
            if (node.is_solved) continue;
            bool wins = node.best_exit == GameResult::win, loses = node.best_exit == GameResult::loss;
            for (const std::size_t next : node.next) {
                wins = wins || (nodes[next].is_solved && nodes[next].result == GameResult::loss);
                loses = loses && nodes[next].is_solved && nodes[next].result == GameResult::win;
            }
            if (!wins && !loses) continue;
            node.is_solved = changed = true;
            node.result = wins ? GameResult::win : GameResult::loss;
        }
    }
    if (state.history.empty()) {
        for (const CycleNode& node : nodes) store(node.position, node.result);
    }
    return nodes.front().result;
}

std::optional<GameResult> Solver::solve(const State& state, std::uint64_t max_positions,
                                        const CancelToken* cancel_token) {
    if (!state.position.over && popcount(state.position.players_in_game()) != 2) return std::nullopt;
    max_positions_ = positions_searched_ + max_positions;
    cancel_token_ = cancel_token;
    try {
        return solve_state(state);
    } catch (const BudgetExhausted&) {
        return std::nullopt;
    }
}

std::optional<std::vector<std::pair<Turn, GameResult>>> Solver::solve_turns(const State& state,
                                                                            std::uint64_t max_positions,
                                                                            const CancelToken* cancel_token) {
    if (state.position.over || popcount(state.position.players_in_game()) != 2) return std::nullopt;
    max_positions_ = positions_searched_ + max_positions;
    cancel_token_ = cancel_token;
    const int player = state.position.to_move;
    std::vector<Turn> turns;
    legal_turns(layout_, state.position, turns);
    std::vector<std::pair<Turn, GameResult>> results;
    try {
        for (const Turn turn : turns) {
            State after = state;
            play(layout_, after, turn);
            results.emplace_back(
                turn, after.position.over ? final_result(after.position, player) : opposite(solve_state(after)));
        }
    } catch (const BudgetExhausted&) {
        return std::nullopt;
    }
    return results;
}

std::optional<std::vector<std::pair<Turn, GameResult>>> Solver::solve_best(const State& state,
                                                                           std::uint64_t max_positions,
                                                                           const CancelToken* cancel_token) {
    if (state.position.over || popcount(state.position.players_in_game()) != 2) return std::nullopt;
    struct Attempt {
        Turn turn;
        State after;
        float estimate = 0;
        std::optional<GameResult> result;
    };
    const int player = state.position.to_move;
    std::vector<Turn> turns;
    legal_turns(layout_, state.position, turns);
    std::vector<Attempt> attempts;
    for (const Turn turn : turns) {
        Attempt attempt{turn, state, 0, {}};
        play(layout_, attempt.after, turn);
        const Position& after = attempt.after.position;
        const WinProbabilities win_probabilities =
            after.over ? terminal_win_probabilities(after) : evaluate(layout_, weights_, after, TurnPart::move);
        attempt.estimate = win_probabilities[player];
        attempts.push_back(attempt);
    }
    std::ranges::stable_sort(attempts, std::greater{}, &Attempt::estimate);
    const std::uint64_t end = positions_searched_ + max_positions;
    cancel_token_ = cancel_token;
    bool has_unsolved = true;
    // All turns get a small number of positions first, then the unsolved ones more and more: so a turn that is hard to
    // solve does not delay finding an easy win.
    for (std::uint64_t max_share = 100; has_unsolved; max_share *= 8) {
        has_unsolved = false;
        for (Attempt& attempt : attempts) {
            if (attempt.result) continue;
            const Position& after = attempt.after.position;
            max_positions_ = std::min(end, positions_searched_ + max_share);
            try {
                attempt.result = after.over ? final_result(after, player) : opposite(solve_state(attempt.after));
            } catch (const BudgetExhausted&) {
                if (positions_searched_ >= end || (cancel_token != nullptr && cancel_token->is_canceled()) ||
                    is_out_of_time())
                    return std::nullopt;
                has_unsolved = true;
                continue;
            }
            if (*attempt.result == GameResult::win) return {{{attempt.turn, GameResult::win}}};
        }
    }
    const GameResult best = *std::ranges::max_element(attempts, {}, &Attempt::result)->result;
    std::vector<std::pair<Turn, GameResult>> best_turns;
    for (const Attempt& attempt : attempts) {
        if (attempt.result == best) best_turns.emplace_back(attempt.turn, best);
    }
    return best_turns;
}

}  // namespace limina::limit

#include "limit/solver.hpp"

#include <algorithm>
#include <functional>
#include <unordered_map>

namespace limina::limit {

namespace {

// As the player to move would see it, had the game gone on.
Result final_result(const Position& position, int player) {
    if (!has(position.winners, player)) return Result::loss;
    return count(position.winners) > 1 ? Result::tie : Result::win;
}

std::uint8_t mark_of(const Position& position) {
    return static_cast<std::uint8_t>(1 + position.to_move * 2 + position.captures_forbidden());
}

Word other_pawns(const Position& position) { return position.enemies(); }

// Whether turns of a position that has these leave the tiles as they are. All of them do, or none.
bool tiles_stay(const std::vector<Turn>& turns) { return !turns.empty() && !turns.front().removes(); }

}  // namespace

Solver::Solver(const Layout& layout, const Values& values, int table_bits)
    : layout_(layout), values_(values), known_(std::size_t{1} << table_bits) {}

void Solver::look() {
    constexpr std::uint64_t kLooksBetweenTimes = 16;
    const bool look_at_clock = looked_at_ % kLooksBetweenTimes == 0;
    if (++looked_at_ > limit_ || (stop_ != nullptr && stop_->is_set()) || (look_at_clock && out_of_time())) {
        throw GaveUp{};
    }
}

bool Solver::out_of_time() const {
    return deadline_ != std::chrono::steady_clock::time_point::max() && std::chrono::steady_clock::now() >= deadline_;
}

Solver::Known& Solver::slot(const Position& position) {
    return known_[static_cast<std::size_t>(hash(position)) & (known_.size() - 1)];
}

const Solver::Known* Solver::recall(const Position& position) {
    const Known& known = slot(position);
    const bool same = known.mark == mark_of(position) && known.tiles == position.tiles && known.own == position.own() &&
                      known.other == other_pawns(position);
    return same ? &known : nullptr;
}

void Solver::remember(const Position& position, Result result) {
    slot(position) = {position.tiles, position.own(), other_pawns(position), result, mark_of(position)};
}

Result Solver::result_of(const State& state) {
    const Position& position = state.position;
    if (position.over) return final_result(position, position.to_move);
    std::vector<Turn> turns;
    if (state.history.empty()) {
        if (const Known* known = recall(position)) return known->result;
    }
    look();
    legal_turns(layout_, position, turns);
    if (tiles_stay(turns)) return by_moves_alone(state);
    const Result result = by_removals(position, turns);
    remember(position, result);
    return result;
}

// Every turn takes a tile, so nothing of the past can come back.
Result Solver::by_removals(const Position& position, const std::vector<Turn>& turns) {
    struct Child {
        Position position;
        float enemy_chance;
    };
    std::vector<Child> children;
    children.reserve(turns.size());
    for (const Turn turn : turns) {
        const Position after = play(layout_, position, turn).position;
        if (after.over) {
            if (final_result(after, position.to_move) == Result::win) return Result::win;
            // The rest are losses: with two in the game nothing but a repetition ties it.
            continue;
        }
        if (const Known* known = recall(after)) {
            if (known->result == Result::loss) return Result::win;
            if (known->result == Result::win) continue;
        }
        children.push_back({after, evaluate(layout_, values_, after, Part::move)[after.to_move]});
    }
    std::ranges::sort(children, {}, &Child::enemy_chance);
    Result best = Result::loss;
    for (const Child& child : children) {
        best = std::max(best, opposite(result_of({child.position, {}})));
        if (best == Result::win) break;
    }
    return best;
}

// Pawns move and tiles stay: the game may go in circles. All positions in which it can are looked at together, and who
// can force a win from where is worked out backwards. Where neither can, the game comes back to a position and is tied.
Result Solver::by_moves_alone(const State& state) {
    struct Node {
        Position position;
        std::vector<std::size_t> next;
        Result best_exit = Result::loss;  // over the turns that leave the circle
        bool known = false;
        Result result = Result::tie;
    };
    std::vector<Node> nodes;
    std::unordered_multimap<Word, std::size_t> places;
    const auto place = [&](const Position& position) {
        const auto [from, to] = places.equal_range(hash(position));
        for (auto found = from; found != to; ++found) {
            const Position& other = nodes[found->second].position;
            if (repeats(other, position) && mark_of(other) == mark_of(position)) return found->second;
        }
        places.emplace(hash(position), nodes.size());
        nodes.push_back({position, {}});
        return nodes.size() - 1;
    };
    place(state.position);
    std::vector<Turn> turns, replies;
    for (std::size_t at = 0; at < nodes.size(); ++at) {
        const Position position = nodes[at].position;
        legal_turns(layout_, position, turns);
        for (const Turn turn : turns) {
            const Position after = play(layout_, position, turn).position;
            Result exit = Result::loss;
            if (after.over) {
                exit = final_result(after, position.to_move);
            } else if (after.tiles == position.tiles && count(after.all_pawns()) == count(position.all_pawns())) {
                if (state.history.holds(after)) {
                    exit = Result::tie;
                } else {
                    look();
                    legal_turns(layout_, after, replies);
                    if (tiles_stay(replies)) {
                        const std::size_t next = place(after);
                        nodes[at].next.push_back(next);
                        continue;
                    }
                    exit = opposite(result_of({after, {}}));
                }
            } else {
                exit = opposite(result_of({after, {}}));
            }
            nodes[at].best_exit = std::max(nodes[at].best_exit, exit);
        }
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (Node& node : nodes) {
            if (node.known) continue;
            bool wins = node.best_exit == Result::win, loses = node.best_exit == Result::loss;
            for (const std::size_t next : node.next) {
                wins = wins || (nodes[next].known && nodes[next].result == Result::loss);
                loses = loses && nodes[next].known && nodes[next].result == Result::win;
            }
            if (!wins && !loses) continue;
            node.known = changed = true;
            node.result = wins ? Result::win : Result::loss;
        }
    }
    if (state.history.empty()) {
        for (const Node& node : nodes) remember(node.position, node.result);
    }
    return nodes.front().result;
}

std::optional<Result> Solver::solve(const State& state, std::uint64_t most, const Stop* stop) {
    if (!state.position.over && count(state.position.in_game()) != 2) return std::nullopt;
    limit_ = looked_at_ + most;
    stop_ = stop;
    try {
        return result_of(state);
    } catch (const GaveUp&) {
        return std::nullopt;
    }
}

std::optional<std::vector<std::pair<Turn, Result>>> Solver::solve_turns(const State& state, std::uint64_t most,
                                                                        const Stop* stop) {
    if (state.position.over || count(state.position.in_game()) != 2) return std::nullopt;
    limit_ = looked_at_ + most;
    stop_ = stop;
    const int player = state.position.to_move;
    std::vector<Turn> turns;
    legal_turns(layout_, state.position, turns);
    std::vector<std::pair<Turn, Result>> results;
    try {
        for (const Turn turn : turns) {
            State after = state;
            play(layout_, after, turn);
            results.emplace_back(
                turn, after.position.over ? final_result(after.position, player) : opposite(result_of(after)));
        }
    } catch (const GaveUp&) {
        return std::nullopt;
    }
    return results;
}

std::optional<std::vector<std::pair<Turn, Result>>> Solver::solve_best(const State& state, std::uint64_t most,
                                                                       const Stop* stop) {
    if (state.position.over || count(state.position.in_game()) != 2) return std::nullopt;
    struct Attempt {
        Turn turn;
        State after;
        float estimate = 0;
        std::optional<Result> result;
    };
    const int player = state.position.to_move;
    std::vector<Turn> turns;
    legal_turns(layout_, state.position, turns);
    std::vector<Attempt> attempts;
    for (const Turn turn : turns) {
        Attempt attempt{turn, state, 0, {}};
        play(layout_, attempt.after, turn);
        const Position& after = attempt.after.position;
        const Chances chances = after.over ? terminal_chances(after) : evaluate(layout_, values_, after, Part::move);
        attempt.estimate = chances[static_cast<std::size_t>(player)];
        attempts.push_back(attempt);
    }
    std::ranges::stable_sort(attempts, std::greater{}, &Attempt::estimate);
    const std::uint64_t end = looked_at_ + most;
    stop_ = stop;
    bool open = true;
    // A hard nut must not keep an easy win from being seen: all get a little, then all that are left get more.
    for (std::uint64_t share = 100; open; share *= 8) {
        open = false;
        for (Attempt& attempt : attempts) {
            if (attempt.result) continue;
            const Position& after = attempt.after.position;
            limit_ = std::min(end, looked_at_ + share);
            try {
                attempt.result = after.over ? final_result(after, player) : opposite(result_of(attempt.after));
            } catch (const GaveUp&) {
                if (looked_at_ >= end || (stop != nullptr && stop->is_set()) || out_of_time()) return std::nullopt;
                open = true;
                continue;
            }
            if (*attempt.result == Result::win) return {{{attempt.turn, Result::win}}};
        }
    }
    const Result best = *std::ranges::max_element(attempts, {}, &Attempt::result)->result;
    std::vector<std::pair<Turn, Result>> found;
    for (const Attempt& attempt : attempts) {
        if (attempt.result == best) found.emplace_back(attempt.turn, best);
    }
    return found;
}

}  // namespace limina::limit

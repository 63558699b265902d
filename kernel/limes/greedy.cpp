#include "limes/greedy.hpp"

#include <algorithm>

namespace limina::limes {

namespace {

// Returns the workers after one of them has moved.
WorkersByTerritory with_worker_moved(const WorkersByTerritory& workers, int from, int to) {
    WorkersByTerritory next = workers;
    if (from >= 0 && --next.counts[from] == 0) next.occupied &= ~bit_at(from);
    if (to >= 0) {
        next.counts[to] = static_cast<std::uint8_t>(contains(next.occupied, to) ? next.counts[to] + 1 : 1);
        next.occupied |= bit_at(to);
    }
    return next;
}

}  // namespace

BoardTurn to_board_turn(float value, int cell, int turning, const Display& after_card, const TerritoryMap& map,
                        int corner, int from, int to) {
    BoardTurn turn{value, static_cast<std::uint8_t>(cell), static_cast<std::uint8_t>(turning)};
    if (from >= 0) turn.from = static_cast<std::int8_t>(lsb(map.zones[from] & after_card.workers()));
    if (to >= 0) {
        const Bitboard zones = from < 0 ? map.zones[to] & (kCardZones << corner) : map.zones[to];
        turn.to = static_cast<std::int8_t>(lsb(zones));
    }
    return turn;
}

BoardTurn greedy_turn(const Weights& weights, const Display& d, const Card& card, const RemainingDeck& remaining) {
    // value_after ignores changes in adjacent territories. Actions within this margin of the best are evaluated
    // exactly.
    constexpr float kMargin = 1.0F;
    BoardTurn best;
    TerritoryMap map;
    const Weights::Stage stage(weights, d.card_count + 1, remaining);
    for_each_placement(d, card, map, [&](int cell, int turning, const Display& after_card, int corner) {
        const WorkersByTerritory workers = workers_by_territory(after_card, map);
        Evaluator evaluator(stage, after_card, map);
        evaluator.prepare_moves(workers, after_card.supply, reachable_by_workers(after_card, map, workers, corner));
        struct Action {
            float estimate;
            int from, to;
        };
        std::array<Action, 2> top{Action{-1e9F, -1, -1}, Action{-1e9F, -1, -1}};
        for_each_action(after_card, map, workers, corner, [&](int from, int to) {
            const float estimate = to < 0 ? evaluator.current_value() : evaluator.value_after(from, to);
            if (estimate > top[0].estimate) {
                top[1] = top[0];
                top[0] = {estimate, from, to};
            } else if (estimate > top[1].estimate) {
                top[1] = {estimate, from, to};
            }
        });
        for (const Action& action : top) {
            if (action.estimate < best.value - kMargin) continue;
            const bool places_worker = action.from < 0 && action.to >= 0;
            const float exact =
                evaluator.value(with_worker_moved(workers, action.from, action.to), after_card.supply - places_worker);
            if (exact > best.value) {
                best = to_board_turn(exact, cell, turning, after_card, map, corner, action.from, action.to);
            }
        }
    });
    return best;
}

std::vector<BoardTurn> best_turns(const Weights& weights, const Display& d, const Card& card,
                                  const RemainingDeck& remaining, std::size_t max_turns) {
    constexpr float kMargin = 1.0F;           // as in greedy_turn
    constexpr std::size_t kPerPlacement = 3;  // actions that are evaluated exactly
    std::vector<BoardTurn> best;
    struct Action {
        float estimate;
        int from, to;
    };
    std::vector<Action> actions;
    TerritoryMap map;
    const Weights::Stage stage(weights, d.card_count + 1, remaining);
    for_each_placement(d, card, map, [&](int cell, int turning, const Display& after_card, int corner) {
        const WorkersByTerritory workers = workers_by_territory(after_card, map);
        Evaluator evaluator(stage, after_card, map);
        evaluator.prepare_moves(workers, after_card.supply, reachable_by_workers(after_card, map, workers, corner));
        const float threshold = best.size() < max_turns ? -1e9F : best.back().value;
        actions.clear();
        for_each_action(after_card, map, workers, corner, [&](int from, int to) {
            const float estimate = to < 0 ? evaluator.current_value() : evaluator.value_after(from, to);
            if (estimate > threshold - kMargin) actions.push_back({estimate, from, to});
        });
        const auto end = actions.begin() + static_cast<std::ptrdiff_t>(std::min(actions.size(), kPerPlacement));
        std::partial_sort(actions.begin(), end, actions.end(),
                          [](const Action& a, const Action& b) { return a.estimate > b.estimate; });
        for (auto action = actions.begin(); action != end; ++action) {
            const bool places_worker = action->from < 0 && action->to >= 0;
            const float exact = evaluator.value(with_worker_moved(workers, action->from, action->to),
                                                after_card.supply - places_worker);
            if (best.size() >= max_turns && exact <= best.back().value) continue;
            const auto position =
                std::find_if(best.begin(), best.end(), [&](const BoardTurn& c) { return c.value < exact; });
            best.insert(position,
                        to_board_turn(exact, cell, turning, after_card, map, corner, action->from, action->to));
            if (best.size() > max_turns) best.pop_back();
        }
    });
    return best;
}

std::vector<BoardTurn> all_turns(const Weights& weights, const Display& d, const Card& card,
                                 const RemainingDeck& remaining) {
    std::vector<BoardTurn> turns;
    TerritoryMap map;
    const Weights::Stage stage(weights, d.card_count + 1, remaining);
    for_each_placement(d, card, map, [&](int cell, int turning, const Display& after_card, int corner) {
        const WorkersByTerritory workers = workers_by_territory(after_card, map);
        const Evaluator evaluator(stage, after_card, map);
        for_each_action(after_card, map, workers, corner, [&](int from, int to) {
            const float exact =
                evaluator.value(with_worker_moved(workers, from, to), after_card.supply - (from < 0 && to >= 0));
            turns.push_back(to_board_turn(exact, cell, turning, after_card, map, corner, from, to));
        });
    });
    std::stable_sort(turns.begin(), turns.end(),
                     [](const BoardTurn& a, const BoardTurn& b) { return a.value > b.value; });
    return turns;
}

float evaluate(const Weights& weights, const Display& d, const RemainingDeck& remaining, std::vector<int>* features) {
    TerritoryMap map;
    find_territories(d, map);
    score_territories(d, map);
    const Weights::Stage stage(weights, d.card_count, remaining);
    const Evaluator evaluator(stage, d, map);
    const WorkersByTerritory workers = workers_by_territory(d, map);
    if (features != nullptr) *features = evaluator.features(workers, d.supply);
    return evaluator.value(workers, d.supply);
}

Display play_board_turn(const Display& display, const Card& card, const BoardTurn& turn) {
    Display d = display;
    place_card(d, turn.cell, card.turned(turn.turning));
    if (turn.to < 0) return d;
    if (turn.from < 0) {
        --d.supply;
    } else {
        remove_worker(d, bit_at(turn.from));
    }
    add_worker(d, bit_at(turn.to));
    return d;
}

Turn to_turn(const Display& display, const Card& card, const BoardTurn& turn) {
    Display d = display;
    place_card(d, turn.cell, card.turned(turn.turning));
    Turn result{turn.cell, turn.turning};
    if (turn.from >= 0) result.source = static_cast<std::uint8_t>(zone_on_grid(d, turn.from));
    if (turn.to >= 0) result.target = static_cast<std::uint8_t>(zone_on_grid(d, turn.to));
    return result;
}

}  // namespace limina::limes

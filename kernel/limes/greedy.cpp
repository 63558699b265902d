#include "limes/greedy.hpp"

#include <algorithm>

namespace limina::limes {

namespace {

// The same workers after one of them has gone.
Crew after(const Crew& crew, int from, int to) {
    Crew next = crew;
    if (from >= 0 && --next.number[at(from)] == 0) next.standing &= ~bit(from);
    if (to >= 0) {
        next.number[at(to)] = static_cast<std::uint8_t>(has(next.standing, to) ? next.number[at(to)] + 1 : 1);
        next.standing |= bit(to);
    }
    return next;
}

}  // namespace

Choice written(float value, int cell, int turning, const Display& laid, const Land& land, int corner, int from,
               int to) {
    Choice choice{value, static_cast<std::uint8_t>(cell), static_cast<std::uint8_t>(turning)};
    if (from >= 0) choice.from = static_cast<std::int8_t>(first(land.zones[at(from)] & laid.workers()));
    if (to >= 0) {
        const Word zones = from < 0 ? land.zones[at(to)] & (kCardShape << corner) : land.zones[at(to)];
        choice.to = static_cast<std::int8_t>(first(zones));
    }
    return choice;
}

Choice greedy(const Values& values, const Display& d, const Card& card, const Outlook& outlook) {
    // The quick estimate of an action leaves out what it changes next door; those that come near are judged in full.
    constexpr float kNear = 1.0F;
    Choice best;
    Land land;
    const Values::Stage stage(values, d.cards + 1, outlook);
    each_placement(d, card, land, [&](int cell, int turning, const Display& laid, int corner) {
        const Crew workers = crew(laid, land);
        Evaluator evaluator(stage, laid, land);
        evaluator.prepare(workers, laid.supply, goals(laid, land, workers, corner));
        struct Action {
            float about;
            int from, to;
        };
        std::array<Action, 2> top{Action{-1e9F, -1, -1}, Action{-1e9F, -1, -1}};
        each_action(laid, land, workers, corner, [&](int from, int to) {
            const float about = to < 0 ? evaluator.now() : evaluator.after(from, to);
            if (about > top[0].about) {
                top[1] = top[0];
                top[0] = {about, from, to};
            } else if (about > top[1].about) {
                top[1] = {about, from, to};
            }
        });
        for (const Action& action : top) {
            if (action.about < best.value - kNear) continue;
            const bool placing = action.from < 0 && action.to >= 0;
            const float value = evaluator.value(after(workers, action.from, action.to), laid.supply - placing);
            if (value > best.value) {
                best = written(value, cell, turning, laid, land, corner, action.from, action.to);
            }
        }
    });
    return best;
}

std::vector<Choice> best_choices(const Values& values, const Display& d, const Card& card, const Outlook& outlook,
                                 std::size_t most) {
    constexpr float kNear = 1.0F;
    constexpr std::size_t kOfPlacement = 3;
    std::vector<Choice> best;
    struct Action {
        float about;
        int from, to;
    };
    std::vector<Action> actions;
    Land land;
    const Values::Stage stage(values, d.cards + 1, outlook);
    each_placement(d, card, land, [&](int cell, int turning, const Display& laid, int corner) {
        const Crew workers = crew(laid, land);
        Evaluator evaluator(stage, laid, land);
        evaluator.prepare(workers, laid.supply, goals(laid, land, workers, corner));
        const float bar = best.size() < most ? -1e9F : best.back().value;
        actions.clear();
        each_action(laid, land, workers, corner, [&](int from, int to) {
            const float about = to < 0 ? evaluator.now() : evaluator.after(from, to);
            if (about > bar - kNear) actions.push_back({about, from, to});
        });
        const auto end = actions.begin() + static_cast<std::ptrdiff_t>(std::min(actions.size(), kOfPlacement));
        std::partial_sort(actions.begin(), end, actions.end(),
                          [](const Action& a, const Action& b) { return a.about > b.about; });
        for (auto action = actions.begin(); action != end; ++action) {
            const bool placing = action->from < 0 && action->to >= 0;
            const float value = evaluator.value(after(workers, action->from, action->to), laid.supply - placing);
            if (best.size() >= most && value <= best.back().value) continue;
            const auto place = std::find_if(best.begin(), best.end(), [&](const Choice& c) { return c.value < value; });
            best.insert(place, written(value, cell, turning, laid, land, corner, action->from, action->to));
            if (best.size() > most) best.pop_back();
        }
    });
    return best;
}

std::vector<Choice> choices(const Values& values, const Display& d, const Card& card, const Outlook& outlook) {
    std::vector<Choice> list;
    Land land;
    const Values::Stage stage(values, d.cards + 1, outlook);
    each_placement(d, card, land, [&](int cell, int turning, const Display& laid, int corner) {
        const Crew workers = crew(laid, land);
        const Evaluator evaluator(stage, laid, land);
        each_action(laid, land, workers, corner, [&](int from, int to) {
            const float value = evaluator.value(after(workers, from, to), laid.supply - (from < 0 && to >= 0));
            list.push_back(written(value, cell, turning, laid, land, corner, from, to));
        });
    });
    std::stable_sort(list.begin(), list.end(), [](const Choice& a, const Choice& b) { return a.value > b.value; });
    return list;
}

float value(const Values& values, const Display& d, const Outlook& outlook, std::vector<int>* entries) {
    Land land;
    outline(d, land);
    measure(d, land);
    const Values::Stage stage(values, d.cards, outlook);
    const Evaluator evaluator(stage, d, land);
    const Crew workers = crew(d, land);
    if (entries != nullptr) *entries = evaluator.entries(workers, d.supply);
    return evaluator.value(workers, d.supply);
}

Display played(const Display& display, const Card& card, const Choice& choice) {
    Display d = display;
    lay(d, choice.cell, card.turned(choice.turning));
    if (choice.to < 0) return d;
    if (choice.from < 0) {
        --d.supply;
    } else {
        remove_worker(d, bit(choice.from));
    }
    add_worker(d, bit(choice.to));
    return d;
}

Turn turn_of(const Display& display, const Card& card, const Choice& choice) {
    Display d = display;
    lay(d, choice.cell, card.turned(choice.turning));
    Turn turn{choice.cell, choice.turning};
    if (choice.from >= 0) turn.source = static_cast<std::uint8_t>(zone_on_grid(d, choice.from));
    if (choice.to >= 0) turn.target = static_cast<std::uint8_t>(zone_on_grid(d, choice.to));
    return turn;
}

}  // namespace limina::limes

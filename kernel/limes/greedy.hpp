// One turn by the values alone: the policy of every rollout, and the list of turns that a search begins with.
#pragma once

#include <span>
#include <vector>

#include "limes/evaluator.hpp"
#include "limes/zones.hpp"

namespace limina::limes {

// A turn in the zones of the board as it is once the card lies.
struct Choice {
    static constexpr std::int8_t kNone = -1;

    float value = -1e9F;
    std::uint8_t cell = 0, turning = 0;
    std::int8_t from = kNone;  // a zone; none when the worker comes from the supply
    std::int8_t to = kNone;    // a zone; none when no worker goes anywhere

    bool operator==(const Choice&) const = default;
};

// Calls visit(cell, turning, laid display, corner) for every way to lay the card that differs, with `land` as it is
// then; the corner is the zone of the card's nw quarter.
template <class Visit>
void each_placement(const Display& d, const Card& card, Land& land, Visit visit) {
    std::array<Land, 4> frames;  // the land before, for each way that the new card pushes the board
    unsigned ready = 0;
    for (Word cells = open_cells(d); cells != 0;) {
        const int cell = pop(cells);
        const int right = std::max(0, d.left - (cell & 7)), down = std::max(0, d.top - (cell >> 3));
        const auto frame = static_cast<std::size_t>((right > 0) + 2 * (down > 0));
        const int corner = 2 * ((cell & 7) - d.left + right) + 16 * ((cell >> 3) - d.top + down);
        // A push is always by one cell but where only corners touch; then nothing is kept for the next.
        if (!has(ready, static_cast<int>(frame)) || right > 1 || down > 1) {
            const int push = 2 * right + 16 * down;
            Display pushed = d;
            for (Word* word : {&pushed.cover, &pushed.ground.lo, &pushed.ground.hi, &pushed.ground.huts})
                *word <<= push;
            outline(pushed, frames[frame]);
            ready = right > 1 || down > 1 ? ready & ~(1U << frame) : ready | 1U << frame;
        }
        // Turning the very first card turns the whole game.
        for (int turning = 0; turning < (d.cards == 0 ? 1 : kTurnings); ++turning) {
            bool again = false;
            for (int other = 0; other < turning; ++other) again |= card.turned(other) == card.turned(turning);
            if (again) continue;
            Display laid = d;
            lay(laid, cell, card.turned(turning));
            extended(laid, frames[frame], corner, land);
            measure(laid, land);
            visit(cell, turning, laid, corner);
        }
    }
}

// The territories of the card just laid: where a worker from the supply may go.
inline Word of_card(const Land& land, int corner) {
    Word territories = 0;
    for (const int quarter : kQuarter) territories |= bit(land.label[static_cast<std::size_t>(corner + quarter)]);
    return territories;
}

// All territories that some worker may go to.
inline Word goals(const Display& laid, const Land& land, const Crew& crew, int corner) {
    Word territories = laid.supply > 0 ? of_card(land, corner) : 0;
    for (Word left = crew.standing; left != 0;) {
        territories |= reachable(land, crew.standing, pop(left), laid.variants.ferryman);
    }
    return territories;
}

// Calls visit(from, to) with territories (-1: none, or the supply) for every worker action that differs.
template <class Visit>
void each_action(const Display& laid, const Land& land, const Crew& crew, int corner, Visit visit) {
    visit(-1, -1);
    if (laid.supply > 0) {
        for (Word targets = of_card(land, corner); targets != 0;) visit(-1, pop(targets));
    }
    for (Word left = crew.standing; left != 0;) {
        const int from = pop(left);
        Word targets = reachable(land, crew.standing, from, laid.variants.ferryman);
        while (targets != 0) visit(from, pop(targets));
    }
}

// The choice as zones: where in a territory a worker stands makes no difference, as territories never part.
Choice written(float value, int cell, int turning, const Display& laid, const Land& land, int corner, int from, int to);

// The best turn by the values. The outlook is that on the cards which may come after this one.
Choice greedy(const Values& values, const Display& display, const Card& card, const Outlook& outlook);
// About the best so many turns by the values, best first; much quicker than to evaluate all.
std::vector<Choice> best_choices(const Values& values, const Display& display, const Card& card, const Outlook& outlook,
                                 std::size_t most);
// All turns that differ, with their values, best first.
std::vector<Choice> choices(const Values& values, const Display& display, const Card& card, const Outlook& outlook);
// The value of a display in which at least one card lies; `entries` receives what it is made of beside the outlook.
float value(const Values& values, const Display& display, const Outlook& outlook, std::vector<int>* entries = nullptr);

Display played(const Display& display, const Card& card, const Choice& choice);
Turn turn_of(const Display& display, const Card& card, const Choice& choice);

}  // namespace limina::limes

// All territories of a display at once, with what a worker would score in each and how far each could still grow.
// This is what values are made of. The rules stay in limes/rules.hpp; the tests compare the points here with theirs.
//
// A search looks at every cell and turning of a card: `extended` adds one card to a finished `Land` without flooding
// the whole display again.
#pragma once

#include <array>
#include <cstdint>

#include "limes/rules.hpp"

namespace limina::limes {

struct Land {
    // A territory is a number: rocks count down from 63, all others up from 0, so that each sort fills its own lanes.
    alignas(64) std::array<Word, 64> zones;
    alignas(64) std::array<Word, 64> adjacent;  // the territories beside it, as a set of numbers
    std::array<std::uint8_t, 64> points;        // what a worker scores there
    std::array<std::uint8_t, 64> open;          // empty zones beside it; for a rock those in view
    alignas(64) std::array<Word, 64> across;    // zones of its landscape beyond an empty cell beside it
    std::array<std::uint8_t, 64> ahead;         // what lies beyond an empty cell and would count if it grew there
    std::array<std::uint8_t, 64> label;         // of every zone
    Word alive = 0;                             // the numbers in use
    std::array<Word, 4> of_kind{};              // ... by landscape
    int soft = 0, rocks = 0;                    // numbers given so far
};

// The territories as such, without points: what `extended` starts from.
void outline(const Display& display, Land& land);
// Points and openings of all territories.
void measure(const Display& display, Land& land);
// The outline of `display`, in which the card at `corner` (zone of its nw quarter) is new since `before`.
void extended(const Display& display, const Land& before, int corner, Land& land);

// The workers by territory.
struct Crew {
    Word standing = 0;                    // territories with workers
    std::array<std::uint8_t, 64> number;  // of workers in each of them; others are not set
};
Crew crew(const Display& display, const Land& land);

// The territories that a worker of territory `from` may move to.
inline Word reachable(const Land& land, Word standing, int from, bool ferryman) {
    Word goals = land.adjacent[static_cast<std::size_t>(from)];
    if (ferryman) {
        for (Word ferries = goals & land.of_kind[1] & standing; ferries != 0;) {
            goals |= land.adjacent[static_cast<std::size_t>(pop(ferries))];
        }
        goals &= ~bit(from);
    }
    return goals;
}

}  // namespace limina::limes

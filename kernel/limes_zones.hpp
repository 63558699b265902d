// How zones of a display lie beside each other: the steps that territories, points and moves are made of.
#pragma once

#include <array>

#include "limes.hpp"

namespace limina::limes {

inline constexpr Word kCardShape = 0x0303;                    // the four zones of a card at the board's corner
inline constexpr Word kNotEast = 0x7f7f7f7f7f7f7f7f;          // all zones but the last column's
inline constexpr Word kNotWest = kNotEast << 1;               // all zones but the first column's
inline constexpr std::array<int, 4> kQuarter = {0, 1, 8, 9};  // nw ne sw se as zones of a card at the corner

template <class Set>
inline Set grow(const Set& zones, const Links& l) {
    return zones | (zones & l.east) << 1 | ((zones >> 1) & l.east) | (zones & l.south) << 8 | ((zones >> 8) & l.south);
}

template <class Set>
inline Set flood(Set zones, const Links& l) {
    for (;;) {
        const Set next = grow(grow(zones, l), l);
        const Set further = grow(next, l);
        if (same(further, next)) return next;
        zones = further;
    }
}

// The zones that touch the given ones side by side; some of the given ones among them.
template <class Set>
inline Set touching(const Set& zones) {
    return ((zones << 1) & kNotWest) | ((zones >> 1) & kNotEast) | zones << 8 | zones >> 8;
}

// All zones of the territories adjacent to the given territories.
template <class Set>
inline Set adjacent(const Set& territories, Word cover, const Links& l) {
    return flood<Set>(touching(territories) & cover & ~territories, l);
}

// Everything in line with the given zones, each way up to the first other rock, that one left out.
template <class Set>
inline Set view(const Set& zones, Word rock) {
    const auto look = [&](auto step, Word edge) {
        Word clear = ~rock & edge;
        Set seen = zones;
        for (int distance = 1; distance < 8; distance *= 2) {
            seen |= step(seen, distance) & clear;
            clear &= step(clear, distance);
        }
        return seen;
    };
    const auto east = [](const auto& s, int n) { return s << n; };
    const auto west = [](const auto& s, int n) { return s >> n; };
    const auto south = [](const auto& s, int n) { return s << 8 * n; };
    const auto north = [](const auto& s, int n) { return s >> 8 * n; };
    return look(east, kNotWest) | look(west, kNotEast) | look(south, ~Word{0}) | look(north, ~Word{0});
}

}  // namespace limina::limes

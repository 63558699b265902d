// How zones of a display lie beside each other: the steps that territories, points and moves are made of. Sets are a
// Word for one display, or several words for the zones of one display (then its links are words) or of several.
#pragma once

#include <array>

#include "common/simd.hpp"
#include "limes/rules.hpp"

namespace limina::limes {

inline constexpr Word kCardShape = 0x0303;                    // the four zones of a card at the board's corner
inline constexpr Word kNotEast = 0x7f7f7f7f7f7f7f7f;          // all zones but the last column's
inline constexpr Word kNotWest = kNotEast << 1;               // all zones but the first column's
inline constexpr std::array<int, 4> kQuarter = {0, 1, 8, 9};  // nw ne sw se as zones of a card at the corner

// How neighbouring zones hang together: bit z of `east` says that z and z + 1 are of one territory, bit z of `south`
// the same for z and z + 8.
template <class Set>
struct Links {
    Set east, south;
};

template <class Set>
inline Links<Set> links(const Layers<Set>& d) {
    const Set soft = d.cover & ~d.rock(), lo = d.ground.lo, hi = d.ground.hi;
    return {soft & (soft >> 1) & ~(lo ^ (lo >> 1)) & ~(hi ^ (hi >> 1)) & kNotEast,
            soft & (soft >> 8) & ~(lo ^ (lo >> 8)) & ~(hi ^ (hi >> 8))};
}

template <class Set, class Linked>
inline Set grow(const Set& zones, const Links<Linked>& l) {
    return zones | (zones & l.east) << 1 | ((zones >> 1) & l.east) | (zones & l.south) << 8 | ((zones >> 8) & l.south);
}

// The territories of all zones.
template <class Set, class Linked>
inline Set flood(Set zones, const Links<Linked>& l) {
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
template <class Set, class Linked>
inline Set adjacent(const Set& territories, const Linked& cover, const Links<Linked>& l) {
    return flood<Set>(touching(territories) & cover & ~territories, l);
}

// One zone of each territory that has zones in `zones`, a union of whole territories.
template <class Set>
inline Set heads(const Set& zones, const Links<Set>& l) {
    const Set starts = zones & ~(l.east << 1) & ~(l.south << 8);  // linked neither to the west nor to the north
    const Set linked = starts & (l.east | l.south);
    Set result = starts & ~linked;
    for (Set left = linked; !none(left);) {  // a bent territory has several starts
        const Set head = left & -left;
        result |= head;
        left &= ~flood(head, l);
    }
    return result;
}

// Where the workers of some zones may move to.
template <class Set, class Linked>
inline Set destinations(const Layers<Linked>& d, const Set& zones, const Links<Linked>& l, bool ferryman) {
    const Set own = flood(zones, l);
    Set goals = adjacent(own, d.cover, l);
    if (ferryman) {
        const Linked ferries = flood(d.workers() & d.water(), l);
        goals |= adjacent<Set>(goals & ferries, d.cover, l) & ~own;
    }
    return goals;
}

// Everything in line with the given zones, each way up to the first other rock, that one left out.
template <class Set, class Ground>
inline Set view(const Set& zones, const Ground& rock) {
    const auto look = [&](auto step, Word edge) {
        Ground clear = ~rock & edge;
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

// What a worker of the territory counts, a zone for each point; a woodcutter counts territories, see `clearings`.
template <class Set>
inline Set counted_zones(const Layers<Set>& d, const Set& territory) {
    Set counted = (territory & d.field()) | (touching<Set>(territory & d.water()) & d.ground.huts);
    const Set towers = territory & d.rock();
    if (!none(towers)) counted |= view(towers, d.rock()) & d.forest();
    return counted;
}

// The zones of all territories that a woodcutter of the territory counts; none unless it is a forest.
template <class Set>
inline Set clearings(const Layers<Set>& d, const Links<Set>& l, const Set& territory) {
    const Set forest = territory & d.forest();
    return none(forest) ? Set{} : adjacent(forest, d.cover, l);
}

// The points of all workers together: each territory counts once.
template <class Set>
inline Set totals(const Layers<Set>& d) {
    const Links<Set> l = links(d);
    std::array<Set, kWorkers> beside_forests;
    Set sum{}, all_beside{};
    std::size_t territories = 0;
    for (Set left = d.workers(); !none(left); ++territories) {
        const Set territory = flood<Set>(left & -left, l);
        left &= ~territory;
        sum += counts(counted_zones(d, territory));
        beside_forests[territories] = clearings(d, l, territory);
        all_beside |= beside_forests[territories];
    }
    if (none(all_beside)) return sum;
    const Set each = heads(all_beside, l);
    for (std::size_t i = 0; i < territories; ++i) sum += counts(beside_forests[i] & each);
    return sum;
}

}  // namespace limina::limes

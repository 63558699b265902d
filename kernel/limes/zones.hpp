// Territories, points and destinations of workers, as operations on sets of zones. A Set is a Bitboard, or a vector of
// bitboards: several sets of one display (with LinkSet = Bitboard), or one set of each of several displays.
#pragma once

#include <array>

#include "common/simd.hpp"
#include "limes/rules.hpp"

namespace limina::limes {

inline constexpr Bitboard kCardZones = 0x0303;                  // the four zones of a card at the corner of the display
inline constexpr Bitboard kNotLastColumn = 0x7f7f7f7f7f7f7f7f;  // all zones but the last column's
inline constexpr Bitboard kNotFirstColumn = kNotLastColumn << 1;     // all zones but the first column's
inline constexpr std::array<int, 4> kQuarterOffsets = {0, 1, 8, 9};  // nw, ne, sw, se of a card at the corner

// Adjacent zones of the same territory: bit z of `east` is set if z and z + 1 are connected, bit z of `south` if z and
// z + 8 are.
template <class Set>
struct Links {
    Set east, south;
};

template <class Set>
inline Links<Set> find_links(const ZoneLayers<Set>& d) {
    const Set non_rock = d.covered & ~d.rock(), lo = d.ground.lo, hi = d.ground.hi;
    return {non_rock & (non_rock >> 1) & ~(lo ^ (lo >> 1)) & ~(hi ^ (hi >> 1)) & kNotLastColumn,
            non_rock & (non_rock >> 8) & ~(lo ^ (lo >> 8)) & ~(hi ^ (hi >> 8))};
}

// Returns the zones and those that are connected with them by one link.
template <class Set, class LinkSet>
inline Set expand(const Set& zones, const Links<LinkSet>& links) {
    return zones | (zones & links.east) << 1 | ((zones >> 1) & links.east) | (zones & links.south) << 8 |
           ((zones >> 8) & links.south);
}

// Returns the union of the territories that contain the zones.
template <class Set, class LinkSet>
inline Set flood_fill(Set zones, const Links<LinkSet>& links) {
    for (;;) {
        const Set next = expand(expand(zones, links), links);
        const Set further = expand(next, links);
        if (is_equal(further, next)) return next;
        zones = further;
    }
}

// Returns the zones that share a side with a zone of the set. They may be in the set themselves.
template <class Set>
inline Set neighbor_zones(const Set& zones) {
    return ((zones << 1) & kNotFirstColumn) | ((zones >> 1) & kNotLastColumn) | zones << 8 | zones >> 8;
}

// Returns the zones of all territories adjacent to the given territories.
template <class Set, class LinkSet>
inline Set adjacent_territories(const Set& territories, const LinkSet& covered, const Links<LinkSet>& links) {
    return flood_fill<Set>(neighbor_zones(territories) & covered & ~territories, links);
}

// Returns one zone of each territory in `zones`, which must be a union of whole territories.
template <class Set>
inline Set one_zone_per_territory(const Set& zones, const Links<Set>& links) {
    const Set starts = zones & ~(links.east << 1) & ~(links.south << 8);  // zones without a link to the west or north
    const Set linked = starts & (links.east | links.south);
    Set result = starts & ~linked;
    for (Set remaining = linked; !is_zero(remaining);) {  // a territory may have several starts
        const Set representative = remaining & -remaining;
        result |= representative;
        remaining &= ~flood_fill(representative, links);
    }
    return result;
}

// Returns the zones that the workers on `zones` may move to.
template <class Set, class LinkSet>
inline Set destinations(const ZoneLayers<LinkSet>& d, const Set& zones, const Links<LinkSet>& links, bool ferryman) {
    const Set own = flood_fill(zones, links);
    Set targets = adjacent_territories(own, d.covered, links);
    if (ferryman) {
        const LinkSet ferries = flood_fill(d.workers() & d.water(), links);
        targets |= adjacent_territories<Set>(targets & ferries, d.covered, links) & ~own;
    }
    return targets;
}

// Returns the zones in line with the given zones in all four directions, up to the next rock, without it. Doubles the
// distance in each step (Kogge-Stone).
template <class Set, class RockSet>
inline Set line_of_sight(const Set& zones, const RockSet& rock) {
    const auto look = [&](auto step, Bitboard edge) {
        RockSet clear = ~rock & edge;
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
    return look(east, kNotFirstColumn) | look(west, kNotLastColumn) | look(south, ~Bitboard{0}) |
           look(north, ~Bitboard{0});
}

// Returns one zone for each point of a farmer, fisherman or watchman in the territory. For woodcutters see
// `woodcutter_zones`.
template <class Set>
inline Set counted_zones(const ZoneLayers<Set>& d, const Set& territory) {
    Set counted = (territory & d.field()) | (neighbor_zones<Set>(territory & d.water()) & d.ground.huts);
    const Set towers = territory & d.rock();
    if (!is_zero(towers)) counted |= line_of_sight(towers, d.rock()) & d.forest();
    return counted;
}

// Returns the zones of all territories that a woodcutter of the territory scores for. Empty if it is not a forest.
template <class Set>
inline Set woodcutter_zones(const ZoneLayers<Set>& d, const Links<Set>& links, const Set& territory) {
    const Set forest = territory & d.forest();
    return is_zero(forest) ? Set{} : adjacent_territories(forest, d.covered, links);
}

// Returns the total. Each territory with workers scores once.
template <class Set>
inline Set total_points(const ZoneLayers<Set>& d) {
    const Links<Set> links = find_links(d);
    std::array<Set, kWorkersPerPlayer> beside_forests;
    Set sum{}, all_beside{};
    std::size_t territories = 0;
    for (Set remaining = d.workers(); !is_zero(remaining); ++territories) {
        const Set territory = flood_fill<Set>(remaining & -remaining, links);
        remaining &= ~territory;
        sum += popcounts(counted_zones(d, territory));
        beside_forests[territories] = woodcutter_zones(d, links, territory);
        all_beside |= beside_forests[territories];
    }
    if (is_zero(all_beside)) return sum;
    const Set representatives = one_zone_per_territory(all_beside, links);
    for (std::size_t i = 0; i < territories; ++i) sum += popcounts(beside_forests[i] & representatives);
    return sum;
}

}  // namespace limina::limes

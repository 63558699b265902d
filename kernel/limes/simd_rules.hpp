// Placement of cards and workers, for a Display and for DisplaySets, which hold a display in each SIMD lane. Internal
// to rules.cpp and playouts.cpp; other files use limes/rules.hpp.
#pragma once

#include "limes/zones.hpp"

namespace limina::limes {

// A display in each lane.
template <class Set>
struct DisplaySets : ZoneLayers<Set> {
    Set left{}, top{}, width{}, height{}, supply{};
    Set occupied{};  // cells of the grid
};

inline Bitboard occupied_cells(const Display& d) {
    Bitboard cells = d.covered & 0x0055005500550055;  // the nw zone of every cell, then packed to the left and upwards
    cells = (cells | cells >> 1) & 0x0033003300330033;
    cells = (cells | cells >> 2) & 0x000f000f000f000f;
    cells = (cells | cells >> 8) & 0x00000f0f00000f0f;
    cells = (cells | cells >> 16) & 0x000000000f0f0f0f;
    return cells << (8 * d.top + d.left);
}

// Stores a display in lane i.
template <class Set>
inline void store(DisplaySets<Set>& displays, int i, const Display& d) {
    set_lane(displays.covered, i, d.covered);
    set_lane(displays.ground.lo, i, d.ground.lo);
    set_lane(displays.ground.hi, i, d.ground.hi);
    set_lane(displays.ground.huts, i, d.ground.huts);
    set_lane(displays.workers_bit0, i, d.workers_bit0);
    set_lane(displays.workers_bit1, i, d.workers_bit1);
    set_lane(displays.workers_bit2, i, d.workers_bit2);
    set_lane(displays.left, i, d.left);
    set_lane(displays.top, i, d.top);
    set_lane(displays.width, i, d.width);
    set_lane(displays.height, i, d.height);
    set_lane(displays.supply, i, d.supply);
    set_lane(displays.occupied, i, occupied_cells(d));
}

template <class Set>
inline Set neighbor_cells(const Set& cells, bool diagonal) {
    const Set sides = cells << 1 | cells >> 1;
    return diagonal ? (sides | cells) << 8 | (sides | cells) >> 8 | sides : cells << 8 | cells >> 8 | sides;
}

// Returns the cells of the grid beside other cards where a card keeps the display within 4x4 cells.
template <class Set>
inline Set open_neighbor_cells(const Set& occupied, const Set& left, const Set& top, const Set& width,
                               const Set& height, bool diagonal) {
    Set columns = broadcast<Set>(0xff) >> width << (left + width - kMaxSpan);
    columns |= columns << 8;
    columns |= columns << 16;
    columns |= columns << 32;
    const Set rows = ~Set{} >> (height << 3) << ((top + height - kMaxSpan) << 3);
    return neighbor_cells(occupied, diagonal) & columns & rows & ~occupied;
}

// Places a card and returns the zone of its nw quarter. If the card is left of the display or above it, all zones are
// shifted to make space. Branchless, because the branch would be mispredicted often.
template <class D, class Number, class Set>
inline Number place_card(D& d, const Number& column, const Number& row, const BasicGround<Set>& card) {
    const Number old_left = static_cast<Number>(d.left), old_top = static_cast<Number>(d.top);
    const Number left = lane_min(old_left, column), top = lane_min(old_top, row);
    const Number shift = ((old_left - left) << 1) + ((old_top - top) << 4);
    const Number corner = ((column - left) << 1) + ((row - top) << 4);
    d.covered = d.covered << shift | broadcast<Set>(kCardZones) << corner;
    d.ground.lo = d.ground.lo << shift | card.lo << corner;
    d.ground.hi = d.ground.hi << shift | card.hi << corner;
    d.ground.huts = d.ground.huts << shift | card.huts << corner;
    d.workers_bit0 = d.workers_bit0 << shift;
    d.workers_bit1 = d.workers_bit1 << shift;
    d.workers_bit2 = d.workers_bit2 << shift;
    using Field = decltype(d.width);
    d.width = static_cast<Field>(lane_max<Number>(old_left + d.width, column + 1) - left);
    d.height = static_cast<Field>(lane_max<Number>(old_top + d.height, row + 1) - top);
    d.left = static_cast<Field>(left);
    d.top = static_cast<Field>(top);
    return corner;
}

// Adds a worker to each of the zones, or removes one.
template <class Set>
inline void add_workers(ZoneLayers<Set>& d, const Set& zones) {
    const Set carry = d.workers_bit0 & zones;
    d.workers_bit0 ^= zones;
    d.workers_bit2 ^= d.workers_bit1 & carry;
    d.workers_bit1 ^= carry;
}

template <class Set>
inline void remove_workers(ZoneLayers<Set>& d, const Set& zones) {
    const Set borrow = ~d.workers_bit0 & zones;
    d.workers_bit0 ^= zones;
    d.workers_bit2 ^= ~d.workers_bit1 & borrow;
    d.workers_bit1 ^= borrow;
}

}  // namespace limina::limes

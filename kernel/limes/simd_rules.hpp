// The rules of laying cards and of sending workers, written once for a Display and for Boards, several displays side by
// side. Used by the rules and by random play, and by nobody else: everybody else asks limes/rules.hpp.
#pragma once

#include "limes/zones.hpp"

namespace limina::limes {

// Displays side by side, or one. Numbers are one a lane.
template <class Set>
struct Boards : Layers<Set> {
    Set left{}, top{}, width{}, height{}, supply{};
    Set laid{};  // cells of the table's grid
};

inline Word cells_on_grid(const Display& d) {
    Word cells = d.cover & 0x0055005500550055;  // the nw zone of every cell, then packed to the left and upwards
    cells = (cells | cells >> 1) & 0x0033003300330033;
    cells = (cells | cells >> 2) & 0x000f000f000f000f;
    cells = (cells | cells >> 8) & 0x00000f0f00000f0f;
    cells = (cells | cells >> 16) & 0x000000000f0f0f0f;
    return cells << (8 * d.top + d.left);
}

// Puts one display into a lane.
template <class Set>
inline void put(Boards<Set>& boards, int i, const Display& d) {
    set_lane(boards.cover, i, d.cover);
    set_lane(boards.ground.lo, i, d.ground.lo);
    set_lane(boards.ground.hi, i, d.ground.hi);
    set_lane(boards.ground.huts, i, d.ground.huts);
    set_lane(boards.one, i, d.one);
    set_lane(boards.two, i, d.two);
    set_lane(boards.four, i, d.four);
    set_lane(boards.left, i, d.left);
    set_lane(boards.top, i, d.top);
    set_lane(boards.width, i, d.width);
    set_lane(boards.height, i, d.height);
    set_lane(boards.supply, i, d.supply);
    set_lane(boards.laid, i, cells_on_grid(d));
}

template <class Set>
inline Set cells_beside(const Set& cells, bool diagonal) {
    const Set sides = cells << 1 | cells >> 1;
    return diagonal ? (sides | cells) << 8 | (sides | cells) >> 8 | sides : cells << 8 | cells >> 8 | sides;
}

// The cells of the table's grid where a card may be laid beside others: those that keep the display within 4x4.
template <class Set>
inline Set open_beside(const Set& laid, const Set& left, const Set& top, const Set& width, const Set& height,
                       bool diagonal) {
    Set columns = everywhere<Set>(0xff) >> width << (left + width - kSide);
    columns |= columns << 8;
    columns |= columns << 16;
    columns |= columns << 32;
    const Set rows = ~Set{} >> (height << 3) << ((top + height - kSide) << 3);
    return cells_beside(laid, diagonal) & columns & rows & ~laid;
}

// Lays a card and returns the zone of its nw quarter. The board is pushed right and down where the card lies left of it
// or above it; without a branch, as nobody can foretell it.
template <class D, class Number, class Set>
inline Number lay_card(D& d, const Number& column, const Number& row, const GroundOf<Set>& card) {
    const Number old_left = static_cast<Number>(d.left), old_top = static_cast<Number>(d.top);
    const Number left = smaller(old_left, column), top = smaller(old_top, row);
    const Number push = ((old_left - left) << 1) + ((old_top - top) << 4);
    const Number corner = ((column - left) << 1) + ((row - top) << 4);
    d.cover = d.cover << push | everywhere<Set>(kCardShape) << corner;
    d.ground.lo = d.ground.lo << push | card.lo << corner;
    d.ground.hi = d.ground.hi << push | card.hi << corner;
    d.ground.huts = d.ground.huts << push | card.huts << corner;
    d.one = d.one << push;
    d.two = d.two << push;
    d.four = d.four << push;
    using Kept = decltype(d.width);
    d.width = static_cast<Kept>(larger<Number>(old_left + d.width, column + 1) - left);
    d.height = static_cast<Kept>(larger<Number>(old_top + d.height, row + 1) - top);
    d.left = static_cast<Kept>(left);
    d.top = static_cast<Kept>(top);
    return corner;
}

// A worker more, or one less, on each of these zones.
template <class Set>
inline void add_workers(Layers<Set>& d, const Set& zones) {
    const Set carry = d.one & zones;
    d.one ^= zones;
    d.four ^= d.two & carry;
    d.two ^= carry;
}

template <class Set>
inline void remove_workers(Layers<Set>& d, const Set& zones) {
    const Set borrow = ~d.one & zones;
    d.one ^= zones;
    d.four ^= ~d.two & borrow;
    d.two ^= borrow;
}

}  // namespace limina::limes

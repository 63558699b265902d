// What the two files that bind Limit share.
#pragma once

#include <memory>
#include <stdexcept>

#include "limit/rules.hpp"

namespace limina::limit {

// A layout and a state on it: all that one needs to go on with a game.
struct Board {
    std::shared_ptr<const Layout> layout;
    State state;

    const Position& position() const { return state.position; }
};

// Nothing can be played or judged before the tiles are laid.
inline void require_layout(const Board& board) {
    if (board.layout->count == 0) throw std::invalid_argument("no tile has been laid yet");
}

}  // namespace limina::limit

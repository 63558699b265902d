// The Board class of the Python module, which both files that bind Limit use.
#pragma once

#include <memory>
#include <stdexcept>

#include "limit/rules.hpp"

namespace limina::limit {

// A layout and the state of a game on it.
struct Board {
    std::shared_ptr<const Layout> layout;
    State state;

    const Position& position() const { return state.position; }
};

inline void require_layout(const Board& board) {
    if (board.layout->count == 0) throw std::invalid_argument("no tile has been laid yet");
}

}  // namespace limina::limit

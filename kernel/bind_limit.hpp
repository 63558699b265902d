// What the two files that bind Limit share.
#pragma once

#include <memory>

#include "limit.hpp"

namespace limina {

// A layout and a state on it: all that one needs to go on with a game.
struct LimitTable {
    std::shared_ptr<const limit::Layout> layout;
    limit::State state;

    const limit::Position& position() const { return state.position; }
};

}  // namespace limina

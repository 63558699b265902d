// The door to Python. Everything that comes in is checked here or in the functions called from here.
#include "bind.hpp"

NB_MODULE(_kernel, module) {
    module.doc() = "The rules of limina's games. Use the packages above it; this is their engine room.";
    limina::bind_limes(module.def_submodule("limes", "One player's display in Limes."));
    limina::bind_limit(module.def_submodule("limit", "The board of Limit."));
}

// The door to Python. Everything that comes in is checked here or in the functions called from here.
#include "bindings/bindings.hpp"
#include "common/deadline.hpp"

NB_MODULE(_kernel, module) {
    module.doc() = "The rules of limina's games. Use the packages above it; this is their engine room.";
    // Libraries that keep our classes until the process ends would else make it end with a page about leaks.
    nanobind::set_leak_warnings(false);
    nanobind::class_<limina::CancelToken>(module, "Stop",
                                          "A flag: a search that was given it ends at once when it is set.")
        .def(nanobind::init<>())
        .def("set", &limina::CancelToken::cancel, "Set it. It stays set.")
        .def("is_set", &limina::CancelToken::is_canceled, "Whether it was set.");
    nanobind::module_ limes = module.def_submodule("limes", "One player's display in Limes.");
    limina::bind_limes(limes);
    limina::bind_limes_search(limes);
    nanobind::module_ limit = module.def_submodule("limit", "The board of Limit.");
    limina::bind_limit(limit);
    limina::bind_limit_search(limit);
    limina::bind_batches(limes, limit);
}

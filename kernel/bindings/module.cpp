// The Python module. The other files of this folder check their arguments, as far as memory safety depends on them.
#include "bindings/bindings.hpp"
#include "common/deadline.hpp"

NB_MODULE(_kernel, module) {
    module.doc() = "The rules, searches and batches of limina's games. Internal: use the packages limes and limit.";
    // Libraries such as pytest hold references to our classes until the process exits, which nanobind would report.
    nanobind::set_leak_warnings(false);
    nanobind::class_<limina::CancelToken>(module, "CancelToken",
                                          "A flag that ends every search it was passed to when it is set.")
        .def(nanobind::init<>())
        .def("cancel", &limina::CancelToken::cancel, "Set the flag. It cannot be reset.")
        .def("is_canceled", &limina::CancelToken::is_canceled, "Return True if the flag is set.");
    nanobind::module_ limes = module.def_submodule("limes", "Displays, searches and batches of Limes.");
    limina::bind_limes(limes);
    limina::bind_limes_search(limes);
    nanobind::module_ limit = module.def_submodule("limit", "Boards, searches and batches of Limit.");
    limina::bind_limit(limit);
    limina::bind_limit_search(limit);
    limina::bind_batches(limes, limit);
}

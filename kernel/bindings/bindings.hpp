// The functions that add the classes of each game to its Python module.
#pragma once

#include <nanobind/nanobind.h>

namespace limina {

void bind_limes(nanobind::module_ module);
void bind_limes_search(nanobind::module_ module);
void bind_limit(nanobind::module_ module);
void bind_limit_search(nanobind::module_ module);
void bind_batches(nanobind::module_ limes, nanobind::module_ limit);

}  // namespace limina

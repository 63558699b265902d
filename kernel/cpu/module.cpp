// Detects which ISAs of the kernel this machine can run. A separate module that is built without ISA options, because
// it runs before a kernel is loaded.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

namespace {

// Returns the ISAs from portable to the fastest.
PyObject* supported_isas(PyObject*, PyObject*) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    // All extensions that the options in CMakeLists.txt allow the compiler to use.
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                      __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma") &&
                      __builtin_cpu_supports("popcnt");
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vpopcntdq");
    if (avx512) return Py_BuildValue("(sss)", "portable", "avx2", "avx512");
    if (avx2) return Py_BuildValue("(ss)", "portable", "avx2");
    return Py_BuildValue("(s)", "portable");
#elif defined(__aarch64__)
    return Py_BuildValue("(ss)", "portable", "neon");
#else
    return Py_BuildValue("(s)", "portable");
#endif
}

PyMethodDef methods[] = {
    {"supported_isas", supported_isas, METH_NOARGS, "Return the ISAs that this machine can run, the fastest last."},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                          "_cpu",
                          "The instruction sets that this machine can run.",
                          0,
                          methods,
                          nullptr,
                          nullptr,
                          nullptr,
                          nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__cpu() { return PyModule_Create(&definition); }

// Says which of the paths that the kernel is built for this machine can run. A module of its own, built for every
// machine, because it has to be asked before any of them is loaded.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

namespace {

// From the one that runs everywhere to the quickest.
PyObject* runnable(PyObject*, PyObject*) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    // What the options of CMakeLists.txt let the compiler use.
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                      __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma") &&
                      __builtin_cpu_supports("popcnt");
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vpopcntdq");
    if (avx512) return Py_BuildValue("(sss)", "plain", "avx2", "avx512");
    if (avx2) return Py_BuildValue("(ss)", "plain", "avx2");
    return Py_BuildValue("(s)", "plain");
#elif defined(__aarch64__)
    return Py_BuildValue("(ss)", "plain", "neon");
#else
    return Py_BuildValue("(s)", "plain");
#endif
}

PyMethodDef methods[] = {
    {"runnable", runnable, METH_NOARGS, "The paths that this machine can run, the quickest last."},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "machine", "What this machine can run.", 0, methods, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit_machine() { return PyModule_Create(&definition); }

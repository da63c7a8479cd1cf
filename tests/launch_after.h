// What a launch passes behind statements that may change it.
#pragma once
#include "launched.h"

namespace warplint {

/// What launches of `k` in a function of `body` pass, behind `int n = 1;`.
inline std::string after(const std::string &body,
                         const std::string &before = "") {
  return given("int ask(); void take(int *); int *keep(int *);\n"
               "struct Size { int n; };\n" +
               before + "void run(float *p) {\nint n = 1;\n" + body + "\n}\n");
}

inline std::string launchAfter(const std::string &body,
                               const std::string &before = "") {
  return after(body + " k<<<1, 64>>>(p, n);", before);
}

} // namespace warplint

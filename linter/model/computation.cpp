#include "model/computation.h"

namespace warplint {

const char *spelling(Compute kind) {
  static const char *const names[] = {
      "add",         "subtract",  "multiply",    "fused",           "divide",
      "remainder",   "negate",    "absolute",    "minimum",         "maximum",
      "compare",     "select",    "convert",     "round",           "shift",
      "logic",       "bits",      "square root", "reciprocal root", "power",
      "exponential", "logarithm", "sine",        "function",        "call",
      "join"};
  return names[unsigned(kind)];
}

const char *spelling(Number number) {
  static const char *const names[] = {"i1",  "i8",  "i16", "i32",  "i64",
                                      "f16", "f32", "f64", "other"};
  return names[unsigned(number)];
}

} // namespace warplint

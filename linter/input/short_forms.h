// The float operations that a command asks nvcc to shorten.
#pragma once

namespace warplint {

/// A short form is less exact, and has no branch for unusual values.
struct ShortForms {
  bool divisions = false; ///< -prec-div=false
  bool roots = false;     ///< -prec-sqrt=false
  bool functions = false; ///< sinf, expf, powf and the like: --use_fast_math,
                          ///< which asks for all three
};

} // namespace warplint

// Operations on floating-point numbers that addresses are computed with, as in
// `(int)(i * 0.5f)`. An Opaque node names one by its text: LLVM's instruction
// and the width, "fmul 32", or the function that is called, "__nv_floorf".
//
// A float or a double has no width as an integer (`bits` is 0); its value in an
// expression has the bits of a double, which holds each float.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace warplint {

struct FloatOperation {
  enum class Kind {
    Add,
    Subtract,
    Multiply,
    Divide,
    Negate,
    Fused, ///< a product and a sum that are rounded once
    Minimum,
    Maximum,
    Absolute,
    Root,
    Round, ///< to an integer, which stays a floating-point number
    Compare,
    FromSigned,
    FromUnsigned,
    ToSigned,
    ToUnsigned,
    FromBits, ///< of the same width
    ToBits,
    Resize
  };
  enum class Rounding { Down, Up, Zero, Even, Away };

  Kind kind = Kind::Add;
  unsigned bits = 32; ///< of the floats: 32 or 64; of a Resize, its result's
  Rounding rounding = Rounding::Even; ///< of Round and conversions to integers
  llvm::StringRef predicate = {};     ///< of a Compare: "olt"

  /// The value of the operation; none if it has none, as a NaN as an integer.
  /// Operands and result have `integerBits` where they are integers.
  std::optional<uint64_t> of(llvm::ArrayRef<uint64_t> operands,
                             unsigned integerBits) const;
};

/// The operation that a text names; none if it is another.
std::optional<FloatOperation> floatOperation(llvm::StringRef text);

/// Returns true for the text of an instruction, which is no function.
bool isFloatInstruction(llvm::StringRef text);

} // namespace warplint

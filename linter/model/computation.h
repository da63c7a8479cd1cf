// The arithmetic of a kernel, operation by operation. Plain values.
#pragma once
#include "model/expression.h"
#include "model/place.h"
#include <cstdint>
#include <string>
#include <vector>

namespace warplint {

/// The operation of a computation on its inputs.
enum class Compute : uint8_t {
  Add,
  Subtract,
  Multiply,
  Fused, ///< a product and a sum, rounded once
  Divide,
  Remainder,
  Negate,
  Absolute,
  Minimum,
  Maximum,
  Compare,
  Select,  ///< one of two values, without a branch
  Convert, ///< from one type of number to another
  Round,   ///< to a whole number of the same type
  Shift,
  Logic,
  Bits, ///< counts, finds, reverses or permutes bits
  SquareRoot,
  ReciprocalRoot,
  Power,
  Exponential,
  Logarithm,
  Sine,     ///< cosine and tangent as well
  Function, ///< another function of the math library
  Call,     ///< of a function that was not inlined
  Join      ///< the value that the path taken gives, or the previous iteration
};

/// The type of a number. A comparison has that of its inputs.
enum class Number : uint8_t { I1, I8, I16, I32, I64, F16, F32, F64, Other };

const char *spelling(Compute kind);  ///< "add", ...
const char *spelling(Number number); ///< "f32", ...
inline bool isFloat(Number number) {
  return number == Number::F16 || number == Number::F32 ||
         number == Number::F64;
}

/// An input of a computation.
struct Input {
  enum class Source : uint8_t {
    Constant,
    Argument, ///< of the kernel
    Computation,
    Access,
    Other
  };
  Source source = Source::Other;
  /// The number of loops around the computation that leave the value as it is,
  /// counted from the innermost one outwards.
  uint8_t invariantLoops = 0;
  /// `value` is set: for inputs of divisions, and whole numbers from elsewhere.
  bool hasValue = false;
  uint32_t index = 0; ///< of the computation or access that made it
  /// Which element of the vector or structure that was made, or which of its
  /// words: equal numbers for the same one; 0 for the whole.
  uint32_t part = 0;
  double constant = 0; ///< if it is one
  ValueId value = 0;
};

/// The source's text where a computation stands. Computations of one place
/// share it.
struct Written {
  Place place;
  std::vector<Place> callSites;      ///< outermost first; empty: not inlined
  std::string text;                  ///< "x * 0.999"; empty if it has none
  std::vector<std::string> operands; ///< "x", "0.999"
  std::string function; ///< that is called: "powf"; empty if none is
  bool inLibrary = false;
  bool isCast = false; ///< what a cast makes a double: the x of "(double)x"
};

/// One operation on numbers in a kernel, other than the computation of an
/// address from a base and an index.
struct Computation {
  Compute kind = Compute::Add;
  Number type = Number::I32;
  Number from = Number::I32; ///< the type of the first input
  uint8_t lanes = 1;         ///< 2 for a pair of halves
  bool isSigned = false;     ///< of integers, where it matters
  /// The short form of a function or division: `__sinf`, `div.approx`.
  bool isApproximate = false;
  /// Its rounding is fixed, so it is never fused: `__fmul_rn`.
  bool isRounded = false;
  /// One instruction computes it and the only operation that uses it: a product
  /// and a sum, logic of three values, the shifts of a rotation.
  bool isFused = false;
  bool isLeft = false; ///< of a shift
  /// Its result leaves the thread's arithmetic: it is stored, passed, returned.
  bool isStored = false;
  uint32_t firstInput = 0, inputCount = 0; ///< slice of Kernel::inputs
  uint32_t under = 0; ///< index into Kernel::arithmetic: what has one condition
                      ///< and one nest of loops is executed together
  uint32_t at = 0;    ///< index into Kernel::written
};

/// Returns true for `/` and `%`.
inline bool isDivision(const Computation &computation) {
  return computation.kind == Compute::Divide ||
         computation.kind == Compute::Remainder;
}

} // namespace warplint

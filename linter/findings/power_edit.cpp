#include "findings/power_edit.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace warplint {

namespace {

bool isWholeLiteral(StringRef text) {
  text = text.trim("+-() ");
  return !text.empty() && all_of(text, [](char c) { return isDigit(c); });
}

/// Returns true if nvcc computes it in double: of a float and an int too, where
/// Clang's headers have a power of floats.
bool isOfDoubles(const Computation &power, const Written &written) {
  if (power.type == Number::F64)
    return true;
  const bool isOverloaded =
      StringRef(written.text).split('(').first.trim().ends_with("pow");
  return isOverloaded && written.operands.size() == 2 &&
         isWholeLiteral(written.operands[1]);
}

/// Returns true if the base becomes a number of this type only for the power.
bool isConverted(const Kernel &kernel, const Computation &power,
                 Number result) {
  if (power.type != result)
    return true;
  const Input &base = kernel.inputsOf(power)[0];
  if (base.source != Input::Source::Computation)
    return false;
  const Computation &source = kernel.operations[base.index];
  return source.kind == Compute::Convert && !kernel.writtenOf(source).isCast;
}

} // namespace

std::optional<Fix> powerEdit(const Kernel &kernel, const Computation &power,
                             double exponent) {
  const Written &written = kernel.writtenOf(power);
  const bool isDouble = isOfDoubles(power, written);
  const Number result = isDouble ? Number::F64 : Number::F32;
  if (!isDouble && power.type != Number::F32)
    return std::nullopt;
  const std::string type = isDouble ? "double" : "float",
                    suffix = isDouble ? "" : "f";
  // The first factor decides the type of the product.
  const std::string first =
      isConverted(kernel, power, result) ? type + "(@)" : "@";
  Fix fix{.change = Change::ReplacePower,
          .at = written.place,
          .kind = FixClass::Rounding};
  const std::string one = "1.0" + suffix + " / ";
  if (exponent == 2)
    fix.name = first + " * @";
  else if (exponent == 3)
    fix.name = first + " * @ * @";
  else if (exponent == 4)
    fix.name = first + " * @ * @ * @";
  else if (exponent == -1)
    fix.name = one + first;
  else if (exponent == -2)
    fix.name = one + "(" + first + " * @)";
  else if (exponent == 0.5 || exponent == -0.5) {
    fix.name = (exponent < 0 ? "rsqrt" : "sqrt") + suffix + "(" + first + ")";
    fix.assumes = "the base is neither minus infinity nor minus zero";
  } else
    return std::nullopt;
  return fix;
}

} // namespace warplint

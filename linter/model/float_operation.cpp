#include "model/float_operation.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <utility>

namespace warplint {

using Kind = FloatOperation::Kind;
using Rounding = FloatOperation::Rounding;

namespace {

std::optional<FloatOperation> instruction(llvm::StringRef text) {
  FloatOperation operation;
  const auto [name, rest] = text.split(' ');
  const auto [before, last] = rest.rsplit(' ');
  const llvm::StringRef width = last.empty() ? before : last;
  if (width.getAsInteger(10, operation.bits))
    return std::nullopt;
  if (name == "fcmp") {
    operation.kind = Kind::Compare;
    operation.predicate = before;
    return operation;
  }
  const auto kind = llvm::StringSwitch<std::optional<Kind>>(name)
                        .Case("fadd", Kind::Add)
                        .Case("fsub", Kind::Subtract)
                        .Case("fmul", Kind::Multiply)
                        .Case("fdiv", Kind::Divide)
                        .Case("fneg", Kind::Negate)
                        .Case("sitofp", Kind::FromSigned)
                        .Case("uitofp", Kind::FromUnsigned)
                        .Case("fptosi", Kind::ToSigned)
                        .Case("fptoui", Kind::ToUnsigned)
                        .Case("frombits", Kind::FromBits)
                        .Case("tobits", Kind::ToBits)
                        .Cases({"fpext", "fptrunc"}, Kind::Resize)
                        .Default(std::nullopt);
  if (!kind)
    return std::nullopt;
  operation.kind = *kind;
  operation.rounding = Rounding::Zero;
  return operation;
}

/// `float2int_rn` of the device library, without its prefix.
std::optional<FloatOperation> conversion(llvm::StringRef name) {
  const auto [types, mode] = name.rsplit('_');
  const auto [from, to] = types.split('2');
  const auto rounding = llvm::StringSwitch<std::optional<Rounding>>(mode)
                            .Case("rn", Rounding::Even)
                            .Case("rz", Rounding::Zero)
                            .Case("rd", Rounding::Down)
                            .Case("ru", Rounding::Up)
                            .Default(std::nullopt);
  auto isInteger = [](llvm::StringRef type) {
    return type == "int" || type == "uint" || type == "ll" || type == "ull";
  };
  auto widthOf = [](llvm::StringRef type) {
    return type == "float" ? 32u : type == "double" ? 64u : 0u;
  };
  if (!rounding)
    return std::nullopt;
  if (widthOf(from) && isInteger(to))
    return FloatOperation{to.starts_with("u") ? Kind::ToUnsigned
                                              : Kind::ToSigned,
                          widthOf(from), *rounding};
  if (isInteger(from) && widthOf(to) && *rounding == Rounding::Even)
    return FloatOperation{from.starts_with("u") ? Kind::FromUnsigned
                                                : Kind::FromSigned,
                          widthOf(to)};
  return std::nullopt;
}

std::optional<FloatOperation> function(llvm::StringRef text) {
  llvm::StringRef name = text;
  FloatOperation operation;
  operation.bits = 64;
  if (name.consume_front("__nv_")) {
    if (auto found = conversion(name))
      return found;
    // The width is a part of the name: `floorf`, `fmaf_rn`.
    name.consume_back("_rn");
    if (name.consume_back("f"))
      operation.bits = 32;
  } else if (name.consume_front("llvm.")) {
    // `llvm.floor.f32`, `llvm.fptosi.sat.i32.f32`
    name.consume_front("nvvm.");
    const auto [before, type] = name.rsplit('.');
    if (type != "f" && type != "d" && type != "f32" && type != "f64")
      return std::nullopt;
    operation.bits = type.starts_with("f") && type != "f64" ? 32 : 64;
    name = before;
    if (name.starts_with("fptosi.sat") || name.starts_with("fptoui.sat")) {
      operation.kind =
          name.starts_with("fptosi") ? Kind::ToSigned : Kind::ToUnsigned;
      operation.rounding = Rounding::Zero;
      return operation;
    }
  } else {
    return std::nullopt;
  }
  struct Named {
    Kind kind;
    Rounding rounding = Rounding::Even;
  };
  const auto found =
      llvm::StringSwitch<std::optional<Named>>(name)
          .Case("floor", Named{Kind::Round, Rounding::Down})
          .Case("ceil", Named{Kind::Round, Rounding::Up})
          .Case("trunc", Named{Kind::Round, Rounding::Zero})
          .Case("round", Named{Kind::Round, Rounding::Away})
          .Cases({"rint", "nearbyint", "roundeven"},
                 Named{Kind::Round, Rounding::Even})
          .Cases({"sqrt", "sqrt.rn"}, Named{Kind::Root})
          .Case("fabs", Named{Kind::Absolute})
          .Cases({"fmin", "minnum"}, Named{Kind::Minimum})
          .Cases({"fmax", "maxnum"}, Named{Kind::Maximum})
          .Cases({"fma", "fmuladd", "fma.rn"}, Named{Kind::Fused})
          .Case("add.rn", Named{Kind::Add})
          .Case("mul.rn", Named{Kind::Multiply})
          .Case("div.rn", Named{Kind::Divide})
          .Default(std::nullopt);
  if (!found)
    return std::nullopt;
  operation.kind = found->kind;
  operation.rounding = found->rounding;
  return operation;
}

double rounded(double value, Rounding rounding) {
  switch (rounding) {
  case Rounding::Down:
    return std::floor(value);
  case Rounding::Up:
    return std::ceil(value);
  case Rounding::Zero:
    return std::trunc(value);
  case Rounding::Away:
    return std::round(value);
  case Rounding::Even:
    break;
  }
  return std::nearbyint(value);
}

/// The operations of one width: a float of a kernel is rounded as a float here.
template <class Float>
std::optional<Float> computed(const FloatOperation &operation,
                              llvm::ArrayRef<uint64_t> operands,
                              unsigned integerBits) {
  auto at = [&](size_t i) {
    return Float(llvm::bit_cast<double>(operands[i]));
  };
  switch (operation.kind) {
  case Kind::Add:
    return at(0) + at(1);
  case Kind::Subtract:
    return at(0) - at(1);
  case Kind::Multiply:
    return at(0) * at(1);
  case Kind::Divide:
    return at(0) / at(1);
  case Kind::Negate:
    return -at(0);
  case Kind::Fused:
    return std::fma(at(0), at(1), at(2));
  case Kind::Minimum:
    return std::fmin(at(0), at(1));
  case Kind::Maximum:
    return std::fmax(at(0), at(1));
  case Kind::Absolute:
    return std::fabs(at(0));
  case Kind::Root:
    return std::sqrt(at(0));
  case Kind::Round:
    return Float(rounded(at(0), operation.rounding));
  case Kind::FromSigned:
    return Float(integerBits < 64 ? llvm::SignExtend64(operands[0], integerBits)
                                  : int64_t(operands[0]));
  case Kind::FromUnsigned:
    return Float(operands[0]);
  case Kind::FromBits:
    if (integerBits != operation.bits)
      return std::nullopt;
    if constexpr (sizeof(Float) == 4)
      return llvm::bit_cast<float>(uint32_t(operands[0]));
    else
      return llvm::bit_cast<double>(operands[0]);
  case Kind::Resize:
    return at(0);
  default:
    return std::nullopt;
  }
}

std::optional<uint64_t> integerOf(double value, bool isSigned, unsigned bits) {
  const double end = std::ldexp(1.0, isSigned ? bits - 1 : bits);
  if (!(value < end) || !(value >= (isSigned ? -end : 0)))
    return std::nullopt;
  return isSigned ? uint64_t(int64_t(value)) : uint64_t(value);
}

/// The first letter says what holds of NaNs, the others what of numbers.
std::optional<uint64_t> compared(llvm::StringRef predicate, double a,
                                 double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::nullopt;
  return llvm::StringSwitch<std::optional<uint64_t>>(predicate.drop_front())
      .Case("eq", a == b)
      .Case("ne", a != b)
      .Case("lt", a < b)
      .Case("le", a <= b)
      .Case("gt", a > b)
      .Case("ge", a >= b)
      .Default(std::nullopt);
}

} // namespace

std::optional<FloatOperation> floatOperation(llvm::StringRef text) {
  if (text.empty())
    return std::nullopt;
  return text.contains(' ') ? instruction(text) : function(text);
}

bool isFloatInstruction(llvm::StringRef text) {
  return text.contains(' ') && instruction(text);
}

std::optional<uint64_t>
FloatOperation::of(llvm::ArrayRef<uint64_t> operands,
                   unsigned integerBits) const {
  const size_t needed = kind == Kind::Fused ? 3
                        : kind <= Kind::Divide || kind == Kind::Minimum ||
                                kind == Kind::Maximum || kind == Kind::Compare
                            ? 2
                            : 1;
  if (operands.size() < needed || (bits != 32 && bits != 64))
    return std::nullopt;
  const double first = llvm::bit_cast<double>(operands[0]);
  switch (kind) {
  case Kind::Compare:
    return compared(predicate, first, llvm::bit_cast<double>(operands[1]));
  case Kind::ToSigned:
  case Kind::ToUnsigned:
    return integerOf(rounded(first, rounding), kind == Kind::ToSigned,
                     integerBits);
  case Kind::ToBits:
    if (integerBits != bits)
      return std::nullopt;
    return bits == 32 ? llvm::bit_cast<uint32_t>(float(first)) : operands[0];
  default:
    break;
  }
  std::optional<double> value;
  if (bits == 32) {
    if (const auto single = computed<float>(*this, operands, integerBits))
      value = *single;
  } else {
    value = computed<double>(*this, operands, integerBits);
  }
  return value ? std::optional(llvm::bit_cast<uint64_t>(*value)) : std::nullopt;
}

} // namespace warplint

#include "fixes/same_stores.h"
#include "fixes/execution.h"
#include "ptx/read_ptx.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include <array>
#include <cmath>

using namespace llvm;

namespace warplint {

namespace {

/// Instructions of one run.
constexpr uint64_t mostSteps = 6'000'000;

std::string textOf(const Function &function) {
  std::string text;
  raw_string_ostream(text) << function;
  return text;
}

/// True if neither the kernel nor anything that it may use differs.
bool isUnchanged(const Module &before, const Module &after,
                 const ComparedKernel &kernel) {
  if (textOf(*before.getFunction(kernel.before)) !=
      textOf(*after.getFunction(kernel.after)))
    return false;
  for (const Function &function : before)
    if (!function.isDeclaration() &&
        function.getCallingConv() != CallingConv::PTX_Kernel) {
      const Function *other = after.getFunction(function.getName());
      if (!other || textOf(function) != textOf(*other))
        return false;
    }
  return true;
}

/// Returns true if the kernel, or a function that it may call, reads a special
/// register.
bool reads(const Function &kernel, StringRef name) {
  const Function *read = kernel.getParent()->getFunction(name);
  return read && any_of(read->users(), [&](const User *user) {
           const Function *in = cast<Instruction>(user)->getFunction();
           return in == &kernel ||
                  in->getCallingConv() != CallingConv::PTX_Kernel;
         });
}

/// Several blocks along each dimension that either version asks for, and not
/// the same number along two of them: an index that is taken for another one
/// would do the same.
Shape gridFor(const Function &before, const Function &after) {
  auto asks = [&](StringRef name) {
    return reads(before, name) || reads(after, name);
  };
  return {2, asks("llvm.nvvm.read.ptx.sreg.ctaid.y") ? 3u : 1u,
          asks("llvm.nvvm.read.ptx.sreg.ctaid.z") ? 4u : 1u};
}

std::string place(uint64_t address) {
  if (auto argument = argumentAt(address); argument && *argument < 64)
    return "the memory of argument " + std::to_string(*argument + 1);
  return "memory";
}

/// The number around an address; none if no such number was
/// stored there, or not as a whole.
template <typename Real>
std::optional<Real> realAt(const Execution &execution, uint64_t address) {
  std::array<uint8_t, sizeof(Real)> bytes;
  address -= address % sizeof(Real);
  for (uint8_t &byte : bytes) {
    auto at = execution.stored.find(address++);
    if (at == execution.stored.end() || at->second.width != sizeof(Real))
      return std::nullopt;
    byte = at->second.value;
  }
  return llvm::bit_cast<Real>(bytes);
}

/// A stored word has no type: what is no usual float is taken for an integer.
template <typename Real>
bool isClose(const Execution &before, const Execution &after,
             uint64_t address) {
  const auto one = realAt<Real>(before, address),
             other = realAt<Real>(after, address);
  if (!one || !other || !std::isfinite(*one) || !std::isfinite(*other))
    return false;
  const Real a = std::fabs(*one), b = std::fabs(*other),
             apart = std::fabs(*one - *other);
  const auto areAtLeast = [&](double least) {
    return (a == 0 || a >= Real(least)) && (b == 0 || b >= Real(least));
  };
  // A difference of what is nearly equal has lost its last places.
  return areAtLeast(1e-30) && (apart <= Real(1e-3) * std::max(a, b) ||
                               (areAtLeast(1e-6) && apart <= Real(1e-3)));
}

/// "stores another value to the memory of argument 2"; empty if they agree.
/// "stores another value to the memory of argument 2"; empty if they agree.
std::string difference(const Execution &before, const Execution &after,
                       bool isRounded) {
  for (const auto &[address, byte] : before.stored) {
    auto other = after.stored.find(address);
    if (other == after.stored.end())
      return "leaves out a store to " + place(address);
    if (other->second.value == byte.value)
      continue;
    if (!isRounded || (!isClose<float>(before, after, address) &&
                       !isClose<double>(before, after, address)))
      return "stores another value to " + place(address);
  }
  for (const auto &[address, byte] : after.stored)
    if (!before.stored.count(address))
      return "stores more to " + place(address);
  return "";
}

StoreComparison compareKernel(const Function &before, const Function &after,
                              const Shape &block, bool isRounded) {
  Inputs inputs{block, gridFor(before, after), 0, 0};
  std::vector<Inputs> runs;
  for (uint64_t size : {0, 1, 5, 33, 300}) {
    inputs.size = size;
    runs.push_back(inputs);
  }
  for (unsigned series : {1, 2, 3}) {
    inputs.series = series;
    runs.push_back(inputs);
  }
  unsigned whole = 0;
  bool anyStore = false, leavesArrays = false;
  for (Inputs &run : runs) {
    Execution one = execute(before, run, mostSteps);
    if (one.leavesArrays) {
      // Indexes that are within most arrays.
      run.numbers = 4;
      one = execute(before, run, mostSteps);
      leavesArrays |= one.leavesArrays;
      if (one.leavesArrays)
        continue;
    }
    const Execution other = execute(after, run, mostSteps);
    for (const std::string &whyNot : {one.whyNot, other.whyNot})
      if (!whyNot.empty())
        return {Sameness::Unknown, whyNot};
    if (one.isTooLong || other.isTooLong)
      continue;
    if (other.leavesArrays)
      return {Sameness::Differs, "reads or writes beyond its arrays"};
    if (std::string what = difference(one, other, isRounded); !what.empty())
      return {Sameness::Differs, what};
    ++whole;
    anyStore |= !one.stored.empty();
  }
  constexpr unsigned fewest = 3;
  if (whole < fewest)
    return {Sameness::Unknown,
            leavesArrays ? "inputs made up lead beyond its arrays"
                         : "it runs for too long to be executed here"};
  if (!anyStore)
    return {Sameness::Unknown, "it stores nothing on the inputs tried"};
  return {Sameness::Same,
          std::string(isRounded ? "numbers that differ by a thousandth at most"
                                : "the same bytes") +
              " in " + std::to_string(whole) + " runs on made-up inputs"};
}

Expected<std::unique_ptr<Module>> moduleOf(StringRef ptx,
                                           LLVMContext &context) {
  auto module = readPtx(ptx, context);
  if (module)
    StripDebugInfo(**module);
  return module;
}

} // namespace

StoreComparison compareStores(StringRef before, StringRef after,
                              ArrayRef<ComparedKernel> kernels,
                              bool isRounded) {
  LLVMContext context;
  auto one = moduleOf(before, context), other = moduleOf(after, context);
  if (!one || !other) {
    std::string why = one ? "" : toString(one.takeError());
    if (!other)
      why = toString(other.takeError());
    return {Sameness::Unknown, "the PTX cannot be read: " + why};
  }
  StoreComparison all;
  for (const ComparedKernel &kernel : kernels) {
    const Function *then = (*one)->getFunction(kernel.before),
                   *now = (*other)->getFunction(kernel.after);
    if (!then && !now)
      continue;
    if (!then || !now || then->arg_size() != now->arg_size())
      return {Sameness::Unknown, "the kernels cannot be matched"};
    if (isUnchanged(**one, **other, kernel))
      continue;
    StoreComparison each = compareKernel(*then, *now, kernel.block, isRounded);
    if (each.result == Sameness::Differs && kernel.isAssumed)
      each = {Sameness::Unknown, "a kernel " + each.why + " for blocks of " +
                                     kernel.block.text() +
                                     ", which no launch says it has"};
    if (each.result == Sameness::Differs)
      return each;
    if (all.result == Sameness::Same)
      all = std::move(each);
  }
  return all;
}

} // namespace warplint

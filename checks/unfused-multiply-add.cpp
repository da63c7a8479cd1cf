#include "cost/busiest_shape.h"
#include "cost/compensated.h"
#include "findings/operations.h"
#include "findings/wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
namespace warplint {
namespace {

constexpr CheckInfo info = {
    .id = "unfused-multiply-add",
    .summary =
        "a product and a sum that one instruction could do are kept apart by "
        "fixed rounding, a choice, a branch or a call",
    .why = R"(
'a * b + c' is one instruction, FFMA or DFMA, with one rounding, and takes one issue slot
instead of two. The compiler makes it by itself, also of 'a * b - c * d' and of a product
that is stored as well. It does not where the program fixes the rounding ('__fmul_rn',
'__fadd_rn'), chooses between the product and something else before the sum, or takes
the product from a function that is not inlined.)",
    .slow = R"(
__global__ void weigh(const float *x, float *out, int n, int terms) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float a = x[i], sum = 0;
  for (int k = 0; k < terms; ++k)
    sum = __fadd_rn(sum, __fmul_rn(a, sum));
  out[i] = sum;
}
)",
    .fast = R"(
__global__ void weigh(const float *x, float *out, int n, int terms) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float a = x[i], sum = 0;
  for (int k = 0; k < terms; ++k)
    sum = a * sum + sum;
  out[i] = sum;
}
)",
    .cures = R"(
- '__fadd_rn(c, __fmul_rn(a, b))': 'a * b + c', or '__fmaf_rn(a, b, c)' where one rounding
  is to be sure.
- 'sum += c ? a * b : 0': choose the factor, 'sum += (c ? a : 0) * b'.
- A function that is not inlined returns the product: let it be inlined, or
  compute the sum in it.
- A product before a branch and a sum behind it: compute both on the same side.)",
    .whenNot = R"(
The result must be the same as on a machine without fused operations, or as in another
part of the program: that is what the intrinsics are for. '-fmad=false' says so for a
whole program. Rounding up, down or to zero is not reported, nor are kernels that
compute what a sum loses, since they need each rounding.)",
    .level = Level::Opinion,
    .since = "next",
    .ncu =
        "Source Counters: FMUL and FADD at the line; Instruction Statistics: "
        "rule FPInstructions",
    .ofCode = true,
};

/// The reason that keeps a product from the sum that uses it.
struct Apart {
  unsigned sum = 0;
  const char *why = nullptr;
  bool isCall = false;
};

/// Returns true for a rounding that is asked for: down, up, to zero.
bool isDirected(const Kernel &kernel, const Computation &operation) {
  const llvm::StringRef function = kernel.writtenOf(operation).function;
  return function.ends_with("_rz") || function.ends_with("_ru") ||
         function.ends_with("_rd");
}

/// The one operation that uses a result, whatever its sign: in 'odd ? p : -p',
/// the choice; nothing if there are several.
std::optional<unsigned>
onlyUserOf(const Kernel &kernel,
           const std::vector<std::vector<unsigned>> &users,
           unsigned operation) {
  std::optional<unsigned> only;
  for (unsigned user : users[operation]) {
    const std::optional<unsigned> at =
        kernel.operations[user].kind == Compute::Negate &&
                !kernel.operations[user].isStored
            ? onlyUserOf(kernel, users, user)
            : std::optional(user);
    if (!at || (only && *only != *at))
      return std::nullopt;
    only = at;
  }
  return only;
}

/// Returns true if a function that stays one computes the product or the sum:
/// the reader fuses what else stands in one piece of code without branches.
bool isBehindCall(const Kernel &kernel, const Computation &product,
                  const Computation &sum) {
  if (product.under != sum.under ||
      kernel.writtenOf(product).callSites == kernel.writtenOf(sum).callSites)
    return false;
  const std::vector<LoopId> &loops = kernel.loopsOf(product);
  const bool isOnePiece =
      llvm::none_of(
          kernel.branches,
          [&](const Branch &branch) { return branch.loops == loops; }) &&
      llvm::none_of(kernel.loops, [&](const Loop &loop) {
        return loop.parent ==
               (loops.empty() ? std::nullopt : std::optional(loops.back()));
      });
  return isOnePiece &&
         llvm::none_of(kernel.inputsOf(sum), [&](const Input &other) {
           return other.source == Input::Source::Computation &&
                  kernel.operations[other.index].isFused;
         });
}

std::optional<Apart> apartOf(const Kernel &kernel,
                             const std::vector<std::vector<unsigned>> &users,
                             unsigned product) {
  const Computation &operation = kernel.operations[product];
  // The compiler computes what stays the same before the loop.
  if (operation.kind != Compute::Multiply || !isFloat(operation.type) ||
      operation.isFused || operation.isStored || isInvariant(kernel, operation))
    return std::nullopt;
  const std::optional<unsigned> found = onlyUserOf(kernel, users, product);
  if (!found)
    return std::nullopt;
  const unsigned user = *found;
  const Computation &use = kernel.operations[user];
  if (use.type != operation.type)
    return std::nullopt;
  if (isSum(use) && (use.isRounded || operation.isRounded)) {
    if (isDirected(kernel, operation) || isDirected(kernel, use) ||
        isCompensated(kernel))
      return std::nullopt;
    // One instruction takes one product of two.
    for (const Input &other : kernel.inputsOf(use))
      if (other.source == Input::Source::Computation &&
          kernel.operations[other.index].kind == Compute::Multiply &&
          (kernel.operations[other.index].isFused || other.index < product))
        return std::nullopt;
    return Apart{user, "their rounding is fixed"};
  }
  if (isSum(use) && isBehindCall(kernel, operation, use))
    return Apart{user, "a call that is not inlined stands between them", true};
  const bool isChoice = use.kind == Compute::Select ||
                        (use.kind == Compute::Join && user > product);
  if (!isChoice || use.isStored || operation.isRounded)
    return std::nullopt;
  const std::optional<unsigned> next = onlyUserOf(kernel, users, user);
  if (!next)
    return std::nullopt;
  const unsigned beyond = *next;
  const Computation &sum = kernel.operations[beyond];
  // A sum of an earlier iteration is no neighbour.
  if (!isSum(sum) || sum.type != operation.type || beyond < user ||
      sum.isRounded)
    return std::nullopt;
  return Apart{beyond, use.kind == Compute::Select
                           ? "a choice stands between them"
                           : "a branch stands between them"};
}

void inspect(const CostedKernel &costed, Findings &findings) {
  const Kernel &kernel = costed.kernel;
  const auto users = usersOf(kernel);
  for (unsigned i = 0; i < kernel.operations.size(); ++i) {
    const std::optional<Apart> apart = apartOf(kernel, users, i);
    if (!apart)
      continue;
    const Computation &product = kernel.operations[i];
    const Written &written = kernel.writtenOf(product);
    if (written.inLibrary)
      continue;
    const ShapeCosts &shape = busiestShape(costed, product);
    const KernelTime &time = timeOf(costed, shape);
    const Demand saved = time.ofPipes(pipesOf(kernel, product), product);
    const std::string part = shareOfPipes(time, saved);
    if (!pays(time, saved))
      continue;
    Finding &finding = findings.add(
        written.place, written.callSites,
        llvm::formatv(
            "{0} and the sum that uses it are two instructions, since "
            "{1}{2}",
            shown(kernel, product), apart->why,
            part.empty() ? "" : ": the product takes " + part),
        i);
    finding.about = written.text;
    finding.cause = std::string("products, since ") + apart->why;
    finding.weight = 1;
    setShare(finding, costed, shape, saved);
    const bool isFixed =
        product.isRounded || kernel.operations[apart->sum].isRounded;
    finding.fix =
        apart->isCall
            ? "let the compiler inline the function, or compute both in it"
        : isFixed ? "write the product and the sum with '*' and '+', or call "
                    "'fmaf'"
                  : "choose a factor of the product instead of the product";
  }
}

Judgement judge(const Finding &, unsigned subject, const CompiledView &view) {
  const std::vector<MachineLine> &lines = view.compiled.lines;
  if (lines.empty())
    return {Verdict::Unjudged,
            "there is no machine code to look at, and PTX does not tell"};
  const Kernel &kernel = view.source.kernel;
  const std::optional<Apart> apart = apartOf(kernel, usersOf(kernel), subject);
  const Place &product = kernel.writtenOf(kernel.operations[subject]).place;
  const Place &sum = kernel.writtenOf(kernel.operations[apart->sum]).place;
  // The instructions of halves stand in the header of their functions.
  const bool isHalf = kernel.operations[subject].type == Number::F16;
  unsigned products = 0, sums = 0;
  bool hasLines = false;
  for (const MachineLine &line : lines) {
    const Place place{line.file, line.line, 0};
    hasLines |= line.line != 0;
    const llvm::StringRef file = llvm::sys::path::filename(line.file);
    const bool isOfHalves = isHalf && (file.starts_with("cuda_fp16") ||
                                       file.starts_with("cuda_bf16"));
    if (isOfHalves || sameLine(place, product))
      products += line.products;
    if (isOfHalves || sameLine(place, sum))
      sums += line.sums;
  }
  if (!hasLines)
    return {Verdict::Unjudged, "the machine code has no line numbers"};
  if (products && sums)
    return {Verdict::Confirmed,
            llvm::formatv("the machine code has {0} and {1} of their own at "
                          "line {2}",
                          counted(products, "product"), counted(sums, "sum"),
                          product.line)};
  return {Verdict::Refuted, "the machine code has no product and sum of their "
                            "own there"};
}

const Enrol enrol({info, inspect, judge});

} // namespace
} // namespace warplint

// The machine instructions that a computation becomes.
#include "model/pipe_counts.h"
#include "read_text.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

Computation of(Compute kind, Number type) {
  Computation computation;
  computation.kind = kind;
  computation.type = computation.from = type;
  return computation;
}

PipeCounts pipes(const Computation &computation,
                 std::optional<double> divisor = {}) {
  return pipesOf(computation, "", divisor);
}

PipeCounts converted(Number from, Number to) {
  Computation computation = of(Compute::Convert, to);
  computation.from = from;
  return pipes(computation);
}

constexpr auto F32 = Number::F32;
constexpr auto F64 = Number::F64;
constexpr auto I32 = Number::I32;
constexpr auto I64 = Number::I64;

} // namespace

// Without it double-in-float could not tell what a literal costs.
TEST(PipeCounts, DoublesGoToTheirOwnPipe) {
  for (Compute kind : {Compute::Add, Compute::Subtract, Compute::Multiply,
                       Compute::Fused, Compute::Compare, Compute::Round}) {
    EXPECT_EQ(pipes(of(kind, F64)).doubles, 1) << spelling(kind);
    EXPECT_EQ(pipes(of(kind, F64)).all(), 1) << spelling(kind);
    EXPECT_EQ(pipes(of(kind, F32)).doubles, 0) << spelling(kind);
  }
}

// The sum beside it counts for both.
TEST(PipeCounts, AFusedProductIsNoInstructionOfItsOwn) {
  Computation product = of(Compute::Multiply, F32);
  EXPECT_EQ(pipes(product).fma, 1);
  product.isFused = true;
  EXPECT_EQ(pipes(product).all(), 0);
}

TEST(PipeCounts, IntegersOf64BitsTakeSeveralInstructions) {
  EXPECT_EQ(pipes(of(Compute::Add, I32)).alu, 1);
  EXPECT_EQ(pipes(of(Compute::Add, I64)).alu, 2);
  EXPECT_EQ(pipes(of(Compute::Multiply, I64)).fma, 4);
}

// A size that the host passes as 64 bits is doubled by a shift, and an index of
// 32 bits that is made 64 first is one IMAD.WIDE: four products for each would
// hide what the kernel works on.
TEST(PipeCounts, AProductOf64BitsCostsWhatItsFactorsNeed) {
  const std::vector<std::pair<std::string, PipeCounts>> products = {
      {"(u64)u[0] * u[1]", {.fma = 1}},
      {"(i64)i[0] * i[1]", {.fma = 1}},
      {"(i64)i[0] * 24", {.fma = 1}},
      {"(u64)u[0] * 24", {.fma = 1}},
      {"w[0] * 24", {.fma = 2, .alu = 1}},
      {"w[0] * u[0]", {.fma = 2, .alu = 1}},
      {"w[0] * 8", {.alu = 2}},
      {"w[0] * w[1]", {.fma = 3, .alu = 1}},
      {"w[0] * 0x9e3779b97f4a7c15ull", {.fma = 3, .alu = 1}},
  };
  for (const auto &[product, expected] : products) {
    const SourceModel model =
        readText("using u64 = unsigned long long; using i64 = long long;\n"
                 "__global__ void k(u64 *o, u64 *w, unsigned *u, int *i) {\n"
                 "  *o = " +
                 product + ";\n}\n");
    ASSERT_EQ(model.kernels.size(), 1u) << product;
    PipeCounts pipes;
    for (const Computation &computation : model.kernels[0].operations)
      if (computation.kind == Compute::Multiply ||
          computation.kind == Compute::Shift)
        pipes += pipesOf(model.kernels[0], computation);
    EXPECT_EQ(pipes.fma, expected.fma) << product;
    EXPECT_EQ(pipes.alu, expected.alu) << product;
  }
}

// An H100 takes 6.3 cycles of an SM for a division of 64 bits whose operands
// fit into 32, and 27 to 30 if they do not: a Bloom filter's is not an index's.
TEST(PipeCounts, ALongDivisionIsOneOfHashesNotOfIndexes) {
  auto quotient = [](const std::string &dividend) {
    const SourceModel model =
        readText("__global__ void k(unsigned long long *out,\n"
                 "                  const unsigned long long *in,\n"
                 "                  unsigned long long by, size_t n) {\n"
                 "  size_t stride = gridDim.x * blockDim.x, sum = 0;\n"
                 "  for (size_t i = threadIdx.x; i < n; i += stride)\n"
                 "    sum += (" +
                 dividend +
                 ") % by;\n"
                 "  out[threadIdx.x] = sum;\n"
                 "}\n");
    const Kernel &kernel = model.kernels.at(0);
    for (const Computation &operation : kernel.operations)
      if (operation.kind == Compute::Remainder)
        return pipesOf(kernel, operation).all();
    ADD_FAILURE() << dividend;
    return 0.0;
  };
  EXPECT_NEAR(quotient("i"), 25, 2);
  EXPECT_NEAR(quotient("i * 12 + 7"), 25, 2);
  EXPECT_NEAR(quotient("in[i]"), 25, 2);
  EXPECT_GT(quotient("in[i] * 0xff51afd7ed558ccdull"), 100);
  EXPECT_GT(quotient("(in[i] ^ in[i] >> 33) + i"), 100);
}

// The order that costly-division rests on: a shift, a product with the
// reciprocal, a whole division, one of 64 bits.
TEST(PipeCounts, ADivisionCostsByItsDivisor) {
  Computation quotient = of(Compute::Divide, I32);
  const double shift = pipes(quotient, 8).all(),
               product = pipes(quotient, 7).all(),
               whole = pipes(quotient).all();
  EXPECT_LT(shift, product);
  EXPECT_LT(product, whole);
  EXPECT_LT(whole, pipes(of(Compute::Divide, I64)).all());
  quotient.isSigned = true; // rounds towards zero
  EXPECT_GT(pipes(quotient, 8).all(), shift);
  EXPECT_EQ(pipes(of(Compute::Divide, F32), 4).all(), 1);
  EXPECT_EQ(pipes(of(Compute::Divide, F32), -0.5).all(), 1);
  EXPECT_EQ(pipes(of(Compute::Divide, F32), 3).all(),
            pipes(of(Compute::Divide, F32)).all())
      << "no exact reciprocal";
}

TEST(PipeCounts, TheShortFormOfAFunctionIsTheHardwaresOwn) {
  for (Compute kind : {Compute::Exponential, Compute::Logarithm, Compute::Sine,
                       Compute::Power, Compute::Divide}) {
    Computation computation = of(kind, F32);
    const double full = pipes(computation).all();
    computation.isApproximate = true;
    EXPECT_LT(pipes(computation).all(), full) << spelling(kind);
    EXPECT_GE(pipes(computation).special, 1) << spelling(kind);
  }
}

// As nvcc 13.0 makes them for sm_90: a reciprocal root scales what would be
// denormal, and a logarithm is a polynomial.
TEST(PipeCounts, FunctionsCostWhatTheirMachineCodeHas) {
  EXPECT_EQ(pipes(of(Compute::ReciprocalRoot, F32)).all(), 4);
  EXPECT_EQ(pipes(of(Compute::Logarithm, F32)).all(), 23);
  EXPECT_EQ(pipes(of(Compute::Logarithm, F32)).special, 0);
  EXPECT_LT(pipes(of(Compute::ReciprocalRoot, F32)).all(),
            pipes(of(Compute::SquareRoot, F32)).all());
}

// A load extends a byte at no cost, unless the value was computed with.
TEST(PipeCounts, ConversionsCostByTheirTypes) {
  EXPECT_EQ(converted(I32, I64).all(), 0);
  EXPECT_EQ(converted(I64, I32).all(), 0);
  EXPECT_EQ(converted(Number::I8, I32).alu, 1);
  EXPECT_EQ(converted(I32, F32).alu, 1) << "I2FP";
  EXPECT_EQ(converted(I32, F32).special, 0);
  EXPECT_EQ(converted(F32, I32).special, 1);
  EXPECT_EQ(converted(F32, F64).special, 1);
  EXPECT_EQ(converted(F32, F64).doubles, 0);
  EXPECT_EQ(converted(I32, F64).all(), 1) << "I2F.F64";
  EXPECT_EQ(converted(F64, I64).special, 1) << "F2I.S64.F64";
}

// nvcc 13.0, sm_90: PRMT and SHF are the ALU's, POPC is the XU's, a quarter as
// fast. A hash that rotates looked bound by special functions.
TEST(PipeCounts, BitsThatMoveAreCheaperThanBitsThatAreCounted) {
  Computation bits = of(Compute::Bits, I32);
  for (const char *function : {"byte_perm", "shf", "fshl"}) {
    EXPECT_EQ(pipesOf(bits, function, {}).special, 0) << function;
    EXPECT_EQ(pipesOf(bits, function, {}).alu, 1) << function;
  }
  EXPECT_EQ(pipesOf(bits, "popc", {}).special, 1);
  bits.from = I64;
  EXPECT_EQ(pipesOf(bits, "popcll", {}).special, 2);
}

TEST(PipeCounts, ACallIsKnownByItsName) {
  const Computation call = of(Compute::Call, I32);
  EXPECT_EQ(pipesOf(call, "llvm.nvvm.shfl.sync.down.i32", {}).memory, 1);
  EXPECT_GT(pipesOf(call, "solve", {}).control, 0);
  const Computation function = of(Compute::Function, F32);
  EXPECT_LT(pipesOf(function, "isnan", {}).all(),
            pipesOf(function, "erff", {}).all());
  EXPECT_EQ(pipesOf(of(Compute::Function, F64), "erf", {}).special, 1);
  EXPECT_GT(pipesOf(of(Compute::Function, F64), "erf", {}).doubles,
            pipesOf(of(Compute::Function, F64), "unknown", {}).doubles);
}

// The divisor is the second input, if it is a constant.
TEST(PipeCounts, AKernelsDivisionByAConstantIsSeen) {
  Kernel kernel;
  kernel.written.resize(1);
  Input x, by;
  by.source = Input::Source::Constant;
  by.constant = 8;
  kernel.inputs = {x, by};
  Computation quotient = of(Compute::Divide, I32);
  quotient.inputCount = 2;
  EXPECT_EQ(pipesOf(kernel, quotient).all(), 1);
  kernel.inputs = {by, x}; // 8 / x
  EXPECT_EQ(pipesOf(kernel, quotient).all(), pipes(quotient).all());
}

// nvcc's machine code for sm_90 has 75 to 94 instructions for a power of floats
// on the usual path (an H200 takes 80 to 90 issue slots), and calls the power
// of doubles for one with a whole exponent.
TEST(PipeCounts, APowerIsMuchMoreThanAnExponential) {
  const Computation power = of(Compute::Power, F32);
  EXPECT_NEAR(pipesOf(power, "powf", {}).all(), 82, 8);
  EXPECT_GT(pipesOf(power, "powif", {}).doubles, 100);
  EXPECT_EQ(pipesOf(power, "powf", {}).doubles, 0);
}

// nvcc 13.0, sm_90, --use_fast_math: MUFU.SIN and MUFU.COS; of a tangent
// MUFU.RCP as well.
TEST(PipeCounts, ShortFormsCountEachOfTheirInstructionsOnTheXu) {
  Computation sine = of(Compute::Sine, F32);
  sine.isApproximate = true;
  EXPECT_EQ(pipesOf(sine, "sinf", {}).special, 1);
  EXPECT_EQ(pipesOf(sine, "sincosf", {}).special, 2);
  EXPECT_EQ(pipesOf(sine, "tanf", {}).special, 3);
}

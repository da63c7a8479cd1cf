// The operations that are read out of a kernel's text.
#include "cost/double_islands.h"
#include "kernel_of.h"
#include "model/pipe_counts.h"
#include <gtest/gtest.h>

namespace warplint {

namespace {

/// The only operation of this kind and type.
const Computation &only(const Kernel &kernel, Compute kind, Number type) {
  static const Computation none;
  const Computation *found = nullptr;
  for (const Computation &operation : kernel.operations)
    if (operation.kind == kind && operation.type == type) {
      EXPECT_FALSE(found) << "several operations of this kind";
      found = &operation;
    }
  EXPECT_TRUE(found) << "no " << spelling(kind) << " of " << spelling(type);
  return found ? *found : none;
}

// A check that names the literal needs what the source writes.
TEST(ReadOperations, AnOperationHasItsTextAndItsInputs) {
  const Kernel kernel = kernelOf(R"(
__global__ void k(float *a) {
  int i = threadIdx.x;
  a[i] = a[i] * 0.999;
}
)");
  const Computation &product = only(kernel, Compute::Multiply, Number::F64);
  const Written &written = kernel.writtenOf(product);
  EXPECT_EQ(written.text, "a[i] * 0.999");
  EXPECT_EQ(written.place.line, 4u);
  ASSERT_EQ(written.operands.size(), 2u);
  EXPECT_EQ(written.operands[1], "0.999");
  EXPECT_FALSE(written.inLibrary);
  ASSERT_EQ(product.inputCount, 2u);
  const Input &x = kernel.inputsOf(product)[0];
  ASSERT_EQ(x.source, Input::Source::Computation);
  const Computation &widened = kernel.operations[x.index];
  EXPECT_EQ(widened.kind, Compute::Convert);
  EXPECT_EQ(widened.from, Number::F32);
  EXPECT_FALSE(kernel.writtenOf(widened).isCast);
  const Input &loaded = kernel.inputsOf(widened)[0];
  ASSERT_EQ(loaded.source, Input::Source::Access);
  EXPECT_EQ(kernel.accesses[loaded.index].text, "a[i]");
  const Input &factor = kernel.inputsOf(product)[1];
  EXPECT_EQ(factor.source, Input::Source::Constant);
  EXPECT_EQ(factor.constant, 0.999);
}

TEST(ReadOperations, ACastThatIsWrittenIsToldFromAnImplicitOne) {
  const Kernel kernel = kernelOf(R"(
__global__ void k(float *a) {
  int i = threadIdx.x;
  a[i] = (double)a[i] * 0.999;
}
)");
  for (const Computation &operation : kernel.operations)
    if (operation.kind == Compute::Convert && operation.from == Number::F32) {
      EXPECT_TRUE(kernel.writtenOf(operation).isCast);
    }
}

// A value that a loop leaves as it is can be computed before it.
TEST(ReadOperations, AnInputTellsTheLoopsInWhichItStays) {
  const Kernel kernel = kernelOf(R"(
__global__ void k(int *a, int n, int m) {
  int sum = 0;
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < n; ++c)
      sum += (c * 7 + r) / (m + r);
  a[threadIdx.x] = sum;
}
)");
  const Computation &quotient = only(kernel, Compute::Divide, Number::I32);
  ASSERT_EQ(kernel.loopsOf(quotient).size(), 2u);
  EXPECT_EQ(kernel.inputsOf(quotient)[0].invariantLoops, 0u);
  EXPECT_EQ(kernel.inputsOf(quotient)[1].invariantLoops, 1u);
  EXPECT_TRUE(kernel.inputsOf(quotient)[1].hasValue);
}

TEST(ReadOperations, AFunctionOfTheMathLibraryIsOneOperationOfTheUser) {
  const Kernel kernel = kernelOf(R"(
__global__ void k(float *a) {
  int i = threadIdx.x;
  a[i] = powf(a[i], 2) + __expf(a[i]);
}
)");
  const Computation &power = only(kernel, Compute::Power, Number::F32);
  EXPECT_EQ(kernel.writtenOf(power).text, "powf(a[i], 2)");
  EXPECT_EQ(kernel.writtenOf(power).function, "powf");
  EXPECT_FALSE(kernel.writtenOf(power).inLibrary);
  EXPECT_EQ(kernel.inputsOf(power)[1].constant, 2);
  EXPECT_FALSE(power.isApproximate);
  EXPECT_TRUE(only(kernel, Compute::Exponential, Number::F32).isApproximate);
}

// 'i += gridDim.x * blockDim.x': the grid's threads are multiplied once.
TEST(ReadOperations, AProductBeforeTheLoopIsNotFusedInIt) {
  const Kernel kernel = kernelOf("__global__ void k(int *a, int n) {\n"
                                 "  for (int i = threadIdx.x; i < n;\n"
                                 "       i += gridDim.x * blockDim.x)\n"
                                 "    a[i] = n;\n"
                                 "}\n");
  EXPECT_FALSE(only(kernel, Compute::Multiply, Number::I32).isFused);
}

// The compiler makes one instruction of both, unless their rounding is fixed.
TEST(ReadOperations, AProductBesideItsOnlySumIsFused) {
  const Kernel kernel = kernelOf(R"(
__global__ void k(float *a) {
  int i = threadIdx.x;
  a[i] = a[i] * 3.0f + a[i + 1];
}
)");
  EXPECT_TRUE(only(kernel, Compute::Multiply, Number::F32).isFused);
  const Kernel rounded = kernelOf(R"(
__global__ void k(float *a) {
  int i = threadIdx.x;
  a[i] = __fmul_rn(a[i], 3.0f) + a[i + 1];
}
)");
  const Computation &product = only(rounded, Compute::Multiply, Number::F32);
  EXPECT_TRUE(product.isRounded);
  EXPECT_FALSE(product.isFused);
}

// An atomic of doubles by compare-and-swap computes nothing beside its sum.
TEST(ReadOperations, BitsOfAnotherTypeAreNoInstruction) {
  const Kernel kernel = kernelOf(R"(
__global__ void k(const long long *a, double *b) {
  b[threadIdx.x] = __longlong_as_double(a[threadIdx.x]);
}
)");
  double doubles = 0;
  for (const Computation &operation : kernel.operations)
    doubles += pipesOf(kernel, operation).doubles;
  EXPECT_EQ(doubles, 0);
}

// A product that no sum takes is an instruction.
TEST(ReadOperations, OneOfTwoProductsOfASumIsFused) {
  const Kernel kernel = kernelOf(R"(
__global__ void k(float *a) {
  int i = threadIdx.x;
  a[i] = a[i] * 3.0f + a[i + 1] * 5.0f;
}
)");
  unsigned products = 0, fused = 0;
  for (const Computation &operation : kernel.operations)
    if (operation.kind == Compute::Multiply && operation.type == Number::F32) {
      ++products;
      fused += operation.isFused;
    }
  EXPECT_EQ(products, 2u);
  EXPECT_EQ(fused, 1u);
}

TEST(ReadOperations, ALoopsSumIsAJoinOfItself) {
  const Kernel kernel = kernelOf(R"(
__global__ void k(const float *a, float *b, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += a[i];
  b[threadIdx.x] = sum;
}
)");
  const Computation &sum = only(kernel, Compute::Add, Number::F32);
  bool isCarried = false;
  for (const Input &input : kernel.inputsOf(sum))
    isCarried |= input.source == Input::Source::Computation &&
                 kernel.operations[input.index].kind == Compute::Join;
  EXPECT_TRUE(isCarried);
}

// cost/kernel_time and `operations` count by one table.
TEST(ReadOperations, TheSumsOfTheArithmeticAreThoseOfItsOperations) {
  const Kernel kernel = kernelOf(R"(
__global__ void k(const double *a, double *b, int n) {
  double x = a[threadIdx.x];
  for (int i = 0; i < n; ++i)
    x = x * 0.5 + 1.0 / x;
  b[threadIdx.x] = x;
}
)");
  double doubles = 0, summed = 0;
  for (const Computation &operation : kernel.operations)
    doubles += pipesOf(kernel, operation).doubles;
  for (const Arithmetic &work : kernel.arithmetic)
    summed += work.doubles;
  EXPECT_GT(doubles, 8);
  EXPECT_EQ(doubles, summed);
}

// They are constants in the copies of the body: a price for them is too high,
// and what repeats them would save more than they cost.
TEST(ReadOperations, WhatAnUnrolledLoopMakesOfItsCounterIsNone) {
  auto divisionsOf = [](llvm::StringRef pragma) {
    const Kernel kernel = kernelOf((R"(
__global__ void k(const float *a, float *b) {
  float sum[4][4] = {};
)" + pragma + R"(
  for (int k = 0; k < 16; ++k)
    sum[k / 4][k % 4] += a[k] * a[k / 4];
  for (int k = 0; k < 16; ++k)
    b[k] = sum[k / 4][k % 4];
}
)")
                                       .str());
    return llvm::count_if(kernel.operations, [](const Computation &operation) {
      return operation.kind == Compute::Divide;
    });
  };
  EXPECT_EQ(divisionsOf(""), 0);
  EXPECT_GE(divisionsOf("#pragma unroll 1"), 2);
}

size_t islandsOf(llvm::StringRef source) {
  return accidentalDoubles(kernelOf(source)).size();
}

// One operation on what a float holds, rounded to float at once, is one of
// floats to the compiler.
TEST(DoubleIslands, WhatTheCompilerNarrowsIsNone) {
  EXPECT_EQ(islandsOf("__global__ void k(float *a) { *a = *a * 2.0; }"), 0u);
  EXPECT_EQ(islandsOf("__global__ void k(float *a) { *a = *a * 0.1; }"), 1u);
  EXPECT_EQ(islandsOf("__global__ void k(float *a) { *a = *a * 2.0 + 1; }"),
            1u);
}

TEST(DoubleIslands, ADoubleThatIsWantedIsNone) {
  EXPECT_EQ(islandsOf("__global__ void k(float *a, double *b) {"
                      " *b = *a * 0.1; }"),
            0u);
  EXPECT_EQ(islandsOf("__global__ void k(float *a) {"
                      " *a = (double)*a * 0.1; }"),
            0u);
  EXPECT_EQ(islandsOf(R"(
__global__ void k(const float *a, float *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += a[i] * 0.1;
  *b = sum;
})"),
            0u);
}

} // namespace

} // namespace warplint

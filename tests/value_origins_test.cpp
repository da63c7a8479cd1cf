#include "ptx/value_origins.h"
#include "gtest/gtest.h"

using namespace warplint;
using namespace llvm;

namespace {

// nvcc 13.0 for sm_90, shortened:
//
//   2 __global__ void product(const float *a, float *c, int n, float s) {
//   3   int i = blockIdx.x * blockDim.x + threadIdx.x;
//   4   float sum = 0;
//   5   for (int k = 0; k < n; ++k)
//   6     sum += a[k * n + i] * s;
//   7   c[i] = sum; }
const char *const text = R"(.version 9.0
.target sm_90
.address_size 64
.visible .entry product(
	.param .u64 product_param_0,
	.param .u64 product_param_1,
	.param .u32 product_param_2,
	.param .f32 product_param_3
)
{
	.reg .pred 	%p<3>;
	.reg .f32 	%f<8>;
	.reg .b32 	%r<13>;
	.reg .b64 	%rd<13>;
	.loc	1 2 0
	ld.param.u64 	%rd3, [product_param_0];
	ld.param.u64 	%rd4, [product_param_1];
	ld.param.u32 	%r4, [product_param_2];
	ld.param.f32 	%f3, [product_param_3];
	.loc	1 3 3
	mov.u32 	%r6, %ntid.x;
	mov.u32 	%r7, %ctaid.x;
	mov.u32 	%r8, %tid.x;
	mad.lo.s32 	%r1, %r7, %r6, %r8;
	cvta.to.global.u64 	%rd1, %rd3;
	mov.u32 	%r12, 0;
	mov.f32 	%f7, 0f00000000;
$L__BB0_1:
	.loc	1 6 5
	mad.lo.s32 	%r9, %r12, %r4, %r1;
	mul.wide.s32 	%rd5, %r9, 4;
	add.s64 	%rd6, %rd1, %rd5;
	ld.global.f32 	%f4, [%rd6];
	fma.rn.f32 	%f5, %f4, %f3, %f7;
	mov.f32 	%f7, %f5;
	.loc	1 5 30
	add.s32 	%r12, %r12, 1;
	setp.lt.s32 	%p1, %r12, %r4;
	@%p1 bra 	$L__BB0_1;
	.loc	1 7 3
	cvta.to.global.u64 	%rd7, %rd4;
	mul.wide.s32 	%rd8, %r1, 4;
	add.s64 	%rd9, %rd7, %rd8;
	st.global.f32 	[%rd9], %f7;
	ret;
}
	.file	1 "/a/product.cu"
)";

struct Product {
  std::unique_ptr<PtxOrigins> origins = [] {
    auto read = PtxOrigins::read(text);
    EXPECT_TRUE(bool(read));
    return std::move(*read);
  }();

  /// The value that the first line with this text writes.
  ValueOrigin of(StringRef statement) const {
    const size_t at = StringRef(text).find(statement);
    EXPECT_NE(at, StringRef::npos) << statement.str();
    auto origin =
        origins->writtenAt(StringRef(text).take_front(at).count('\n') + 1);
    EXPECT_TRUE(origin) << statement.str();
    return origin.value_or(ValueOrigin());
  }
};

unsigned lineOf(const ValueOrigin &origin) {
  return origin.frames.empty() ? 0 : origin.frames.front().place.line;
}

TEST(ValueOrigins, KnowsParametersAndThreadIndexes) {
  Product product;
  EXPECT_EQ(product.of("ld.param.u32").kind, ValueOrigin::Parameter);
  EXPECT_EQ(product.of("ld.param.u32").object.parameter, 2u);
  EXPECT_EQ(product.of("mov.u32 \t%r8").kind, ValueOrigin::Special);
  EXPECT_EQ(product.of("mov.u32 \t%r8").special, "%tid.x");
}

// The constant before the loop and the sum in it are one variable.
TEST(ValueOrigins, JoinsTheValuesOfALoop) {
  Product product;
  for (const char *one :
       {"mov.f32 \t%f7, 0f", "fma.rn", "mov.f32 \t%f7, %f5"}) {
    const ValueOrigin sum = product.of(one);
    EXPECT_EQ(sum.kind, ValueOrigin::Computed) << one;
    EXPECT_TRUE(sum.isFinal) << one;
    EXPECT_TRUE(sum.isFloat) << one;
    EXPECT_EQ(lineOf(sum), 6u) << one;
  }
}

TEST(ValueOrigins, TellsALoadFromWhatTheStatementComputes) {
  Product product;
  const ValueOrigin load = product.of("ld.global");
  EXPECT_EQ(load.kind, ValueOrigin::Load);
  EXPECT_EQ(load.object.parameter, 0u);
  EXPECT_FALSE(load.isFinal);
}

TEST(ValueOrigins, TellsAddressesAndIndexesFromVariables) {
  Product product;
  const ValueOrigin address = product.of("add.s64 \t%rd6");
  EXPECT_EQ(address.kind, ValueOrigin::Address);
  EXPECT_EQ(address.object.parameter, 0u);
  EXPECT_EQ(address.bits, 64u);
  EXPECT_EQ(product.of("mad.lo.s32 \t%r9").kind, ValueOrigin::Index);
  EXPECT_EQ(product.of("mad.lo.s32 \t%r1,").kind, ValueOrigin::Computed)
      << "'i' serves two statements";
}

TEST(ValueOrigins, KnowsWhatALoopCounts) {
  Product product;
  const ValueOrigin counter = product.of("add.s32");
  EXPECT_TRUE(counter.isInduction);
  EXPECT_EQ(lineOf(counter), 5u);
  EXPECT_FALSE(product.of("fma.rn").isInduction);
}

TEST(ValueOrigins, LaysOutTheParametersOfAKernel) {
  Product product;
  const auto kernel = product.origins->kernel("product");
  ASSERT_TRUE(kernel);
  ASSERT_EQ(kernel->parameters.size(), 4u);
  EXPECT_EQ(kernel->parameters[3].offset, 20u);
  EXPECT_EQ(kernel->place.file, "/a/product.cu");
  EXPECT_EQ(kernel->place.line, 2u);
  EXPECT_FALSE(product.origins->kernel("other"));
}

TEST(ValueOrigins, KnowsALoopThatCountsByOne) {
  Product product;
  EXPECT_TRUE(product.origins->countsByOne("product", {"/a/product.cu", 5, 0}));
  EXPECT_FALSE(
      product.origins->countsByOne("product", {"/a/product.cu", 6, 0}));
  EXPECT_FALSE(product.origins->countsByOne("other", {"/a/product.cu", 5, 0}));
  // An unrolled loop goes on by four; what it leaves, by one.
  std::string unrolled = text;
  const std::string step = "add.s32 \t%r12, %r12, 1;";
  const size_t at = unrolled.find(step);
  ASSERT_NE(at, std::string::npos);
  unrolled.insert(at, "add.s32 \t%r12, %r12, 4;\n\t");
  auto origins = PtxOrigins::read(unrolled);
  ASSERT_TRUE(bool(origins));
  EXPECT_FALSE((*origins)->countsByOne("product", {"/a/product.cu", 5, 0}));
}

// nvcc 13.0: `.loc 1 0` stands before what the compiler moved out of a loop.
TEST(ValueOrigins, KnowsTheUsesOfAValueWithoutAPlace) {
  auto origins = PtxOrigins::read(R"(.version 9.0
.target sm_90
.address_size 64
.visible .entry k(
	.param .u32 k_param_0
)
{
	.reg .b32 	%r<9>;
	.reg .b64 	%rd<3>;
	.loc	1 2 1
	ld.param.u32 	%r1, [k_param_0];
	.loc	1 0 1
	sub.s32 	%r2, %r1, 3;
	shl.b32 	%r3, %r2, 2;
	cvt.u64.u32 	%rd1, %r1;
	.loc	1 5 3
	add.s32 	%r4, %r3, %r1;
	.loc	1 6 3
	cvt.u32.u64 	%r5, %rd1;
	ret;
}
	.file	1 "/a/k.cu"
)");
  ASSERT_TRUE(bool(origins));
  auto usedIn = [&](unsigned line) {
    auto origin = (*origins)->writtenAt(line);
    EXPECT_TRUE(origin && origin->frames.empty()) << line;
    return origin && !origin->usedIn.empty() ? origin->usedIn.front().place.line
                                             : 0;
  };
  EXPECT_EQ(usedIn(13), 5u) << "through a value without a place";
  EXPECT_EQ(usedIn(14), 5u);
  EXPECT_FALSE((*origins)->writtenAt(14)->isConvertedThere);
  EXPECT_EQ(usedIn(15), 6u);
  EXPECT_TRUE((*origins)->writtenAt(15)->isConvertedThere);
  EXPECT_TRUE((*origins)->writtenAt(19)->usedIn.empty()) << "used nowhere";
}

// `a[i] = x[i] * x[i]; float y = x[i] + 1;`: the load is not a result of the
// first statement, though the second uses it.
TEST(ValueOrigins, TellsAPartThatStatementsShareFromAResult) {
  auto origins = PtxOrigins::read(R"(.version 9.0
.target sm_90
.address_size 64
.visible .entry k(
	.param .u64 k_param_0
)
{
	.reg .pred 	%p<2>;
	.reg .f32 	%f<9>;
	.reg .b32 	%r<9>;
	.reg .b64 	%rd<3>;
	ld.param.u64 	%rd1, [k_param_0];
	.loc	1 3 1
	ld.global.f32 	%f1, [%rd1+4];
	mul.f32 	%f2, %f1, %f1;
	st.global.f32 	[%rd1], %f2;
	.loc	1 4 1
	add.f32 	%f3, %f1, %f1;
	.loc	1 5 1
	setp.gt.f32 	%p1, %f3, %f2;
	selp.f32 	%f4, %f3, %f2, %p1;
	.loc	1 6 1
	mov.u32 	%r1, %tid.x;
	add.s32 	%r2, %r1, 7;
	shl.b32 	%r3, %r2, 2;
	.loc	1 7 1
	add.s32 	%r4, %r2, %r3;
	st.global.f32 	[%rd1], %f4;
	ret;
}
	.file	1 "/a/k.cu"
)");
  ASSERT_TRUE(bool(origins));
  auto at = [&](unsigned line) { return *(*origins)->writtenAt(line); };
  EXPECT_FALSE(at(14).isFinal) << "the load";
  EXPECT_TRUE(at(15).isFinal) << "the product, which is stored";
  EXPECT_TRUE(at(18).isFinal) << "the sum";
  EXPECT_FALSE(at(18).isSelected);
  EXPECT_TRUE(at(21).isSelected);
  EXPECT_TRUE(at(24).isFinal) << "an index, whose address is made at once";
}

TEST(ValueOrigins, WritesNothingWhereThereIsNoInstruction) {
  Product product;
  EXPECT_FALSE(product.origins->writtenAt(0));
  EXPECT_FALSE(product.origins->writtenAt(1));
  EXPECT_FALSE(product.origins->writtenAt(9999));
}

} // namespace

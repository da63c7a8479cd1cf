// Tests what the source calls the values of PTX.
#include "machine/value_names.h"
#include "register_sources.h"

using namespace warplint;
using testing::HasSubstr;

namespace {

TEST(ValueNames, OfSpecialRegisters) {
  EXPECT_EQ(specialName("%tid.x"), "threadIdx.x");
  EXPECT_EQ(specialName("SR_CTAID.Y"), "blockIdx.y");
  EXPECT_EQ(specialName("%ntid.z"), "blockDim.z");
  EXPECT_EQ(specialName("SR_LANEID"), "laneid");
}

TEST(ValueNames, OfFunctions) {
  EXPECT_EQ(functionName("_Z9expensivef"), "expensive");
  EXPECT_EQ(functionName(""), "");
}

const char *const scale = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry scale(.param .u64 p0, .param .u32 p1)
{
	.reg .b64 %rd<4>;
	.reg .f32 %f<3>;
	.loc 1 1 0
	ld.param.u64 %rd1, [p0];
	cvta.to.global.u64 %rd2, %rd1;
	.loc 1 2 13
	ld.global.f32 %f1, [%rd2];
	.loc 1 2 9
	add.f32 %f2, %f1, 0f3F800000;
	.loc 1 3 3
	st.global.f32 [%rd2], %f2;
	ret;
}
.file 1 "a.cu"
)";

struct Scaled : testing::Test {
  Scaled() {
    folder.write("a.cu", "__global__ void scale(float *x, int n) {\n"
                         "  float y = x[0] + 1;\n"
                         "  x[0] = y;\n}\n");
    files.emplace(folder.path);
    auto read = PtxOrigins::read(scale);
    EXPECT_TRUE(bool(read)) << llvm::toString(read.takeError());
    ptx = std::move(*read);
    names.emplace(*ptx, "scale", *files);
  }
  InputFolder folder;
  std::optional<StatementFiles> files;
  std::unique_ptr<PtxOrigins> ptx;
  std::optional<ValueNames> names;
};

TEST_F(Scaled, AStatementsValueHasTheNameThatItAssigns) {
  const auto sum = names->writtenAt(14, 0);
  ASSERT_TRUE(sum);
  EXPECT_EQ(sum->kind, RegisterKind::Variable);
  EXPECT_EQ(sum->name, "y");
  EXPECT_EQ(sum->place.line, 2u);
}

TEST_F(Scaled, AStoreHasNoValue) {
  EXPECT_FALSE(names->writtenAt(16, 0));
  EXPECT_EQ(names->ofStatement(16, true).kind, RegisterKind::Address);
  EXPECT_EQ(names->ofStatement(16, true).name, "x");
  EXPECT_EQ(names->ofStatement(16, false).kind, RegisterKind::Intermediate);
  EXPECT_FALSE(names->elementAt(16)) << "it is no local array";
}

TEST_F(Scaled, ParametersAreFoundByTheirPlace) {
  EXPECT_EQ(names->parameterAt(4)->name, "x");
  EXPECT_EQ(names->parameterAt(8)->name, "n");
  EXPECT_FALSE(names->parameterAt(12));
}

// `.loc 1 0`: what the compiler moved out of a loop belongs to its use.
TEST(ValueNames, NamesWhatIsMovedOutOfALoopOfAMacro) {
  NEEDS_NVDISASM;
  const std::string out = registersIn(R"(
#define KERNEL_LOOP(i, n) \
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); \
       i += blockDim.x * gridDim.x)
template <class T>
__global__ void mask(int N, int M, int B, const T *in, T fill, T *out) {
  if (B >= 0) {
    KERNEL_LOOP(index, B * N * M) {
      int k = index % M;
      int j = (index - k) / M % N;
      out[index] = k >= j ? fill : in[index];
    }
  } else {
    KERNEL_LOOP(index, N * M) {
      int i = index / M;
      int j = index % M;
      out[index] = i <= j ? fill : in[index];
    }
  }
}
template __global__ void mask<int>(int, int, int, const int *, int, int *);
)");
  EXPECT_THAT(out, HasSubstr("`KERNEL_LOOP(index, B * N * M)`"));
  EXPECT_THAT(out, testing::Not(HasSubstr("unnamed")));
}

// Both are selected by the condition of the `if`, whose line they have.
TEST(ValueNames, TellsApartByTypeWhatAnIfAssigns) {
  NEEDS_NVDISASM;
  const std::string out = registersIn(R"(
__global__ void best(const float *x, float *value, int *where, int n) {
  float most[4];
  int index[4];
  for (int i = 0; i < 4; ++i) {
    most[i] = 0;
    index[i] = -1;
  }
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < 4; ++i)
      if (x[4 * j + i] > most[i]) {
        most[i] = x[4 * j + i];
        index[i] = j;
      }
  for (int i = 0; i < 4; ++i) {
    value[threadIdx.x * 4 + i] = most[i];
    where[threadIdx.x * 4 + i] = index[i];
  }
}
)");
  EXPECT_THAT(out, HasSubstr("variable 'most[4]'"));
  EXPECT_THAT(out, HasSubstr("variable 'index[4]'"));
  EXPECT_THAT(out, testing::Not(HasSubstr("`if (")));
}

} // namespace

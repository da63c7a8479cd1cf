// `warplint operations`: what each line executes.
#include "input_folder.h"
#include "nvcc.h"
#include "program.h"
#include "llvm/Support/JSON.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;

namespace {

const char *const source = R"(
__global__ void damp(float *v, int n) {
  float x = v[threadIdx.x];
  for (int k = 0; k < n; ++k)
    x = x * 0.999;
  v[threadIdx.x] = x;
}
)";

// The reader sees at a glance that a line of floats runs on the FP64 pipe.
TEST(Operations, ALineTellsItsPipesAndItsLoops) {
  InputFolder folder;
  Outcome run =
      runProgram({"operations", folder.write("damp.cu", source), "--no-judge"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("x * 0.999"));
  EXPECT_THAT(run.out, HasSubstr("1 fp64, 2 xu"));
  EXPECT_THAT(run.out, HasSubstr("(loop at 4)"));
  EXPECT_THAT(run.out, HasSubstr("compiled: unknown"));
}

TEST(Operations, CsvHasOneRowPerLine) {
  InputFolder folder;
  Outcome run = runProgram({"operations", folder.write("damp.cu", source),
                            "--no-judge", "--format", "csv"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out,
              HasSubstr("file,line,kernel,loops,text,source_fma,source_alu"));
  EXPECT_THAT(run.out, HasSubstr(",5,damp,4,x * 0.999,"));
}

TEST(Operations, JsonHasBothSides) {
  if (nvccForTests().empty())
    GTEST_SKIP() << "no nvcc, so there is no compiled side";
  InputFolder folder;
  Outcome run = runProgram({"operations", folder.write("damp.cu", source),
                            "--arch", "sm_90", "--format", "json"});
  EXPECT_EQ(run.code, 0) << run.err;
  auto json = llvm::json::parse(run.out);
  ASSERT_TRUE(bool(json)) << llvm::toString(json.takeError());
  double fp64 = 0;
  for (const llvm::json::Value &row :
       *json->getAsObject()->getArray("operations"))
    if (const llvm::json::Object *compiled =
            row.getAsObject()->getObject("compiled"))
      fp64 += compiled->getNumber("fp64").value_or(0);
  EXPECT_GT(fp64, 0);
}

} // namespace

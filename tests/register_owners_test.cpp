// Tests who holds the registers of a kernel, by the real nvcc and nvdisasm.
#include "register_sources.h"
#include "llvm/Support/JSON.h"

using namespace warplint;
using testing::HasSubstr;

namespace {

TEST(RegisterOwners, NamesWhoHoldsThem) {
  NEEDS_NVDISASM;
  InputFolder folder;
  const std::string file = folder.write("a.cu", crowded);
  const Outcome run =
      runProgram({"registers", file, "--kernel", "product", "--arch", "sm_90"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("variable 'sum[8][8]'"));
  EXPECT_THAT(run.out, HasSubstr("address into 'a'"));
  EXPECT_THAT(run.out, HasSubstr("elements of 'sum[8][8]' hold 6"));
  EXPECT_THAT(run.out, testing::Not(HasSubstr("tight")));
}

// A sum that is not the peak's would be a claim about registers that nobody
// holds.
TEST(RegisterOwners, OwnersAddUpToThePeak) {
  NEEDS_NVDISASM;
  InputFolder folder;
  const std::string file = folder.write("a.cu", crowded);
  const Outcome run = runProgram(
      {"registers", file, "--arch", "sm_80,sm_90,sm_120", "--format", "json"});
  auto rows = llvm::json::parse(run.out);
  ASSERT_TRUE(bool(rows)) << llvm::toString(rows.takeError());
  EXPECT_EQ(rows->getAsArray()->size(), 6u);
  for (const llvm::json::Value &row : *rows->getAsArray()) {
    const llvm::json::Object &object = *row.getAsObject();
    int64_t sum = 0;
    for (const llvm::json::Value &owner : *object.getArray("owners"))
      sum += *owner.getAsObject()->getInteger("registers");
    EXPECT_EQ(sum, *object.getInteger("live"));
    EXPECT_LE(sum, *object.getInteger("registers"));
    EXPECT_GE(10 * *object.getInteger("named"), 9 * sum);
  }
}

} // namespace

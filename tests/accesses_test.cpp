#include "model_builder.h"
#include "read_text.h"
#include "report/accesses.h"
#include "llvm/Support/JSON.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace warplint;
using testing::HasSubstr;

namespace {

class Accesses : public testing::Test, protected ModelBuilder {
protected:
  void addAll() {
    kernel.name = "k<float, 4>";
    kernel.shapes = {{{32, 1, 1}, ShapeSource::Launch, {}}};
    access(element(object("a"), times(thread(), 2), 4), 4);
    access(element(object("s", Space::Shared, 4096), times(thread(), 32), 4), 4,
           Operation::Store, Space::Shared);
    Access &last =
        access(element(object("b"), varying("'m', a \"shuffle\""), 8), 8,
               Operation::Atomic);
    last.text = "b[f(x, y)]";
  }
  std::string csv() {
    std::string text;
    llvm::raw_string_ostream out(text);
    printAccessCsv(accessRows(kernel), "/", out);
    return out.str();
  }
};

TEST_F(Accesses, CsvHasOneLineForEachAccess) {
  addAll();
  EXPECT_EQ(
      csv(),
      "file,line,column,kernel,block,block_from,space,op,bytes,"
      "sectors_per_request,ideal_sectors_per_request,conflict_ways,low,high,"
      "lanes,basis,needed,object,text,depends_on,loops\n"
      "/k.cu,20,5,\"k<float, "
      "4>\",32x1x1,launch,global,load,4,8,4,,8,8,32,exact,each time,"
      "a,a[i],,\n"
      "/k.cu,21,5,\"k<float, 4>\",32x1x1,launch,shared,store,4,,,32,32,32,32,"
      "exact,each time,a,a[i],,\n"
      "/k.cu,22,5,\"k<float, "
      "4>\",32x1x1,launch,global,atomic,8,,,,,,,unknown,each time,a,"
      "\"b[f(x, y)]\",\"'m', a \"\"shuffle\"\"\",\n");
}

// Fragments of matrices are arrays that the code around them indexes by
// constants: a list of local accesses would hide those that are in memory.
TEST_F(Accesses, AnArrayWithKnownIndexesIsInRegisters) {
  SourceModel model =
      readText("__device__ void fill(float *to, const float *from, int t) {\n"
               "#pragma unroll 1\n"
               "  for (int i = 0; i < 8; ++i) to[i] = from[i * 32 + t];\n}\n"
               "__global__ void k(float *a, const float *b, int at) {\n"
               "  float known[8], open[8];\n"
               "  for (int i = 0; i < 8; ++i) known[i] = b[i * 32];\n"
               "  fill(open, b, threadIdx.x);\n"
               "  for (int i = 0; i < 8; ++i) a[i] = known[i] * open[at + i];\n"
               "}\n");
  unsigned held = 0, local = 0;
  for (const AccessRow &row : accessRows(model.kernels.at(0))) {
    if (row.cost.space != Space::Local)
      continue;
    ++(row.held ? held : local);
    EXPECT_THAT(costText(row), HasSubstr(row.held ? "in registers: each index"
                                                  : "if it is not in"));
    EXPECT_EQ(row.held, row.access.object == "known") << row.access.text;
  }
  EXPECT_EQ(held, 2u);
  EXPECT_EQ(local, 2u);
}

// Whoever sums requests needs to know how often each is made.
TEST_F(Accesses, LoopsHaveTheirIterations) {
  SourceModel model =
      readText("__global__ void k(float *a, const float *b, int n) {\n"
               "  for (int i = 0; i < 20; ++i)\n"
               "    for (int j = 0; j < n; ++j)\n"
               "      a[threadIdx.x] += b[(i * n + j) * 32 + threadIdx.x];\n"
               "}\n");
  const std::vector<AccessRow> rows = accessRows(model.kernels.at(0));
  ASSERT_EQ(rows.at(0).loops.size(), 2u);
  EXPECT_EQ(rows[0].loops[0].trips, 20);
  EXPECT_FALSE(rows[0].loops[0].isAssumed);
  EXPECT_TRUE(rows[0].loops[1].isAssumed);
  EXPECT_EQ(rows[0].loops[1].bound, "n");
  std::string text;
  llvm::raw_string_ostream out(text);
  printAccessCsv(rows, "/", out);
  EXPECT_THAT(out.str(), HasSubstr(",2:20;3:~512\n"));
}

// The hardware's figure of a line is that of its requests: one before the loop
// weighs next to nothing against one in each iteration.
TEST_F(Accesses, LoadsThatStayInARegisterDoNotDiluteTheirLine) {
  kernel.shapes = {{{32, 1, 1}, ShapeSource::Launch, {}}};
  auto onLine = [&](unsigned line, Need need, uint64_t stride) {
    Access &made = access(element(object("a"), times(thread(), stride), 4), 4);
    made.place.line = line;
    made.need = need;
  };
  onLine(30, Need::EachTime, 8);
  onLine(30, Need::Once, 1);
  onLine(31, Need::Once, 1);
  onLine(32, Need::Never, 1);
  std::vector<AccessRow> rows = accessRows(kernel);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_FALSE(rows[0].held);
  EXPECT_TRUE(rows[1].held) << "its line is told by what repeats";
  EXPECT_FALSE(rows[2].held) << "it is all that its line does";
  EXPECT_TRUE(rows[3].held) << "no request at all";
  EXPECT_THAT(csv(), HasSubstr("load,4,,,,,,32,register,once,a"));
}

TEST_F(Accesses, JsonOmitsUnknownFigures) {
  addAll();
  std::string text;
  llvm::raw_string_ostream out(text);
  printAccessJson(accessRows(kernel), out);
  auto json = llvm::json::parse(out.str());
  ASSERT_TRUE(bool(json)) << llvm::toString(json.takeError());
  const llvm::json::Array *rows = json->getAsObject()->getArray("accesses");
  ASSERT_EQ(rows->size(), 3u);
  const llvm::json::Object &global = *(*rows)[0].getAsObject();
  EXPECT_EQ(global.getNumber("sectorsPerRequest"), 8.0);
  EXPECT_EQ(global.get("conflictWays"), nullptr);
  EXPECT_EQ((*rows)[1].getAsObject()->getNumber("conflictWays"), 32.0);
  const llvm::json::Object &unknown = *(*rows)[2].getAsObject();
  EXPECT_EQ(unknown.get("sectorsPerRequest"), nullptr);
  EXPECT_EQ(unknown.getString("dependsOn"), "'m', a \"shuffle\"");
}

TEST_F(Accesses, TheTableMarksAssumedFigures) {
  kernel.shapes = {{{256, 1, 1}, ShapeSource::Assumed, {}}};
  access(element(object("a"), add(thread(), argument("n")), 4), 4);
  std::string text;
  llvm::raw_string_ostream out(text);
  printAccessTable(accessRows(kernel), "/", out);
  EXPECT_THAT(out.str(), HasSubstr("k, blocks of 256x1x1 (assumed)\n"));
  EXPECT_THAT(out.str(), HasSubstr("4 sectors, 4 needed (4 to 5, by sizes that "
                                   "are not known)"));
}

// Kernel arguments cost no memory traffic.
TEST_F(Accesses, ParametersAreNotListed) {
  access(object("p", Space::Parameter), 4, Operation::Load, Space::Parameter);
  EXPECT_TRUE(accessRows(kernel).empty());
}

} // namespace

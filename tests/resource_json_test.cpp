// The resources of kernels as JSON, and back.
#include "report/resources/resource_json.h"
#include "resource_rows.h"
#include "version.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

ResourceReport report() {
  ResourceReport report;
  report.warplint = WARPLINT_VERSION;
  report.rows = {with(row("void k<float>(float*)"), 40, 8), row("plain")};
  ResourceRow &first = report.rows[0];
  first.kernel = "k<float>";
  first.mangled = "_Z1kIfEvPT_";
  first.place = {"a.cu", 12, 0};
  first.flags = "-maxrregcount=40 -DN=\"x\"";
  first.barriers = 1;
  first.occupancy = 50;
  first.launches = {{"256x1x1", 50, "registers"}};
  first.spillLines = {{"a.cu", 14, 3}};
  report.missing = {{"b.cu", "not compiled: nvcc stopped"}};
  return report;
}

TEST(ResourceJson, RoundTrips) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printResourceJson(report(), {}, out);
  llvm::Expected<ResourceReport> read = readResourceJson(text, "old.json");
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(read->rows, report().rows);
  EXPECT_EQ(read->missing, report().missing);
}

std::string file(const ResourceReport &report) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printResourceFile(report, out);
  return text;
}

// A merge conflict, a blame and a review want one line for one kernel.
TEST(ResourceFile, HasOneLineForEachKernelInAnyOrder) {
  ResourceReport turned = report();
  std::swap(turned.rows[0], turned.rows[1]);
  EXPECT_EQ(file(report()), file(turned));
  EXPECT_EQ(
      file(report()),
      "{\n\"warplint\": \"" WARPLINT_VERSION "\",\n\"schema\": 1,\n"
      "\"toolkit\": \"13.0.88\",\n\"resources\": [\n"
      "{\"source\":\"a.cu\",\"signature\":\"plain\",\"arch\":\"sm_90\","
      "\"spillStores\":0,\"spillLoads\":0,\"stack\":0,\"registers\":32,"
      "\"shared\":0},\n"
      "{\"source\":\"a.cu\",\"signature\":\"void k<float>(float*)\",\"arch\":"
      "\"sm_90\",\"flags\":\"-maxrregcount=40 "
      "-DN=\\\"x\\\"\",\"spillStores\":8,"
      "\"spillLoads\":8,\"stack\":8,\"occupancy\":50,\"registers\":40,"
      "\"shared\":0,\"barriers\":1}\n]\n}\n");
}

TEST(ResourceFile, ComparesLikeTheReportThatItCameFrom) {
  llvm::Expected<ResourceReport> read = readResourceJson(file(report()), "f");
  ASSERT_TRUE(bool(read));
  ResourceComparison comparison = compareResources(
      *read, report(), [](const ResourceRow &) { return true; });
  EXPECT_THAT(comparison.changes, IsEmpty());
  EXPECT_THAT(comparison.notes, IsEmpty());
  EXPECT_THAT(comparison.missing, IsEmpty());
  EXPECT_EQ(comparison.unchanged, 2u);
}

std::string whyNot(llvm::StringRef text) {
  llvm::Expected<ResourceReport> read = readResourceJson(text, "old.json");
  return read ? "read" : llvm::toString(read.takeError());
}

TEST(ResourceJson, AnInvalidReportIsAnError) {
  EXPECT_THAT(whyNot(""), HasSubstr("'old.json' is no report"));
  EXPECT_THAT(whyNot("[]"), HasSubstr("'old.json' is no report"));
  EXPECT_THAT(whyNot("{\"warplint\": \"0.1.0\", \"findings\": []}"),
              HasSubstr("is no report"));
  EXPECT_THAT(
      whyNot("{\"warplint\": \"9\", \"schema\": 99, \"resources\": []}"),
      HasSubstr("of another release"));
  EXPECT_THAT(whyNot("{\"warplint\": \"0.1.0\", \"schema\": 1, "
                     "\"resources\": [3]}"),
              HasSubstr("an entry without a signature"));
}

// A truncated report is an error wherever it is cut.
TEST(ResourceJson, ATruncatedFileIsAnError) {
  std::string whole = file(report());
  for (size_t length = 0; length + 2 < whole.size(); ++length)
    EXPECT_NE(whyNot(whole.substr(0, length)), "read") << length;
}

} // namespace

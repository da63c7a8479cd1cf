// Gates, by which a project keeps spills out of its build, and the handling of
// misspelt or unanswered ones.
#include "report/resources/gate.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace warplint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

ResourceRow gemm() {
  ResourceRow row;
  row.kernel = "ns::gemm<float, 4>";
  row.signature = "void ns::gemm<float, 4>(float*)";
  row.architecture = "sm_90";
  row.source = "src/gemm.cu";
  row.registers = 168;
  row.stack = 64;
  row.spillStores = 24;
  row.spillLoads = 32;
  row.shared = 4096;
  row.barriers = 1;
  return row;
}

/// "yes", "no", "unknown", or the error.
std::string answer(llvm::StringRef text, const ResourceRow &row = gemm()) {
  llvm::Expected<Gate> gate = Gate::parse(text);
  if (!gate)
    return llvm::toString(gate.takeError());
  std::optional<bool> holds = gate->holds(row);
  return !holds ? "unknown" : *holds ? "yes" : "no";
}

TEST(Gates, NumbersAreCompared) {
  EXPECT_EQ(answer("registers > 128"), "yes");
  EXPECT_EQ(answer("registers > 168"), "no");
  EXPECT_EQ(answer("registers >= 168"), "yes");
  EXPECT_EQ(answer("registers < 168"), "no");
  EXPECT_EQ(answer("registers <= 168"), "yes");
  EXPECT_EQ(answer("registers == 168"), "yes");
  EXPECT_EQ(answer("registers = 168"), "yes");
  EXPECT_EQ(answer("registers != 168"), "no");
  EXPECT_EQ(answer("registers!=167"), "yes");
}

TEST(Gates, SpillCountsStoresAndLoads) {
  EXPECT_EQ(answer("spill > 55"), "yes");
  EXPECT_EQ(answer("spill > 56"), "no");
}

TEST(Gates, FieldsMayBeSpeltAsInJsonOrTheTable) {
  EXPECT_EQ(answer("spillStores == 24"), "yes");
  EXPECT_EQ(answer("spill_loads == 32"), "yes");
  EXPECT_EQ(answer("Spill-Stores == 24"), "yes");
}

TEST(Gates, TextsAreEqualOrContainAPattern) {
  EXPECT_EQ(answer("arch == sm_90"), "yes");
  EXPECT_EQ(answer("arch != sm_80"), "yes");
  EXPECT_EQ(answer("kernel =~ gemm"), "yes");
  EXPECT_EQ(answer("kernel =~ ^gemm"), "no");
  EXPECT_EQ(answer("kernel !~ debug_"), "yes");
  EXPECT_EQ(answer("kernel == 'ns::gemm<float, 4>'"), "yes");
  EXPECT_EQ(answer("source =~ ^src/(gemm|conv)\\.cu$"), "yes");
}

TEST(Gates, AndBindsCloserThanOr) {
  EXPECT_EQ(answer("spill > 0 and arch == sm_80"), "no");
  EXPECT_EQ(answer("arch == sm_80 and spill > 0 or registers > 128"), "yes");
  EXPECT_EQ(answer("arch == sm_80 and (spill > 0 or registers > 128)"), "no");
  EXPECT_EQ(answer("not arch == sm_80 and not (spill == 0)"), "yes");
}

TEST(Gates, ABracketMayFollowAPattern) {
  EXPECT_EQ(answer("(kernel =~ ns::(gemm|conv)) and (spill > 0)"), "yes");
}

// A gate that counts unknown values as "no" would let every spill pass.
TEST(Gates, AMissingValueIsNotANumber) {
  ResourceRow row = gemm();
  row.spillLoads.reset();
  EXPECT_EQ(answer("spill > 0", row), "unknown");
  EXPECT_EQ(answer("not spill > 0", row), "unknown");
  EXPECT_EQ(answer("occupancy < 50", row), "unknown");
  EXPECT_EQ(answer("spill > 0 and registers < 100", row), "no");
  EXPECT_EQ(answer("spill > 0 or registers > 100", row), "yes");
  EXPECT_EQ(answer("spill > 0 and registers > 100", row), "unknown");
  row.source.clear();
  EXPECT_EQ(answer("source =~ src", row), "unknown");
}

TEST(Gates, ASyntaxErrorIsReported) {
  EXPECT_EQ(answer("spils > 0"), "'spils > 0' cannot be read: there is no "
                                 "field 'spils'; did you mean 'spill'?");
  EXPECT_THAT(answer("warps > 0"), HasSubstr("no field 'warps'; there are "));
  EXPECT_THAT(answer(""), HasSubstr("a field such as 'spill' is missing"));
  EXPECT_THAT(answer("> 3"), HasSubstr("'> 3' is no field"));
  EXPECT_THAT(answer("spill"), HasSubstr("compared by ==, !=, <"));
  EXPECT_THAT(answer("spill =~ 3"), HasSubstr("compared by ==, !=, <"));
  EXPECT_THAT(answer("spill >"), HasSubstr("a value is missing"));
  EXPECT_THAT(answer("spill > many"),
              HasSubstr("compared with a number, not 'many'"));
  EXPECT_THAT(answer("spill > -1"), HasSubstr("not '-1'"));
  EXPECT_THAT(answer("spill > 99999999999"), HasSubstr("not '99999999999'"));
  EXPECT_THAT(answer("kernel > 3"), HasSubstr("compared by ==, !=, =~"));
  EXPECT_THAT(answer("kernel =~ 'a"), HasSubstr("a quote is not closed"));
  EXPECT_THAT(answer("kernel =~ a[b"), HasSubstr("no regular expression"));
  EXPECT_THAT(answer("(spill > 0"), HasSubstr("a ')' is missing"));
  EXPECT_THAT(answer("spill > 0)"), HasSubstr("')' is left over"));
  EXPECT_THAT(answer("spill > 0 && arch == sm_90"),
              HasSubstr("'&& arch == sm_90' is left over"));
  EXPECT_THAT(answer(std::string(100000, '(')), HasSubstr("more than 200"));
}

std::vector<Gate> gates(std::initializer_list<const char *> texts) {
  std::vector<Gate> result;
  for (const char *text : texts)
    result.push_back(llvm::cantFail(Gate::parse(text)));
  return result;
}

TEST(Gates, ADeniedKernelIsReportedWithItsNumbersAndLines) {
  ResourceReport report;
  report.rows = {gemm()};
  report.rows[0].spillLines = {{"src/gemm.cu", 41, 7}};
  EXPECT_THAT(
      applyGates(report, gates({"spill > 0"}), {}).denied,
      ElementsAre("denied by 'spill > 0': ns::gemm<float, 4> (src/gemm.cu) on "
                  "sm_90: spill stores 24, spill loads 32, stack 64, registers "
                  "168, shared 4096, barriers 1; spills at src/gemm.cu:41"));
}

TEST(Gates, AnAllowedKernelIsSkipped) {
  ResourceReport report;
  report.rows = {gemm(), gemm()};
  report.rows[1].kernel = "debug_dump";
  report.rows[1].spillLoads.reset();
  GateResult result = applyGates(report, gates({"spill > 0"}),
                                 gates({"kernel =~ debug_", "kernel =~ gemm"}));
  EXPECT_THAT(result.denied, IsEmpty());
  EXPECT_THAT(result.unanswered, IsEmpty());
}

TEST(Gates, AnUnansweredGateIsReportedOnce) {
  ResourceReport report;
  report.rows = {gemm(), gemm()};
  EXPECT_THAT(applyGates(report, gates({"occupancy < 50"}), {}).unanswered,
              ElementsAre("'occupancy < 50' cannot be answered for 2 kernels, "
                          "such as ns::gemm<float, 4> (src/gemm.cu) on sm_90: "
                          "the input lacks the value"));
}

} // namespace

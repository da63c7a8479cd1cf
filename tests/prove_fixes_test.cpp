// Tests what two lintings of a source say of the fix between them.
#include "read_text.h"
#include "run/prove_fixes.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;

namespace {

Finding findingWith(Verdict verdict) {
  Finding finding;
  finding.check = "dynamic-local-array";
  finding.place = {"/a.cu", 7, 3};
  finding.kernels.push_back({"k", "_Z1kPf", "sm_90", {verdict, "64 bytes"}});
  finding.edit = Fix{.change = Change::DeclareConst};
  return finding;
}

ResourceReport resources(unsigned spills, unsigned occupancy) {
  ResourceReport report;
  ResourceRow &row = report.rows.emplace_back();
  row.kernel = row.signature = "k";
  row.architecture = "sm_90";
  row.registers = 32;
  row.stack = row.spillStores = row.spillLoads = spills;
  row.occupancy = occupancy;
  return report;
}

struct AttemptOf : testing::Test {
  Finding finding = findingWith(Verdict::Confirmed);
  CopyResult before, after;

  AttemptOf() {
    before.findings = {finding};
    before.resources = after.resources = resources(0, 100);
  }
  FixAttempt attempt() {
    return attemptOf(finding, before, after,
                     [](const Finding &) { return true; });
  }
};

TEST_F(AttemptOf, AFixThatEndsTheFindingIsProven) {
  EXPECT_EQ(attempt().proof, Proof::Proven) << attempt().why;
}

TEST_F(AttemptOf, WhatDoesNotCompileIsRolledBack) {
  after.whyNot = "nvcc stopped at a.cu:3: no";
  EXPECT_EQ(attempt().proof, Proof::RolledBack);
  EXPECT_THAT(attempt().why, HasSubstr("a.cu:3"));
}

TEST_F(AttemptOf, AFindingThatStaysIsQuoted) {
  after.findings = {findingWith(Verdict::Confirmed)};
  EXPECT_EQ(attempt().proof, Proof::RolledBack);
  EXPECT_THAT(attempt().why, HasSubstr("64 bytes"));
  after.findings = {findingWith(Verdict::Unjudged)};
  EXPECT_EQ(attempt().proof, Proof::RolledBack) << "it may still be there";
  after.findings = {findingWith(Verdict::Refuted)};
  EXPECT_EQ(attempt().proof, Proof::Proven);
}

TEST_F(AttemptOf, AKernelThatTakesMoreIsNamed) {
  after.resources = resources(8, 100);
  EXPECT_EQ(attempt().proof, Proof::RolledBack);
  EXPECT_THAT(attempt().why, HasSubstr("'k' takes more"));
  after.resources = resources(0, 50);
  EXPECT_EQ(attempt().proof, Proof::RolledBack);
  after.resources.rows.clear();
  EXPECT_EQ(attempt().proof, Proof::RolledBack) << "the kernel is gone";
}

/// Reads a kernel with this body.
Kernel kernelOf(const std::string &body) {
  SourceModel model = readText(
      "struct S { float *v; };\n"
      "__global__ void k(float *y, const float *v, const S *s, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n" +
      body + "\n}\n");
  EXPECT_EQ(model.kernels.size(), 1u);
  return model.kernels.empty() ? Kernel() : std::move(model.kernels[0]);
}

// The compiler loads a base that is written twice once.
TEST_F(AttemptOf, ABaseThatIsWrittenTwiceIsNotPaidTwice) {
  before.kernels = {kernelOf("y[i] = v[i + n] + powf(v[i], 2.0f);")};
  after.kernels = {kernelOf("float a = 0;\nif (n > 9) a = v[i];\n"
                            "y[i] = v[i + n] + a * v[i];")};
  EXPECT_EQ(attempt().proof, Proof::RolledBack);
  finding.edit =
      Fix{.change = Change::ReplacePower, .kind = FixClass::Rounding};
  finding.about = "pow(w[i], 2)";
  EXPECT_EQ(attempt().proof, Proof::RolledBack);
  finding.about = "pow(v[i], 2)";
  EXPECT_EQ(attempt().proof, Proof::Proven) << attempt().why;
}

// Clang's headers have a power of a float and an int; to nvcc it is one of
// doubles, so the product in double is no growth.
TEST_F(AttemptOf, AProductInDoubleTakesThePlaceOfAPowerInDouble) {
  before.kernels = {kernelOf("float x = v[i];\ny[i] = powf(x, 2);")};
  after.kernels = {kernelOf("float x = v[i];\ny[i] = double(x) * x;")};
  finding.edit = Fix{.change = Change::ReplacePower,
                     .name = "@ * @",
                     .kind = FixClass::Rounding};
  EXPECT_EQ(attempt().proof, Proof::RolledBack);
  finding.edit->name = "double(@) * @";
  EXPECT_EQ(attempt().proof, Proof::Proven) << attempt().why;
}

TEST_F(AttemptOf, AnAccessThroughAVariableOfTheFixIsTheOneOfBefore) {
  before.kernels = {kernelOf("y[i] = s->v[i];")};
  after.kernels = {kernelOf("const auto v_value = s->v;\ny[i] = v_value[i];")};
  EXPECT_EQ(attempt().proof, Proof::RolledBack);
  finding.edit = Fix{.change = Change::LoadOnce, .kind = FixClass::Assumes};
  Edit edit;
  edit.text = "if (0 < n) {\n    const auto v_value = s->v;\n    ";
  finding.edit->edits = {edit};
  EXPECT_EQ(attempt().proof, Proof::Proven) << attempt().why;
}

TEST_F(AttemptOf, WhatCannotBeComparedIsUnproven) {
  before.compiled.units.emplace_back().architecture = "sm_90";
  EXPECT_EQ(attempt().proof, Proof::Unproven);
  finding.edit->kind = FixClass::Rounding;
  EXPECT_EQ(attempt().proof, Proof::Unproven) << "its numbers have to be close";
}

} // namespace

// One suite that holds every check to the same: its page is complete, its
// fixture and the programs in kernels/ say what the linter says, and nvcc
// agrees.
#include "input_folder.h"
#include "kokkos.h"
#include "marks.h"
#include "program.h"
#include "test_paths.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;

namespace {

const std::string root = WARPLINT_SOURCE_DIR;

std::vector<std::string> ids() {
  std::vector<std::string> result;
  for (const Check &check : checks())
    result.emplace_back(check.info.id);
  return result;
}

std::string title(const testing::TestParamInfo<std::string> &info) {
  std::string name;
  for (llvm::StringRef part : llvm::split(info.param, '-'))
    name += llvm::toUpper(part[0]) + part.drop_front().str();
  return name;
}

/// The compiler flags that such a source needs.
std::vector<std::string> flagsFor(llvm::StringRef text) {
  return speaksOfKokkos(text) ? kokkosCudaFlags() : std::vector<std::string>();
}

#define NEEDS_KOKKOS_FOR(text)                                                 \
  if (speaksOfKokkos(text))                                                    \
  NEEDS_REAL_KOKKOS()

class Checks : public testing::TestWithParam<std::string> {
protected:
  const CheckInfo &info() const { return findCheck(GetParam())->info; }
  bool needsCompiledCode() const { return !findCheck(GetParam())->inspect; }
};

// `warplint explain ID` is all that a user has to decide with.
TEST_P(Checks, PageIsComplete) {
  EXPECT_FALSE(info().summary.empty());
  EXPECT_NE(info().summary.back(), '.');
  EXPECT_EQ(info().summary.find('\n'), info().summary.npos);
  EXPECT_EQ(info().summary.find(". "), info().summary.npos) << "one sentence";
  EXPECT_TRUE(llvm::isLower(info().summary.front()));
  for (std::string_view part :
       {info().why, info().slow, info().fast, info().cures, info().whenNot,
        info().ncu, info().since})
    EXPECT_FALSE(llvm::StringRef(part.data(), part.size()).trim().empty());
}

TEST_P(Checks, IsOneFileWithItsFixture) {
  EXPECT_TRUE(llvm::sys::fs::exists(root + "/checks/" + GetParam() + ".cpp"));
  EXPECT_TRUE(llvm::sys::fs::exists(root + "/fixtures/" + GetParam() + ".cu"));
}

// A finding too few or too many in the fixture is one in users' code.
TEST_P(Checks, FixtureHasTheMarkedFindings) {
  if (needsCompiledCode() && nvccForTests().empty())
    GTEST_SKIP() << "no nvcc, and only compiled code shows this";
  std::string fixture = root + "/fixtures/" + GetParam() + ".cu";
  const std::string source = readFile(fixture);
  NEEDS_KOKKOS_FOR(source);
  expectAsMarked(linted({fixture}, {GetParam()}, {}, flagsFor(source)), fixture,
                 GetParam());
  for (const auto &[line, id] : marksOf(fixture).expected)
    EXPECT_TRUE(findCheck(id)) << fixture << ":" << line << " names " << id;
}

// Copying `fast` from the page removes the warning.
TEST_P(Checks, PageShowsOneFlaggedAndOneCleanKernel) {
  if (needsCompiledCode() && nvccForTests().empty())
    GTEST_SKIP() << "no nvcc, and only compiled code shows this";
  InputFolder folder;
  auto text = [](std::string_view code) {
    return llvm::StringRef(code.data(), code.size());
  };
  NEEDS_KOKKOS_FOR(text(info().slow));
  std::string slow = folder.write("slow.cu", text(info().slow));
  std::string fast = folder.write("fast.cu", text(info().fast));
  Report report =
      linted({slow, fast}, {GetParam()}, {}, flagsFor(text(info().slow)));
  bool flagged = false;
  for (const Finding &finding : report.findings) {
    if (finding.place.file == slow)
      flagged |=
          finding.verdict() ==
          (nvccForTests().empty() ? Verdict::Unjudged : Verdict::Confirmed);
    else
      EXPECT_EQ(finding.verdict(), Verdict::Refuted) << finding.message;
  }
  EXPECT_TRUE(flagged);
}

// The figures are what makes a reader believe the page; an opinion may still
// have none.
TEST_P(Checks, PageQuotesTheMeasuredFigures) {
  Outcome page = runProgram({"explain", GetParam()});
  EXPECT_EQ(page.code, 0);
  auto rows = llvm::json::parse(readFile(root + "/kernels/measured.json"));
  ASSERT_TRUE(bool(rows)) << llvm::toString(rows.takeError());
  unsigned cases = 0;
  for (const llvm::json::Value &row : *rows->getAsArray()) {
    const llvm::json::Object &object = *row.getAsObject();
    if (object.getString("check") != GetParam())
      continue;
    ++cases;
    EXPECT_THAT(page.out, HasSubstr(object.getString("what")->str()));
    EXPECT_THAT(page.out, HasSubstr(object.getString("device")->str()));
  }
  if (info().level == Level::Opinion)
    return;
  EXPECT_GT(cases, 0u);
  EXPECT_TRUE(llvm::sys::fs::exists(root + "/kernels/" + GetParam() + ".cu"));
}

INSTANTIATE_TEST_SUITE_P(, Checks, testing::ValuesIn(ids()), title);

// A file that enrols nothing, or a fixture that nobody runs, looks like work
// that was done.
TEST(AllChecks, EveryFileBelongsToACheck) {
  for (const std::string &file : filesIn("checks", ".cpp"))
    EXPECT_TRUE(findCheck(llvm::sys::path::stem(file).str())) << file;
  for (const std::string &file : filesIn("fixtures", ".cu"))
    EXPECT_TRUE(findCheck(llvm::sys::path::stem(file).str())) << file;
}

// The table of docs/design.md is where a reader learns what a verdict rests on.
TEST(AllChecks, DesignSaysWhatConfirmsAndRefutesEachFinding) {
  std::vector<std::string> rows;
  const std::string design = readFile(root + "/docs/design.md");
  llvm::StringRef table = llvm::StringRef(design)
                              .split("| check | confirmed | refuted |\n")
                              .second.split("\n\n")
                              .first;
  for (llvm::StringRef line : llvm::split(table, '\n')) {
    llvm::SmallVector<llvm::StringRef> cells;
    line.split(cells, '|');
    ASSERT_EQ(cells.size(), 5u) << line.str();
    const std::string id = cells[1].trim().str();
    if (id == "---")
      continue;
    rows.push_back(id);
    const Check *check = findCheck(id);
    ASSERT_TRUE(check) << id;
    EXPECT_TRUE(check->judge || check->inspectCompiled) << id;
    EXPECT_EQ(bool(check->inspectCompiled),
              cells[2].contains("found in the compiled code"))
        << id;
    if (!check->judge) {
      EXPECT_EQ(cells[3].trim(), "never") << id;
    }
  }
  EXPECT_TRUE(llvm::is_sorted(rows));
  // An opinion may still be without its row, as it may be without figures.
  for (const Check &check : checks())
    if (check.info.level != Level::Opinion) {
      EXPECT_TRUE(llvm::is_contained(rows, check.info.id))
          << check.info.id << " has no row";
    }
}

TEST(AllChecks, EveryMeasuredCaseBelongsToACheckAndItsProgram) {
  auto rows = llvm::json::parse(readFile(root + "/kernels/measured.json"));
  ASSERT_TRUE(bool(rows)) << llvm::toString(rows.takeError());
  for (const llvm::json::Value &row : *rows->getAsArray()) {
    std::string id = row.getAsObject()->getString("check")->str();
    std::string name = row.getAsObject()->getString("case")->str();
    EXPECT_TRUE(findCheck(id)) << id;
    EXPECT_THAT(readFile(root + "/kernels/" + id + ".cu"),
                HasSubstr("\"" + name + "\""));
  }
}

class Kernels : public testing::TestWithParam<std::string> {};

// Whole programs, with all checks on: what a user's first run is like. For the
// architecture that they were measured on: which launch bounds are tight, for
// one, differs.
TEST_P(Kernels, HaveTheMarkedFindings) {
  const std::string source = readFile(GetParam());
  NEEDS_KOKKOS_FOR(source);
  expectAsMarked(linted({GetParam()}, {}, {"sm_90"}, flagsFor(source)),
                 GetParam());
}

INSTANTIATE_TEST_SUITE_P(, Kernels,
                         testing::ValuesIn(filesIn("kernels", ".cu")),
                         [](const testing::TestParamInfo<std::string> &info) {
                           std::string name =
                               llvm::sys::path::stem(info.param).str();
                           llvm::replace(name, '-', '_');
                           return name;
                         });

} // namespace

// One suite that holds every check to the same: its page is complete, its
// fixture and the programs in kernels/ say what the linter says, and nvcc
// agrees.
#include "findings/check.h"
#include "input_folder.h"
#include "nvcc.h"
#include "pipeline.h"
#include "program.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"
#include <gmock/gmock.h>
#include <map>
#include <set>

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

std::vector<std::string> filesIn(llvm::StringRef folder,
                                 llvm::StringRef ending) {
  std::vector<std::string> files;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator
           entry(root + "/" + folder.str(), error),
       end;
       !error && entry != end; entry.increment(error))
    if (llvm::StringRef(entry->path()).ends_with(ending))
      files.push_back(entry->path());
  llvm::sort(files);
  return files;
}

Report linted(std::vector<std::string> files, std::vector<std::string> enabled,
              std::vector<std::string> architectures = {}) {
  Options options;
  options.architectures = std::move(architectures);
  options.command = CommandName::Check;
  options.sources.paths = std::move(files);
  options.enabled = std::move(enabled);
  options.allChecks = options.enabled.empty();
  auto report = check(options);
  if (!report) {
    ADD_FAILURE() << llvm::toString(report.takeError());
    return {};
  }
  for (const UnreadSource &unread : report->unread)
    ADD_FAILURE() << unread.source << ": " << unread.firstError;
  return std::move(*report);
}

/// A line and a check.
using Mark = std::pair<unsigned, std::string>;

struct Marks {
  std::set<Mark> expected, refuted;
};

std::set<std::string> checksAfter(llvm::StringRef word, llvm::StringRef line) {
  std::set<std::string> result;
  for (size_t at = line.find(word); at != llvm::StringRef::npos;
       at = line.find(word, at + 1)) {
    llvm::StringRef rest = line.substr(at + word.size());
    result.insert(
        rest.take_while([](char c) { return llvm::isAlnum(c) || c == '-'; })
            .str());
  }
  return result;
}

Marks marksOf(const std::string &file) {
  Marks marks;
  std::string text = readFile(file);
  unsigned number = 0;
  for (llvm::StringRef line : llvm::split(text, '\n')) {
    ++number;
    for (const std::string &id : checksAfter("// expect: ", line))
      marks.expected.insert({number, id});
    for (const std::string &id : checksAfter("// refuted: ", line))
      marks.refuted.insert({number, id});
  }
  return marks;
}

struct Seen {
  std::set<Verdict> verdicts;
  std::string text; ///< for whoever has to look into it
};

std::map<Mark, Seen> seenIn(const Report &report, const std::string &file) {
  std::map<Mark, Seen> result;
  for (const Finding &finding : report.findings) {
    if (finding.place.file != file)
      continue;
    Seen &seen = result[{finding.place.line, finding.check}];
    seen.verdicts.insert(finding.verdict());
    seen.text += finding.message;
    for (const FindingKernel &kernel : finding.kernels)
      seen.text += "\n    " + kernel.name + ": " +
                   spelling(kernel.judgement.verdict) + ", " +
                   kernel.judgement.evidence;
    seen.text += '\n';
  }
  return result;
}

/// With nvcc a mark means confirmed or refuted; without it both are unjudged.
/// `only`: the marks of one check; empty: of all.
void expectAsMarked(const Report &report, const std::string &file,
                    const std::string &only = "") {
  const bool judged = !nvccForTests().empty();
  const std::map<Mark, Seen> seen = seenIn(report, file);
  Marks marks = marksOf(file);
  // What only compiled code shows, nobody sees without it.
  if (!judged)
    std::erase_if(marks.expected, [&](const Mark &mark) {
      const Check *check = findCheck(mark.second);
      return check && check->inspectCompiled && !seen.count(mark);
    });
  for (std::set<Mark> *some : {&marks.expected, &marks.refuted})
    std::erase_if(*some, [&](const Mark &mark) {
      return !only.empty() && mark.second != only;
    });
  EXPECT_FALSE(marks.expected.empty() && marks.refuted.empty() &&
               llvm::StringRef(file).contains("fixtures"))
      << file << " has no marks";
  auto at = [&](const Mark &mark) {
    auto found = seen.find(mark);
    return found == seen.end() ? Seen() : found->second;
  };
  auto where = [&](const Mark &mark) {
    return file + ":" + std::to_string(mark.first) + ": " + mark.second;
  };
  for (const Mark &mark : marks.expected)
    EXPECT_TRUE(at(mark).verdicts.count(judged ? Verdict::Confirmed
                                               : Verdict::Unjudged))
        << where(mark) << " is not " << (judged ? "confirmed" : "found") << ": "
        << at(mark).text;
  for (const Mark &mark : marks.refuted)
    EXPECT_EQ(at(mark).verdicts,
              std::set{judged ? Verdict::Refuted : Verdict::Unjudged})
        << where(mark) << " is not " << (judged ? "refuted" : "found") << ": "
        << at(mark).text;
  for (const auto &[mark, what] : seen) {
    if (marks.expected.count(mark) || marks.refuted.count(mark))
      continue;
    EXPECT_EQ(what.verdicts, std::set{Verdict::Refuted})
        << where(mark) << " is not marked: " << what.text;
  }
}

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
TEST_P(Checks, FixtureIsFoundAsItIsMarked) {
  if (needsCompiledCode() && nvccForTests().empty())
    GTEST_SKIP() << "no nvcc, and only compiled code shows this";
  std::string fixture = root + "/fixtures/" + GetParam() + ".cu";
  expectAsMarked(linted({fixture}, {GetParam()}), fixture, GetParam());
  for (const auto &[line, id] : marksOf(fixture).expected)
    EXPECT_TRUE(findCheck(id)) << fixture << ":" << line << " names " << id;
}

// Whoever copies `fast` from the page is rid of the warning.
TEST_P(Checks, PageShowsOneFlaggedAndOneCleanKernel) {
  if (needsCompiledCode() && nvccForTests().empty())
    GTEST_SKIP() << "no nvcc, and only compiled code shows this";
  InputFolder folder;
  auto text = [](std::string_view code) {
    return llvm::StringRef(code.data(), code.size());
  };
  std::string slow = folder.write("slow.cu", text(info().slow));
  std::string fast = folder.write("fast.cu", text(info().fast));
  Report report = linted({slow, fast}, {GetParam()});
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
TEST_P(Checks, PageQuotesWhatWasMeasured) {
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
TEST_P(Kernels, AreFoundAsTheyAreMarked) {
  expectAsMarked(linted({GetParam()}, {}, {"sm_90"}), GetParam());
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

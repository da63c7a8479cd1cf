#include "report/text.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace warplint;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

namespace {

/// A folder with one source in it, gone after the test.
class Text : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> folder;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("warplint-text", folder));
    folder_ = folder.str().str();
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder_); }

  std::string write(llvm::StringRef name, llvm::StringRef content) {
    llvm::SmallString<128> path(folder_);
    llvm::sys::path::append(path, name);
    llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path));
    std::error_code error;
    llvm::raw_fd_ostream out(path, error);
    EXPECT_FALSE(error);
    out << content;
    return path.str().str();
  }

  std::string printed(const Report &report, bool refuted = false,
                      bool colour = false) const {
    std::string text;
    llvm::raw_string_ostream out(text);
    printText(report, {colour, refuted, folder_}, out);
    return text;
  }

  std::string folder_;
};

FindingKernel kernel(std::string name, std::string architecture,
                     Verdict verdict, std::string evidence) {
  return {name, "_Z" + name, architecture, {verdict, evidence}};
}

Finding gather(std::string file) {
  Finding finding;
  finding.check = "dynamic-local-array";
  finding.place = {file, 2, 31};
  finding.message = "index of 'count' varies at run time, so the array lives "
                    "in local memory";
  finding.fix = "'warplint explain dynamic-local-array' shows three";
  finding.kernels = {kernel("gather", "sm_90", Verdict::Confirmed,
                            "'count' is all 256 bytes of the stack frame")};
  return finding;
}

Finding with(std::vector<FindingKernel> kernels) {
  Finding finding;
  finding.check = "c";
  finding.place = {"/gone.cu", 1, 1};
  finding.message = "m";
  finding.kernels = std::move(kernels);
  return finding;
}

const char *const source = "__global__ void gather(int n) {\n"
                           "  for (int i = 0; i < n; ++i) count[bin[i]] += 1;\n"
                           "}\n";

} // namespace

TEST_F(Text, FormatOfAFinding) {
  Report report;
  report.findings = {
      gather(write("src/gather.cu", source)),
      with({kernel("k", "sm_90", Verdict::Refuted, "no frame")}),
      with({kernel("l", "sm_90", Verdict::Refuted, "no frame")})};
  EXPECT_EQ(
      printed(report),
      R"(src/gather.cu:2:31: warning: index of 'count' varies at run time, so the array lives in local memory [dynamic-local-array]
    2 |   for (int i = 0; i < n; ++i) count[bin[i]] += 1;
      |                               ^
      = sm_90: 'count' is all 256 bytes of the stack frame: confirmed
      = in Nsight Compute: Memory Workload Analysis: local loads and stores; Source Counters: LDL and STL by line
      = fix: 'warplint explain dynamic-local-array' shows three
1 warning, 2 suspicions refuted by the compiled code (--refuted shows them)
)");
}

TEST_F(Text, ColoursAreThoseOfCompilers) {
  Report report;
  report.findings = {gather(write("src/gather.cu", source))};
  report.notes = {"n"};
  EXPECT_EQ(
      printed(report, false, /*colour=*/true),
      "\x1b[1msrc/gather.cu:2:31: \x1b[0;1;35mwarning: \x1b[0m\x1b[1mindex of "
      "'count' varies at run time, so the array lives in local memory\x1b[0m "
      "[dynamic-local-array]\n"
      "    2 |   for (int i = 0; i < n; ++i) count[bin[i]] += 1;\n"
      "      |                               \x1b[0;1;32m^\x1b[0m\n"
      "      = sm_90: 'count' is all 256 bytes of the stack frame: confirmed\n"
      "      = in Nsight Compute: Memory Workload Analysis: local loads and "
      "stores; Source Counters: LDL and STL by line\n"
      "      = fix: 'warplint explain dynamic-local-array' shows three\n"
      "1 warning\n"
      "\x1b[0;1;36mnote: \x1b[0mn\n");
  EXPECT_THAT(printed(report), Not(HasSubstr("\x1b")));
}

// A terminal obeys escape sequences, and a line of "::error" is an error for
// GitHub's runner.
TEST_F(Text, ANameForgesNeitherLinesNorColours) {
  const std::string forged = "\x1b[2J\n::error file=a.cu::forged\r\n";
  Finding finding = gather(folder_ + "/" + forged);
  finding.message += forged;
  finding.notes = {"in " + forged};
  finding.callSites = {{"/b" + forged, 1, 2}};
  finding.kernels[0].name += forged;
  finding.kernels[0].judgement.evidence += forged;
  finding.fix += "\x1b[2J";
  Report report;
  report.findings = {finding};
  report.unread = {{"/c" + forged, "d" + forged, false}};
  report.unreadKernels = {{"/e" + forged, "f" + forged, "g" + forged}};
  report.notes = {"h" + forged};
  const std::string text = printed(report);
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("\r")));
  EXPECT_THAT(text, Not(HasSubstr("\n::")));
  EXPECT_THAT(text, Not(HasSubstr("\n        ::")));
  EXPECT_THAT(text, HasSubstr("\uFFFD[2J\uFFFD::error file=a.cu::forged"));
}

// The file may have changed, or gone, since it was read.
TEST_F(Text, WithoutTheSourceThereIsNoSnippet) {
  Report report;
  report.findings = {gather(folder_ + "/gone.cu"),
                     gather(write("short.cu", "one line\n"))};
  for (Finding &finding : report.findings)
    finding.message = "m";
  EXPECT_EQ(printed(report),
            R"(gone.cu:2:31: warning: m [dynamic-local-array]
      = sm_90: 'count' is all 256 bytes of the stack frame: confirmed
      = in Nsight Compute: Memory Workload Analysis: local loads and stores; Source Counters: LDL and STL by line
      = fix: 'warplint explain dynamic-local-array' shows three
short.cu:2:31: warning: m [dynamic-local-array]
      = sm_90: 'count' is all 256 bytes of the stack frame: confirmed
      = fix: 'warplint explain dynamic-local-array' shows three
2 warnings
)");
}

TEST_F(Text, EqualEvidenceIsOneLine) {
  Report report;
  report.findings = {
      with({kernel("k<4>", "sm_80", Verdict::Confirmed, "64 loads"),
            kernel("k<4>", "sm_90", Verdict::Confirmed, "64 loads"),
            kernel("k<8>", "sm_80", Verdict::Confirmed, "64 loads"),
            kernel("k<8>", "sm_90", Verdict::Confirmed, "64 loads"),
            kernel("k<16>", "sm_80", Verdict::Refuted, "no frame"),
            kernel("k<16>", "sm_90", Verdict::Unjudged, "nvcc failed")})};
  EXPECT_EQ(printed(report), R"(/gone.cu:1:1: warning: m [c]
      = confirmed for sm_80 and sm_90 in 'k<4>' and 'k<8>'
      = sm_80, sm_90: in 'k<4>' and 'k<8>': 64 loads: confirmed
      = sm_90: in 'k<16>': unjudged: nvcc failed
      = sm_80: in 'k<16>': no frame: refuted
1 warning
)");
}

// The user decides by this one line whether to look at the finding.
TEST_F(Text, FirstShowsWhereAFindingHolds) {
  auto firstLine = [&](std::vector<FindingKernel> kernels) {
    Report report;
    report.findings = {with(std::move(kernels))};
    return llvm::StringRef(printed(report))
        .split('\n')
        .second.split('\n')
        .first.ltrim(" =")
        .str();
  };
  auto held = [](const char *name, const char *architecture) {
    return kernel(name, architecture, Verdict::Confirmed, "64 loads");
  };
  auto not_ = [](const char *name, const char *architecture) {
    return kernel(name, architecture, Verdict::Refuted, "");
  };
  EXPECT_EQ(firstLine({not_("k<4>", "sm_80"), not_("k<4>", "sm_90"),
                       held("k<8>", "sm_80"), held("k<8>", "sm_90")}),
            "confirmed for sm_80 and sm_90 in 'k<8>', not in 'k<4>'");
  EXPECT_EQ(firstLine({not_("k", "sm_80"), held("k", "sm_90")}),
            "confirmed for sm_90, not for sm_80");
  EXPECT_EQ(firstLine({not_("k<4>", ""), held("k<8>", "")}),
            "confirmed in 'k<8>', not in 'k<4>'");
  EXPECT_EQ(firstLine({held("k<4>", "sm_80"), held("k<4>", "sm_90"),
                       not_("k<8>", "sm_80"), held("k<8>", "sm_90"),
                       not_("k<16>", "sm_80"), not_("k<16>", "sm_90")}),
            "confirmed for sm_80 and sm_90 in 'k<4>', for sm_90 in 'k<8>', not "
            "in 'k<16>'");
  EXPECT_EQ(firstLine({held("k<4>", "sm_80"), held("k<8>", "sm_80")}),
            "sm_80: in 'k<4>' and 'k<8>': 64 loads: confirmed");
}

// A template with a dozen instances is still one finding that can be read.
TEST_F(Text, EvidenceThatDiffersInNumbersIsAbridged) {
  Report report;
  std::vector<FindingKernel> kernels;
  for (const char *name : {"a", "b", "c", "d", "e"})
    for (const char *architecture : {"sm_80", "sm_90"})
      kernels.push_back(kernel(name, architecture, Verdict::Confirmed,
                               std::string(name) + architecture));
  report.findings = {with(kernels)};
  EXPECT_EQ(printed(report), R"(/gone.cu:1:1: warning: m [c]
      = sm_80: in 'a': asm_80: confirmed
      = sm_90: in 'a': asm_90: confirmed
      = likewise in 'b', 'c', 'd' and 1 more on sm_80 and sm_90: confirmed
1 warning
)");
}

TEST_F(Text, ManyInstancesAreAbridged) {
  Report report;
  std::vector<FindingKernel> kernels;
  for (const char *name : {"a", "b", "c", "d", "e"})
    kernels.push_back(kernel(name, "", Verdict::Unjudged, "no nvcc found"));
  report.findings = {with(kernels)};
  EXPECT_EQ(printed(report), R"(/gone.cu:1:1: warning: m [c]
      = in 'a', 'b', 'c' and 2 more: unjudged: no nvcc found
1 warning (unjudged: no nvcc found)
)");
}

// A compiler's message of 200 characters stood at each finding of the source.
TEST_F(Text, ALongReasonIsSaidOnce) {
  const char *message =
      "nvcc stopped at /project/include/utils.h:25: mpi.h: No such file";
  const Finding one = with({kernel("a", "sm_90", Verdict::Unjudged, message)}),
                two = with({kernel("b", "sm_90", Verdict::Unjudged, message)});
  Report report;
  report.findings = {one, two};
  const std::string text = printed(report);
  EXPECT_THAT(text, HasSubstr("sm_90: unjudged: " + std::string(message)));
  EXPECT_THAT(text, HasSubstr("sm_90: unjudged: as above\n"));
}

// Five instances of one template were five equal lines, and hid the others.
TEST_F(Text, InstancesThatWereNotReadAreOneLine) {
  Report report;
  for (const char *name : {"a", "k", "k", "k", "b", "c", "d", "e"})
    report.unreadKernels.push_back({folder_ + "/x.cu", name, "an error"});
  const std::string text = printed(report);
  EXPECT_THAT(text, HasSubstr("x.cu: kernel 'a' not read: an error\n"
                              "x.cu: 3 instances of kernel 'k' not read: an "
                              "error\n"));
  EXPECT_THAT(text, HasSubstr("kernel 'd' not read"));
  EXPECT_THAT(text, HasSubstr("\n1 more kernel not read\n"));
}

TEST_F(Text, PrintsNotesCallsAndSeveralLines) {
  Report report;
  Finding finding =
      with({kernel("solve<4>", "sm_90", Verdict::Unjudged,
                   "nvcc failed:\nfatal error: a.h: no such file\n")});
  finding.notes = {"lane 0 reads a[0], lane 1 reads a[32]"};
  finding.callSites = {{folder_ + "/k.cu", 40, 5}, {folder_ + "/u.cuh", 8, 3}};
  report.findings = {finding};
  EXPECT_EQ(printed(report), R"(/gone.cu:1:1: warning: m [c]
      = sm_90: unjudged: nvcc failed:
        fatal error: a.h: no such file
      = lane 0 reads a[0], lane 1 reads a[32]
      = called from u.cuh:8:3, called from k.cu:40:5 in 'solve<4>'
1 warning (unjudged)
)");
}

// Twelve calls deep in Kokkos Kernels, a line of 700 characters.
TEST_F(Text, OfManyCallsTheInnermostAndTheKernelsAreNamed) {
  Report report;
  Finding finding = with({kernel("k", "sm_90", Verdict::Confirmed, "")});
  for (unsigned line : {40, 30, 20, 10})
    finding.callSites.push_back({folder_ + "/u.cuh", line, 1});
  report.findings = {finding};
  EXPECT_THAT(
      printed(report),
      HasSubstr("called from u.cuh:10:1, called from u.cuh:20:1, called "
                "from u.cuh:30:1, called from u.cuh:40:1 in 'k'\n"));
  finding.callSites.insert(finding.callSites.begin(),
                           {folder_ + "/k.cu", 50, 1});
  report.findings = {finding};
  EXPECT_THAT(
      printed(report),
      HasSubstr("called from u.cuh:10:1, called from u.cuh:20:1, 2 calls "
                "further, called from k.cu:50:1 in 'k'\n"));
}

TEST_F(Text, RefutedFindingsAndOpinionsAreNotWarnings) {
  Report report;
  report.findings = {with({kernel("k", "sm_90", Verdict::Refuted, "no frame")}),
                     with({kernel("k", "sm_90", Verdict::Confirmed, "")})};
  report.findings[1].level = Level::Opinion;
  EXPECT_EQ(printed(report, /*refuted=*/true),
            R"(/gone.cu:1:1: remark: m [c]
      = sm_90: no frame: refuted
/gone.cu:1:1: note: m [c]
      = sm_90: confirmed
1 opinion, 1 suspicion refuted by the compiled code
)");
}

TEST_F(Text, TheClosingLineCountsVerdicts) {
  Report report;
  Finding confirmed = with({kernel("k", "", Verdict::Confirmed, "e")});
  Finding unjudged =
      with({kernel("k", "", Verdict::Unjudged, "no nvcc found")});
  Finding refuted = with({kernel("k", "", Verdict::Refuted, "e")});
  Finding opinion = confirmed;
  opinion.level = Level::Opinion;
  report.findings = {confirmed, confirmed, unjudged};
  EXPECT_THAT(printed(report),
              EndsWith("\n3 warnings (2 confirmed, 1 unjudged: no nvcc "
                       "found)\n"));
  report.findings = {unjudged, unjudged, refuted};
  EXPECT_THAT(printed(report),
              EndsWith("\n2 warnings (unjudged: no nvcc found), 1 suspicion "
                       "refuted by the compiled code (--refuted shows it)\n"));
  report.findings = {confirmed, opinion, opinion};
  EXPECT_THAT(printed(report), EndsWith("\n1 warning and 2 opinions\n"));
  report.allowed = 3;
  EXPECT_THAT(printed(report),
              EndsWith("\n1 warning and 2 opinions, 3 allowed by comments\n"));
  report.allowed = 0;
  // Two reasons do not fit one line; each finding has its own.
  report.findings = {unjudged, unjudged};
  report.findings[1].kernels[0].judgement.evidence = "nvcc failed";
  EXPECT_THAT(printed(report), EndsWith("\n2 warnings (unjudged)\n"));
  report.findings = {with({})};
  EXPECT_EQ(printed(report), "/gone.cu:1:1: warning: m [c]\n"
                             "1 warning (unjudged)\n");
}

TEST_F(Text, WithoutFindingsShowsHowMuchWasRead) {
  Report report;
  EXPECT_EQ(printed(report), "no findings\n");
  report.sourcesRead = 3;
  EXPECT_EQ(printed(report), "no kernels in 3 sources\n");
  report.kernelsRead = 12;
  EXPECT_EQ(printed(report), "no findings in 12 kernels of 3 sources\n");
  report.kernelsRead = report.sourcesRead = 1;
  EXPECT_EQ(printed(report), "no findings in 1 kernel of 1 source\n");
  report.findings = {with({kernel("k", "", Verdict::Refuted, "e")})};
  EXPECT_EQ(printed(report),
            "no findings in 1 kernel of 1 source, 1 suspicion refuted by the "
            "compiled code (--refuted shows it)\n");
}

// Silence means clean, so the line says what was not looked at.
TEST_F(Text, TheLastLineCountsWhatWasNotLinted) {
  Report report;
  report.sourcesRead = 1;
  report.kernelsRead = 2;
  report.kernelsInPart = 1;
  report.unread = {{"/a.cu", "linting it took longer than 10 seconds", false},
                   {"/b.cu", "b.cu:3: unknown type name 'T'", true}};
  report.unreadKernels = {{"/b.cu", "k", "it has an error"}};
  EXPECT_THAT(printed(report),
              StartsWith("no findings in 2 kernels of 1 source, 1 source not "
                         "linted, 1 kernel not linted, 1 kernel linted in "
                         "part\n"));
}

TEST_F(Text, UnreadSourcesAndNotesComeLast) {
  Report report;
  report.unread = {
      {folder_ + "/a.cu", folder_ + "/a.cuh:3: unknown type name 'T'", true},
      {"/elsewhere/b.cu", "", false}};
  report.notes = {"no nvcc found, so nothing was judged"};
  EXPECT_EQ(printed(report),
            "no source could be linted\n"
            "a.cu: read in part: a.cuh:3: unknown type name 'T'\n"
            "/elsewhere/b.cu: not read\n"
            "note: no nvcc found, so nothing was judged\n");
}

// Fifteen sources of LightGBM lack one header.
TEST_F(Text, SourcesThatOneReasonKeepsFromBeingReadAreOneLine) {
  Report report;
  for (const char *name : {"a", "b", "c", "d", "e", "f"})
    report.unread.push_back({folder_ + "/" + name + ".cu", "no 'x.h'", true});
  report.unread[0].firstError = "x.h:9: 'y.h' file not found";
  report.unread[5].firstError = "f.cu:1: 'y.h' file not found";
  report.unread[1].anyKernelRead = false;
  for (const char *name : {"m1", "m2", "m3", "m4", "m5"})
    report.unread.push_back({folder_ + "/" + name + ".cu", "no time", false});
  report.unread.push_back({folder_ + "/g.cu", "", false});
  report.unread.push_back({folder_ + "/h.cu", "", false});
  EXPECT_EQ(printed(report), "no source could be linted\n"
                             "a.cu: read in part: x.h:9: 'y.h' file not "
                             "found\n"
                             "  likewise f.cu\n"
                             "b.cu: not read: no 'x.h'\n"
                             "c.cu: read in part: no 'x.h'\n"
                             "  likewise d.cu and e.cu\n"
                             "m1.cu: not read: no time\n"
                             "  likewise m2.cu, m3.cu, m4.cu and 1 more\n"
                             "g.cu: not read\n"
                             "h.cu: not read\n");
}

TEST_F(Text, PathsAreShortOnlyBelowTheFolder) {
  EXPECT_EQ(shownPath("/home/me/src/a.cu", "/home/me"), "src/a.cu");
  EXPECT_EQ(shownPath("/home/me/src/a.cu", "/home/me/"), "src/a.cu");
  EXPECT_EQ(shownPath("/home/meow/a.cu", "/home/me"), "/home/meow/a.cu");
  EXPECT_EQ(shownPath("/home/me/a.cu", ""), "/home/me/a.cu");
  EXPECT_EQ(shownPath("/a.cu", "/"), "/a.cu");
}

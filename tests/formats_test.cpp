#include "base/printable.h"
#include "commands/formats.h"
#include "input_folder.h"
#include "program.h"
#include "report/fields.h"
#include "report/services.h"
#include "report/source_lines.h"
#include "report/statistics.h"
#include "report_samples.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace warplint;
using namespace testing;

TEST(SourceLines, ColumnsAreCountedInUtf16Units) {
  InputFolder folder;
  std::string file = folder.write("a.cu", "a\xC3\xA4\xF0\x9F\x98\x80x\r\n\nb");
  SourceLines lines;
  EXPECT_EQ(lines.utf16Column(file, 1, 1), 1u);
  EXPECT_EQ(lines.utf16Column(file, 1, 4), 3u); // after two bytes of one unit
  EXPECT_EQ(lines.utf16Column(file, 1, 8), 5u); // after four bytes of two
  EXPECT_EQ(lines.utf16Column(file, 9, 8), 8u);
  EXPECT_EQ(lines.utf16Column(file, 1, 0), 0u);
  EXPECT_EQ(lines.line(file, 2), "");
  EXPECT_EQ(lines.line(file, 3), "b");
  EXPECT_EQ(lines.line(file, 4), std::nullopt);
  EXPECT_EQ(lines.line(file, 0), std::nullopt);
  EXPECT_EQ(lines.count(file), 3u);
  EXPECT_EQ(lines.count("/no/such"), 0u);
}

TEST(Github, OneCommandForEachFinding) {
  EXPECT_EQ(printed(printGithub, sampleReport({inlinedGather()})),
            "::warning file=a b/gather.cu,line=21,col=31,title=dynamic-local-"
            "array (confirmed)::index of 'count' varies%0Asm_90: 64 local "
            "loads: confirmed%0Alane 0 reads a[0]%0Afix: unroll\n"
            "1 warning\n");
}

TEST(Github, SpecialCharactersAreEscaped) {
  const std::string text = printed(printGithub, hostileReport());
  EXPECT_EQ(llvm::StringRef(text).count('\n'), 5u) << text;
  EXPECT_THAT(text, HasSubstr("file=</script><!--\"'&]]>%25%0A%3A%3Aerror"
                              "%3A%3A%2C%3A|"));
}

TEST(Gitlab, HasTheFieldsThatCodeQualityRequires) {
  Report report = sampleReport({inlinedGather(), inlinedGather()});
  llvm::json::Value list = parsed(printed(printGitlab, report));
  EXPECT_EQ(at(list, "0.location"),
            R"({"lines":{"begin":21},"path":"a b/gather.cu"})");
  EXPECT_EQ(at(list, "0.severity"), "\"minor\"");
  EXPECT_EQ(at(list, "0.check_name"), "\"dynamic-local-array\"");
  // Equal ones would be one in its list.
  EXPECT_NE(at(list, "0.fingerprint"), at(list, "1.fingerprint"));
  EXPECT_EQ(printed(printGitlab, sampleReport({})), "[]\n");
}

TEST(Junit, FailuresByFileAndErrorsForUnreadSources) {
  Report report = sampleReport({inlinedGather()});
  report.unread = {{"/src/b.cu", "no T", false}};
  EXPECT_EQ(printed(printJunit, report),
            R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="warplint" tests="2" failures="1" errors="1">
  <testsuite name="a b/gather.cu" tests="1" failures="1" errors="0" skipped="0">
    <testcase name="dynamic-local-array at a b/gather.cu:21:31" classname="a b/gather.cu" file="a b/gather.cu" line="21">
      <failure type="dynamic-local-array" message="index of &apos;count&apos; varies">a b/gather.cu:21:31: index of &apos;count&apos; varies
sm_90: 64 local loads: confirmed
lane 0 reads a[0]
fix: unroll</failure>
    </testcase>
  </testsuite>
  <testsuite name="b.cu" tests="1" failures="0" errors="1" skipped="0">
    <testcase name="read" classname="b.cu" file="b.cu">
      <error type="unread" message="not read: no T">not read: no T</error>
    </testcase>
  </testsuite>
</testsuites>
)");
}

// No test at all is a failure to most services.
TEST(Junit, ACleanRunIsAPassingTest) {
  EXPECT_THAT(printed(printJunit, sampleReport({})),
              HasSubstr("<testcase name=\"no findings in 2 kernels of 1 "
                        "source\" classname=\"warplint\"/>"));
}

TEST(Fields, MarkupHasNoInvalidCharacter) {
  EXPECT_EQ(markupEscaped("<a href=\"'&\">\x01\t\xFF\xEF\xBF\xBF"),
            "&lt;a href=&quot;&apos;&amp;&quot;&gt;\xEF\xBF\xBD\t\xEF\xBF\xBD"
            "\xEF\xBF\xBD");
}

TEST(Statistics, CountsByCheckLevelVerdictFileAndKernel) {
  Finding other = withVerdict(inlinedGather(), Verdict::Unjudged);
  other.check = "register-spill";
  other.level = Level::Certain;
  other.kernels.push_back(other.kernels[0]);
  other.kernels[1].name = "k";
  Report report =
      sampleReport({inlinedGather(), inlinedGather(), other,
                    withVerdict(inlinedGather(), Verdict::Refuted)});
  EXPECT_EQ(printed(printStatistics, report),
            "by check\n"
            "     2  dynamic-local-array  (2 confirmed)\n"
            "     1  register-spill  (1 unjudged)\n"
            "\n"
            "by level\n"
            "     2  likely  (2 confirmed)\n"
            "     1  certain  (1 unjudged)\n"
            "\n"
            "by verdict\n"
            "     2  confirmed\n"
            "     1  unjudged\n"
            "\n"
            "by file\n"
            "     3  a b/gather.cu  (2 confirmed, 1 unjudged)\n"
            "\n"
            "by kernel\n"
            "     3  gather<4>  (2 confirmed, 1 unjudged)\n"
            "     1  k  (1 unjudged)\n"
            "\n"
            "3 warnings (2 confirmed, 1 unjudged: 64 local loads), 1 "
            "suspicion refuted by the compiled code (--refuted shows it)\n");
  llvm::json::Value json = parsed(printed(printStatisticsJson, report, true));
  EXPECT_EQ(
      at(json, "checks.0"),
      R"({"confirmed":2,"findings":3,"name":"dynamic-local-array","refuted":1})");
}

TEST(Figures, MergesEqualFiguresOfSeveralKernels) {
  Figure figure;
  figure.place = {"/a.cu", 3, 1};
  figure.words = "32 sectors, 4 needed";
  figure.kernels = {"b"};
  Figure same = figure, other = figure;
  same.kernels = {"a"};
  other.words = "4 sectors, 4 needed";
  std::vector<Figure> merged = mergeFigures({figure, other, same, same});
  ASSERT_EQ(merged.size(), 2u);
  EXPECT_THAT(merged[0].kernels, ElementsAre("a", "b"));
}

TEST(Figures, LocalInstructionsAreCountedByLine) {
  CompiledKernel kernel;
  kernel.usage.architecture = "sm_90";
  LocalInstruction load;
  load.file = "sub/../a.cu";
  load.line = 4;
  LocalInstruction spill = load, nowhere = load;
  spill.isMarkedSpill = true;
  nowhere.line = 0;
  kernel.locals = {load, spill, load, nowhere};
  std::vector<Figure> figures = figuresOf(kernel, "k", "/src");
  ASSERT_EQ(figures.size(), 1u);
  EXPECT_EQ(figures[0].place.file, "/src/a.cu");
  EXPECT_EQ(figures[0].words, "3 local loads, 1 of them for spilled registers");
  EXPECT_THAT(figures[0].kernels, ElementsAre("k on sm_90"));
}

static const char *const strided =
    "__global__ void k(float *a) { a[threadIdx.x * 32] = 1; }\n"
    "void run(float *a) { k<<<1, 256>>>(a); }\n";

TEST(Output, AReportFileReplacesStandardOutput) {
  InputFolder folder;
  std::string source = folder.write("a.cu", strided);
  for (const char *format : {"sarif", "github", "gitlab", "junit", "markdown",
                             "html", "json", "text"}) {
    std::string file = folder / (std::string("report.") + format);
    Outcome outcome = runProgram(
        {"check", "--no-judge", "--format", format, "-o", file, source});
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, HasSubstr("; wrote '" + file + "'\n"));
    auto text = llvm::MemoryBuffer::getFile(file);
    ASSERT_TRUE(bool(text));
    EXPECT_THAT((*text)->getBuffer().str(), HasSubstr("strided-global-access"))
        << format;
  }
}

// Reported before the work, which may take an hour.
TEST(Output, AnUnwritableFileIsAnError) {
  InputFolder folder;
  std::string source = folder.write("a.cu", strided);
  Outcome missing = runProgram(
      {"check", "--format", "sarif", "-o", folder / "no/such/r.sarif", source});
  EXPECT_EQ(missing.code, 2);
  EXPECT_EQ(missing.err, "warplint: '" + (folder / "no/such/r.sarif") +
                             "' cannot be written: there is no folder '" +
                             (folder / "no/such") + "'\n");
  Outcome isFolder =
      runProgram({"check", "--format", "sarif", "-o", folder.path, source});
  EXPECT_EQ(isFolder.code, 2);
  EXPECT_EQ(isFolder.err, "warplint: '" + folder.path +
                              "' cannot be written: it is a folder\n");
  EXPECT_EQ(missing.out + isFolder.out, "");
}

TEST(Output, StatisticsReplaceFindings) {
  InputFolder folder;
  std::string source = folder.write("a.cu", strided);
  folder.write("b.cu", "__global__ void k(float *a) {}\nint other = none;\n");
  Outcome outcome =
      runProgram({"check", "--no-judge", "--statistics", folder.path});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("     1  strided-global-access  (1 "
                                     "unjudged)\n"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("sectors")));
  EXPECT_THAT(outcome.err, HasSubstr("b.cu: read in part: "));
}

TEST(Output, AMisspeltFormatIsAnError) {
  Outcome outcome = runProgram({"check", "--format", "sarfi", "a.cu"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err, "warplint: '--format' has no 'sarfi'; did you mean "
                         "'sarif'?\n");
}

TEST(FormatTable, EachFormatOfFindingsPrintsAFinding) {
  const Report report = sampleReport({gather()});
  const ReportContext context;
  for (const std::string &name : formatNames(PrintsFindings)) {
    SCOPED_TRACE(name);
    const FormatRow &row = rowOf({name});
    ASSERT_TRUE(row.print);
    std::string text;
    llvm::raw_string_ostream out(text);
    row.print({report, context, false, false, {}}, out);
    EXPECT_THAT(text, HasSubstr("gather.cu"));
    EXPECT_THAT(text, HasSubstr(gather().check));
  }
}

// A report on standard output is read by a terminal, which obeys escape
// sequences, or by GitHub's runner, which obeys each line of "::".
TEST(FormatTable, NoFormatForgesLinesOrColours) {
  Report report = hostileReport();
  Finding named = gather();
  named.place.file = "/src/::error::x.cu";
  report.findings.push_back(named);
  for (Finding &finding : report.findings)
    finding.place.line = 1;
  report.findings[0].place.file += "\x1b]0;x\x07\n::stop-commands::t\x7f";
  for (const std::string &name : formatNames(PrintsFindings)) {
    SCOPED_TRACE(name);
    std::string text;
    llvm::raw_string_ostream out(text);
    rowOf({name}).print({report, {}, true, false, "/src"}, out);
    for (llvm::StringRef line : llvm::split(text, '\n'))
      EXPECT_TRUE(name == "github" || !isWorkflowCommand(line)) << line.str();
    EXPECT_THAT(text, Not(HasSubstr("\n::stop")));
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
    EXPECT_THAT(text, Not(HasSubstr("\x07")));
    EXPECT_THAT(text, Not(HasSubstr("\x01")));
  }
}

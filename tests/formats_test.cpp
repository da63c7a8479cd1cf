#include "commands/formats.h"
#include "gather.h"
#include "input_folder.h"
#include "program.h"
#include "report/fields.h"
#include "report/page.h"
#include "report/sarif.h"
#include "report/services.h"
#include "report/source_lines.h"
#include "report/statistics.h"
#include "llvm/Support/JSON.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace warplint;
using namespace testing;
using llvm::json::Object;

// Compilers and file systems allow these characters; in each format, some of
// them end its text.
static const char *const hostile =
    "</script><!--\"'&]]>%\n::error::,:|`{0}[a](b)\x01\xFF\\";

static Finding inlinedGather() {
  Finding finding = gather();
  finding.place.file = "/src/a b/gather.cu";
  finding.callSites.push_back({"/usr/include/lib.cuh", 9, 5});
  finding.kernels[0].place = {"/src/main.cu", 2, 1};
  return finding;
}

static Finding withVerdict(Finding finding, Verdict verdict) {
  for (FindingKernel &kernel : finding.kernels)
    kernel.judgement.verdict = verdict;
  return finding;
}

static Finding hostileFinding() {
  Finding finding = inlinedGather();
  finding.check = finding.message = finding.fix = finding.place.file =
      finding.kernels[0].name = finding.kernels[0].mangled =
          finding.kernels[0].judgement.evidence = finding.callSites[0].file =
              hostile;
  finding.notes = {hostile};
  return finding;
}

static Report reportOf(std::vector<Finding> findings) {
  Report report;
  report.findings = std::move(findings);
  report.sourcesRead = 1;
  report.kernelsRead = 2;
  return report;
}

static Report hostileReport() {
  Report report = reportOf({hostileFinding()});
  report.unread = {{hostile, hostile, true}};
  report.unreadKernels = {{hostile, hostile, hostile}};
  report.notes = {hostile};
  return report;
}

using Print = void (*)(const Report &, bool, const std::string &,
                       llvm::raw_ostream &);

static std::string printed(Print print, const Report &report,
                           bool refuted = false) {
  std::string text;
  llvm::raw_string_ostream out(text);
  print(report, refuted, "/src", out);
  return text;
}

static std::string markdown(const Report &report,
                            const ReportContext &around = {}) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printMarkdown(report, around, false, "/src", out);
  return text;
}

static std::string page(const Report &report,
                        const ReportContext &around = {}) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printPage(report, around, false, "/src", out);
  return text;
}

static llvm::json::Value parsed(const std::string &text) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value) {
    ADD_FAILURE() << llvm::toString(value.takeError()) << '\n' << text;
    return nullptr;
  }
  return std::move(*value);
}

/// The JSON value at a path such as "runs.0.results.0.level".
static std::string at(const llvm::json::Value &root, llvm::StringRef path) {
  const llvm::json::Value *value = &root;
  while (value && !path.empty()) {
    auto [step, rest] = path.split('.');
    path = rest;
    size_t index = 0;
    if (const auto *list = value->getAsArray();
        list && !step.getAsInteger(10, index))
      value = index < list->size() ? &(*list)[index] : nullptr;
    else
      value = value->getAsObject() ? value->getAsObject()->get(step) : nullptr;
  }
  if (!value)
    return "nothing";
  std::string text;
  llvm::raw_string_ostream(text) << *value;
  return text;
}

TEST(Sarif, OnlyPathsBelowTheRootAreRelative) {
  llvm::json::Value log =
      parsed(printed(printSarif, reportOf({inlinedGather()})));
  const std::string result = "runs.0.results.0.";
  EXPECT_EQ(at(log, result + "locations.0.physicalLocation.artifactLocation"),
            R"({"index":0,"uri":"a%20b/gather.cu","uriBaseId":"SRCROOT"})");
  EXPECT_EQ(at(log, result + "relatedLocations.2.physicalLocation."
                             "artifactLocation.uri"),
            "\"file:///usr/include/lib.cuh\"");
  EXPECT_EQ(at(log, "runs.0.originalUriBaseIds.SRCROOT.uri"),
            "\"file:///src/\"");
  EXPECT_EQ(at(log, "runs.0.artifacts.0.location.uri"), "\"a%20b/gather.cu\"");
}

// Readers find the check's page by this index.
TEST(Sarif, ARuleHasItsPage) {
  llvm::json::Value log =
      parsed(printed(printSarif, reportOf({inlinedGather()})));
  std::string rule =
      "runs.0.tool.driver.rules." + at(log, "runs.0.results.0.ruleIndex") + ".";
  EXPECT_EQ(at(log, rule + "id"), "\"dynamic-local-array\"");
  EXPECT_THAT(at(log, rule + "help.markdown"), HasSubstr("```cuda\\n"));
  EXPECT_THAT(at(log, rule + "help.text"), HasSubstr("What to do"));
}

TEST(Sarif, LevelsFollowThePromiseAndRefutedFindingsPass) {
  Finding certain = inlinedGather(), opinion = inlinedGather();
  certain.level = Level::Certain;
  opinion.level = Level::Opinion;
  Report report = reportOf({certain, inlinedGather(), opinion,
                            withVerdict(inlinedGather(), Verdict::Refuted)});
  llvm::json::Value log = parsed(printed(printSarif, report, true));
  for (auto [index, level] : {std::pair("0", "\"error\""),
                              {"1", "\"warning\""},
                              {"2", "\"note\""},
                              {"3", "\"none\""}})
    EXPECT_EQ(at(log, std::string("runs.0.results.") + index + ".level"),
              level);
  EXPECT_EQ(at(log, "runs.0.results.3.kind"), "\"pass\"");
  EXPECT_EQ(at(parsed(printed(printSarif, report)), "runs.0.results.3"),
            "nothing");
}

TEST(Sarif, CallsToInlinedCodeAreACodeFlow) {
  llvm::json::Value log =
      parsed(printed(printSarif, reportOf({inlinedGather()})));
  const std::string steps =
      "runs.0.results.0.codeFlows.0.threadFlows.0.locations.";
  EXPECT_EQ(at(log, steps + "0.location.physicalLocation.region.startLine"),
            "7");
  EXPECT_EQ(at(log, steps + "2.location.physicalLocation.region.startLine"),
            "21");
  EXPECT_EQ(at(log, steps + "2.nestingLevel"), "2");
  EXPECT_EQ(at(log, steps + "3"), "nothing");
}

// An incomplete run must not look like a clean one.
TEST(Sarif, AnUnreadSourceIsANotification) {
  Report report = reportOf({});
  report.unread = {{"/src/b.cu", "b.cu:1: unknown type name 'T'", false}};
  llvm::json::Value log = parsed(printed(printSarif, report));
  EXPECT_EQ(at(log, "runs.0.invocations.0.exitCode"), "3");
  EXPECT_EQ(at(log, "runs.0.invocations.0.toolExecutionNotifications.0.level"),
            "\"error\"");
  EXPECT_EQ(at(log, "runs.0.invocations.0.toolExecutionNotifications.0."
                    "locations.0.physicalLocation.artifactLocation.uri"),
            "\"b.cu\"");
}

TEST(Sarif, TextIsNeitherALinkNorAPlaceholder) {
  Finding finding = inlinedGather();
  finding.message = "a[i](x) {0}";
  finding.kernels.clear();
  finding.notes.clear();
  finding.fix.clear();
  EXPECT_EQ(at(parsed(printed(printSarif, reportOf({finding}))),
               "runs.0.results.0.message.text"),
            R"("a[i\\](x) {{0}}")");
}

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
  EXPECT_EQ(printed(printGithub, reportOf({inlinedGather()})),
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
  Report report = reportOf({inlinedGather(), inlinedGather()});
  llvm::json::Value list = parsed(printed(printGitlab, report));
  EXPECT_EQ(at(list, "0.location"),
            R"({"lines":{"begin":21},"path":"a b/gather.cu"})");
  EXPECT_EQ(at(list, "0.severity"), "\"minor\"");
  EXPECT_EQ(at(list, "0.check_name"), "\"dynamic-local-array\"");
  // Equal ones would be one in its list.
  EXPECT_NE(at(list, "0.fingerprint"), at(list, "1.fingerprint"));
  EXPECT_EQ(printed(printGitlab, reportOf({})), "[]\n");
}

TEST(Junit, FailuresByFileAndErrorsForUnreadSources) {
  Report report = reportOf({inlinedGather()});
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
  EXPECT_THAT(printed(printJunit, reportOf({})),
              HasSubstr("<testcase name=\"no findings in 2 kernels of 1 "
                        "source\" classname=\"warplint\"/>"));
}

TEST(Fields, MarkupHasNoInvalidCharacter) {
  EXPECT_EQ(markupEscaped("<a href=\"'&\">\x01\t\xFF\xEF\xBF\xBF"),
            "&lt;a href=&quot;&apos;&amp;&quot;&gt;\xEF\xBF\xBD\t\xEF\xBF\xBD"
            "\xEF\xBF\xBD");
}

static ReportContext oneKernel() {
  ReportContext around;
  ResourceRow row;
  row.kernel = row.signature = "gather<4>";
  row.architecture = "sm_90";
  row.source = "gather.cu";
  row.stack = 64;
  around.resources.rows = {row};
  return around;
}

TEST(Markdown, FindingsThenResources) {
  EXPECT_EQ(
      markdown(reportOf({inlinedGather()}), oneKernel()),
      "### warplint: 1 warning\n"
      "\n"
      "| place | finding | verdict | check |\n"
      "| --- | --- | --- | --- |\n"
      "| a b/gather.cu:21 | index of 'count' varies<br>sm_90: 64 local loads: "
      "confirmed | confirmed | dynamic-local-array |\n"
      "\n"
      "<details><summary>resources of the kernels</summary>\n"
      "\n"
      "| arch | stack | kernel |\n"
      "| --- | ---: | --- |\n"
      "| sm_90 | 64 | gather\\<4\\> (gather.cu) |\n"
      "\n"
      "1 kernel on sm_90: 0 spill, 1 have a stack frame; whether 1 spill is "
      "not known\n"
      "\n"
      "</details>\n");
}

// A comment that is too long is refused as a whole.
TEST(Markdown, IsCutToTheLengthOfAComment) {
  std::string text =
      markdown(reportOf(std::vector<Finding>(400, inlinedGather())));
  EXPECT_LT(text.size(), 20000u);
  EXPECT_THAT(text, HasSubstr("\nand 350 more findings\n"));
}

TEST(Markdown, CellsEscapeTableMarkup) {
  std::string text = markdown(hostileReport());
  EXPECT_THAT(text, Not(HasSubstr("</script>")));
  EXPECT_THAT(text, HasSubstr("\\</script\\>"));
}

TEST(Statistics, CountsByCheckLevelVerdictFileAndKernel) {
  Finding other = withVerdict(inlinedGather(), Verdict::Unjudged);
  other.check = "register-spill";
  other.level = Level::Certain;
  other.kernels.push_back(other.kernels[0]);
  other.kernels[1].name = "k";
  Report report = reportOf({inlinedGather(), inlinedGather(), other,
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

/// The JSON between the page's markup.
static llvm::json::Value dataOf(const std::string &text) {
  constexpr llvm::StringRef mark =
      "<script type=\"application/json\" id=\"data\">";
  size_t begin = text.find(mark) + mark.size();
  return parsed(text.substr(begin, text.find("</script>", begin) - begin));
}

TEST(Page, ReportTextCannotEndTheScript) {
  llvm::json::Value data = dataOf(page(hostileReport()));
  EXPECT_THAT(at(data, "findings.0.message"), HasSubstr("</script><!--"));
  EXPECT_THAT(at(data, "unread.0"), HasSubstr("</script>"));
}

TEST(Page, FilesHaveTheLinesOfInterest) {
  InputFolder folder;
  std::string lines;
  for (int line = 1; line <= 100; ++line)
    lines += "line " + std::to_string(line) + "\n";
  Finding finding = inlinedGather();
  finding.place = {folder.write("a.cu", lines), 50, 3};
  finding.callSites.clear();
  ReportContext around;
  Figure figure;
  figure.place = {finding.place.file, 99, 1};
  figure.space = Space::Global;
  figure.words = "32 sectors, 4 needed";
  figure.kernels = {"k"};
  around.figures = {figure};
  llvm::json::Value data = dataOf(page(reportOf({finding}), around));
  EXPECT_EQ(at(data, "files.0.pieces.0.first"), "44");
  EXPECT_EQ(at(data, "files.0.pieces.0.lines.6"), "\"line 50\"");
  EXPECT_EQ(at(data, "files.0.pieces.0.lines.13"), "nothing");
  EXPECT_EQ(at(data, "files.0.pieces.1.first"), "93");
  EXPECT_EQ(at(data, "files.0.figures.0.line"), "99");
  EXPECT_EQ(at(data, "files.0.figures.0.of.0.words"),
            "\"32 sectors, 4 needed\"");
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
  folder.write("b.cu", "__global__ void k(floaty *a) {}\n");
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
  const Report report = reportOf({gather()});
  const ReportContext context;
  for (const std::string &name : formatNames(PrintsFindings)) {
    SCOPED_TRACE(name);
    const FormatRow &row = rowOf({name});
    ASSERT_TRUE(row.print);
    std::string text;
    llvm::raw_string_ostream out(text);
    row.print({report, context}, out);
    EXPECT_THAT(text, HasSubstr("gather.cu"));
    EXPECT_THAT(text, HasSubstr(gather().check));
  }
}

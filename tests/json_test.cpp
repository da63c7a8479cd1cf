#include "gather.h"
#include "report/json.h"
#include "report/read_json.h"
#include "version.h"
#include "llvm/Support/JSON.h"
#include <gtest/gtest.h>

using namespace warplint;

static std::string printed(const Report &report, bool refuted = false) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printJson(report, refuted, out);
  return text;
}

static llvm::json::Object readBack(const std::string &text) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value) {
    ADD_FAILURE() << llvm::toString(value.takeError()) << '\n' << text;
    return {};
  }
  return *value->getAsObject();
}

// docs/json.md promises these fields, in this spelling, always.
TEST(Json, WritesEveryFieldOfTheSchema) {
  Report report;
  report.findings = {gather()};
  report.findings[0].share = 0.25;
  report.findings[0].cost = "a quarter";
  report.findings[0].launch = "a.cu:8";
  report.findings[0].object = "count";
  report.findings[0].cause = "small sums";
  report.findings[0].places = {{"/src/gather.cu", 30, 1}};
  report.unread = {{"/src/b.cu", "/src/b.cu:1: unknown type name 'T'", true}};
  report.unreadKernels = {{"/src/b.cu", "ns::k", "it has an error"}};
  report.notes = {"no nvcc found"};
  report.sourcesRead = 3;
  report.kernelsRead = 12;
  EXPECT_EQ(printed(report), R"({
  "warplint": ")" WARPLINT_VERSION R"(",
  "schema": 1,
  "findings": [
    {
      "check": "dynamic-local-array",
      "level": "likely",
      "verdict": "confirmed",
      "condition": "",
      "file": "/src/gather.cu",
      "line": 21,
      "column": 31,
      "message": "index of 'count' varies",
      "notes": [
        "lane 0 reads a[0]"
      ],
      "fix": "unroll",
      "about": "count",
      "weight": 0,
      "share": 0.25,
      "minor": false,
      "part": false,
      "cost": "a quarter",
      "launch": "a.cu:8",
      "object": "count",
      "cause": "small sums",
      "places": [
        {
          "file": "/src/gather.cu",
          "line": 21,
          "column": 31
        },
        {
          "file": "/src/gather.cu",
          "line": 30,
          "column": 1
        }
      ],
      "callSites": [
        {
          "file": "/src/main.cu",
          "line": 7,
          "column": 3
        }
      ],
      "kernels": [
        {
          "name": "gather<4>",
          "mangled": "_Z6gatherILi4EEvPi",
          "arch": "sm_90",
          "verdict": "confirmed",
          "evidence": "64 local loads",
          "condition": ""
        }
      ]
    }
  ],
  "unread": [
    {
      "source": "/src/b.cu",
      "readInPart": true,
      "firstError": "/src/b.cu:1: unknown type name 'T'"
    }
  ],
  "unreadKernels": [
    {
      "source": "/src/b.cu",
      "name": "ns::k",
      "why": "it has an error"
    }
  ],
  "notes": [
    "no nvcc found"
  ],
  "summary": {
    "sources": 3,
    "kernels": 12,
    "kernelsInPart": 0,
    "kernelTemplatesIdle": 0,
    "findings": 1,
    "confirmed": 1,
    "unjudged": 0,
    "refuted": 0,
    "allowed": 0
  }
}
)");
}

TEST(Json, AnEmptyReportHasEmptyLists) {
  llvm::json::Object report = readBack(printed({}));
  for (const char *list : {"findings", "unread", "unreadKernels", "notes"}) {
    ASSERT_NE(report.getArray(list), nullptr) << list;
    EXPECT_TRUE(report.getArray(list)->empty()) << list;
  }
  EXPECT_EQ(report.getObject("summary")->getInteger("findings"), 0);
}

// Refuted findings are always counted, and listed on request.
TEST(Json, CountsOmittedFindings) {
  Report report;
  report.findings = {gather(), gather(), gather()};
  report.findings[1].kernels[0].judgement = {Verdict::Refuted, "no frame"};
  report.findings[2].kernels.clear();
  llvm::json::Object brief = readBack(printed(report));
  EXPECT_EQ(brief.getArray("findings")->size(), 2u);
  const llvm::json::Object &summary = *brief.getObject("summary");
  EXPECT_EQ(summary.getInteger("findings"), 2);
  EXPECT_EQ(summary.getInteger("confirmed"), 1);
  EXPECT_EQ(summary.getInteger("unjudged"), 1);
  EXPECT_EQ(summary.getInteger("refuted"), 1);
  llvm::json::Object whole = readBack(printed(report, /*refuted=*/true));
  ASSERT_EQ(whole.getArray("findings")->size(), 3u);
  EXPECT_EQ(
      (*whole.getArray("findings"))[1].getAsObject()->getString("verdict"),
      "refuted");
}

// A path in Latin-1, a message with quotes and a tab: still JSON.
TEST(Json, ArbitraryBytesBecomeValidJson) {
  Report report;
  report.findings = {gather()};
  report.findings[0].place.file = "/src/caf\xE9.cu";
  report.findings[0].message = "a \"b\"\t\x01 \\ 'ü'";
  report.notes = {"\xFF"};
  llvm::json::Object back = readBack(printed(report));
  const llvm::json::Object &finding =
      *(*back.getArray("findings"))[0].getAsObject();
  EXPECT_EQ(finding.getString("file"), "/src/caf\xEF\xBF\xBD.cu");
  EXPECT_EQ(finding.getString("message"), "a \"b\"\t\x01 \\ 'ü'");
}

TEST(ReadJson, ReadsWhatWasWritten) {
  Report report;
  Finding finding;
  finding.check = "x";
  finding.level = Level::Certain;
  finding.place = {"/a.cu", 3, 4};
  finding.callSites = {{"/b.cu", 1, 2}};
  finding.message = "m\"\n";
  finding.notes = {"n"};
  finding.fix = "f";
  finding.about = "a[i]";
  finding.weight = 1.0 / 3;
  finding.kernels = {{"k", "_Z1kv", "sm_90", {Verdict::Refuted, "e"}, 0}};
  report.findings = {finding};
  report.unread = {{"/c.cu", "c.cu:1: no", true}};
  report.unreadKernels = {{"/c.cu", "k", "why"}};
  report.notes = {"note"};
  report.sourcesRead = 2;
  report.kernelsRead = 5;
  report.allowed = 4;
  auto read = readJson(printed(report, true));
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(printed(*read, true), printed(report, true));
  EXPECT_EQ(read->findings[0].weight, finding.weight);
  for (const char *broken : {"", "{", "[]", "{\"schema\": 1}",
                             "{\"schema\": 99, \"findings\": []}"}) {
    auto none = readJson(broken);
    EXPECT_FALSE(bool(none)) << broken;
    llvm::consumeError(none.takeError());
  }
}

// Judgements of many kernels and architectures in few lines.
#include "gather.h"
#include "report/evidence.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

struct EvidenceOf : testing::Test {
  Finding finding = gather();

  EvidenceOf() { finding.kernels.clear(); }
  void judged(std::string kernel, std::string architecture, Verdict verdict,
              std::string evidence, std::string condition = "") {
    finding.kernels.push_back(
        {std::move(kernel),
         "",
         std::move(architecture),
         {verdict, std::move(evidence), std::move(condition)}});
  }
  std::vector<std::string> lines() const { return evidenceLines(finding); }
};

constexpr auto yes = Verdict::Confirmed, no = Verdict::Refuted,
               open = Verdict::Unjudged;

} // namespace

// Ten architectures with the same result would otherwise be ten lines.
TEST_F(EvidenceOf, WhatIsEqualIsOneLine) {
  for (const char *architecture : {"sm_80", "sm_90"})
    for (const char *kernel : {"a", "b"})
      judged(kernel, architecture, yes, "64 local loads");
  EXPECT_THAT(lines(), ElementsAre("sm_80, sm_90: in 'a' and 'b': 64 local "
                                   "loads: confirmed"));
}

TEST_F(EvidenceOf, OneKernelIsNotNamedAndAConditionIsSaid) {
  judged("a", "sm_90", yes, "32 sectors", "'ld' is above 8");
  EXPECT_THAT(lines(),
              ElementsAre("sm_90: 32 sectors: confirmed if 'ld' is above 8"));
}

// The reader looks first for where it holds.
TEST_F(EvidenceOf, ADividedResultBeginsWithWhereItHolds) {
  judged("k<4>", "sm_80", no, "no stack frame");
  judged("k<8>", "sm_80", yes, "64 local loads");
  judged("k<4>", "sm_90", no, "no stack frame");
  judged("k<8>", "sm_90", yes, "64 local loads");
  const auto all = lines();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0], "confirmed for sm_80 and sm_90 in 'k<8>', not in 'k<4>'");
  EXPECT_EQ(all[1], "sm_80, sm_90: in 'k<8>': 64 local loads: confirmed");
  EXPECT_EQ(all[2], "sm_80, sm_90: in 'k<4>': no stack frame: refuted");
}

TEST_F(EvidenceOf, AnArchitectureThatRefutesIsNamed) {
  judged("k", "sm_80", yes, "64 local loads");
  judged("k", "sm_90", no, "no stack frame");
  EXPECT_EQ(lines()[0], "confirmed for sm_80, not for sm_90");
}

TEST_F(EvidenceOf, TheEvidenceThatDecidesComesFirst) {
  judged("a", "sm_90", no, "");
  judged("b", "sm_90", open, "no nvcc found");
  EXPECT_THAT(lines(), ElementsAre("sm_90: in 'b': unjudged: no nvcc found"))
      << "a refutation without evidence has nothing to show";
  judged("c", "sm_90", yes, "seen");
  EXPECT_EQ(lines()[1], "sm_90: in 'c': seen: confirmed");
}

// Twenty instances whose numbers differ.
TEST_F(EvidenceOf, OfManyNumbersSomeAreShown) {
  for (unsigned i = 1; i <= 9; ++i)
    judged("k<" + std::to_string(i) + ">", "sm_90", yes,
           std::to_string(i * 8) + " local loads");
  EXPECT_THAT(lines(),
              ElementsAre("sm_90: in 'k<1>': 8 local loads: confirmed",
                          "sm_90: in 'k<2>': 16 local loads: confirmed",
                          "likewise in 7 instances of 'k' on sm_90: "
                          "confirmed"));
}

TEST_F(EvidenceOf, DetailsHaveTheShareAndTheOtherPlaces) {
  judged("k", "sm_90", yes, "seen");
  finding.share = 0.253;
  finding.cost = "bound by DRAM";
  finding.object = "p";
  finding.places = {{"/src/gather.cu", 30, 1},
                    {"/src/h.cuh", 4, 1},
                    {"/src/gather.cu", 30, 9}};
  EXPECT_THAT(detailLines(finding),
              ElementsAre("sm_90: seen: confirmed",
                          "in 'k': about 25 % of its time, bound by DRAM",
                          "the same of 'p' at lines 30, h.cuh:4",
                          "lane 0 reads a[0]"));
}

TEST_F(EvidenceOf, ACauseIsNoNameAndItsOwnLineIsNoOther) {
  finding.cause = "double literals";
  finding.places = {finding.place, {"/src/gather.cu", 30, 1}};
  EXPECT_THAT(detailLines(finding),
              ElementsAre("the same at line 30", "lane 0 reads a[0]"));
  finding.places = {finding.place};
  EXPECT_THAT(detailLines(finding), ElementsAre("lane 0 reads a[0]"));
}

// The share is of what runs the code: the others lack it.
TEST_F(EvidenceOf, TheShareIsOfTheKernelsThatAreNotRefuted) {
  judged("k<4>", "sm_90", yes, "seen");
  judged("k<8>", "sm_90", no, "not seen");
  finding.share = 0.5;
  finding.cost = "bound by DRAM";
  EXPECT_THAT(
      detailLines(finding),
      testing::Contains("in 'k<4>': about 50 % of its time, bound by DRAM"));
  for (FindingKernel &kernel : finding.kernels)
    kernel.judgement.verdict = no;
  EXPECT_THAT(detailLines(finding),
              testing::Contains("in 'k<4>' and 'k<8>': about 50 % of their "
                                "time, bound by DRAM"));
}

// Names of instances can have hundreds of characters.
TEST_F(EvidenceOf, AllKernelsAreNamedOnce) {
  for (const char *name : {"k<1>", "k<2>", "k<4>", "k<8>"})
    judged(name, "sm_90", yes, "seen");
  finding.notes.clear();
  EXPECT_THAT(detailLines(finding),
              ElementsAre("sm_90: in 4 instances of 'k': seen: confirmed"));
  finding.share = 0.5;
  finding.cost = "bound by DRAM";
  EXPECT_THAT(
      detailLines(finding),
      ElementsAre(
          "sm_90: seen: confirmed",
          "in 4 instances of 'k': about 50 % of their time, bound by DRAM"));
  judged("kept<8>", "sm_90", yes, "seen");
  EXPECT_EQ(detailLines(finding)[1],
            "in 'k<1>', 'k<2>', 'k<4>' and 2 more: about 50 % of their time, "
            "bound by DRAM");
}

// 'convert<...>' three times, and 123 more, says nothing.
TEST_F(EvidenceOf, InstancesThatLookAlikeAreCounted) {
  for (int i = 0; i < 4; ++i)
    judged("convert<std::integer_sequence<int, " + std::string(150, '0' + i) +
               ">, float>",
           "sm_90", yes, "seen");
  judged("other", "sm_90", yes, "seen");
  finding.notes.clear();
  finding.share = 0.5;
  finding.cost = "bound by DRAM";
  EXPECT_EQ(detailLines(finding)[1],
            "in 4 instances of 'convert<std::integer_sequence<...>, float>' and "
            "'other': about 50 % of their time, bound by DRAM");
}

TEST_F(EvidenceOf, HelpIsTheFixOrThePage) {
  EXPECT_THAT(helpLines(finding), ElementsAre("fix: unroll"));
  finding.fix.clear();
  EXPECT_THAT(helpLines(finding),
              ElementsAre("see: warplint explain dynamic-local-array"));
  finding.check = "useless-allow";
  judged("k", "sm_90", yes, "seen");
  EXPECT_THAT(lines(), IsEmpty()) << "a comment has no compiled code";
}

TEST_F(EvidenceOf, APlaceIsRelatedOnce) {
  judged("k<4>", "sm_80", yes, "");
  judged("k<4>", "sm_90", yes, "");
  for (FindingKernel &kernel : finding.kernels)
    kernel.place = {"/src/gather.cu", 3, 17};
  const auto related = relatedPlaces(finding);
  ASSERT_EQ(related.size(), 2u);
  EXPECT_EQ(related[0].second, "in kernel 'k<4>'");
  EXPECT_EQ(related[1].second, "called from here");
  EXPECT_EQ(related[1].first.line, 7u);
}

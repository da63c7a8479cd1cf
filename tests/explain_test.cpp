// `warplint explain` and `warplint checks`.
#include "program_runs.h"
#include "llvm/Support/JSON.h"

using namespace warplint;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

TEST(Explain, ChecksAreListedAndExplained) {
  Outcome list = runProgram({"checks"});
  EXPECT_EQ(list.code, 0);
  for (const char *id : {"dynamic-local-array", "repeated-global-write",
                         "strided-global-access"}) {
    EXPECT_THAT(list.out, HasSubstr(id));
    Outcome page = runProgram({"explain", id});
    EXPECT_EQ(page.code, 0);
    EXPECT_THAT(page.out, AllOf(StartsWith(id), HasSubstr("\nSlow\n"),
                                HasSubstr("\nWhat to do\n"),
                                HasSubstr("\nMeasured on an NVIDIA H200")));
  }
}

TEST(Explain, ChecksAndTheirPagesAreJson) {
  Outcome outcome = runProgram({"checks", "--format", "json"});
  auto list = llvm::json::parse(outcome.out);
  ASSERT_TRUE(bool(list));
  ASSERT_FALSE(list->getAsArray()->empty());
  for (const llvm::json::Value &check : *list->getAsArray()) {
    const std::string id = check.getAsObject()->getString("id")->str();
    outcome = runProgram({"explain", id, "--format", "json"});
    auto page = llvm::json::parse(outcome.out);
    ASSERT_TRUE(bool(page)) << id;
    EXPECT_EQ(page->getAsObject()->getString("id"), id);
    for (const char *field : {"level", "summary", "why", "slow", "fast",
                              "cures", "whenNot", "since"})
      EXPECT_TRUE(page->getAsObject()->getString(field)) << id << field;
  }
}

} // namespace

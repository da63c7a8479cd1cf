// A lecture's exercise, nine accesses called a to i: which are coalesced? The
// answers are the lecturer's; kernels/exercise3.cu holds the kernel.
#include "input_folder.h"
#include "program.h"
#include "test_paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

/// A student's answer, from one row of `warplint accesses`.
std::string answer(const llvm::json::Object &row) {
  if (row.getString("space") == "shared")
    return "shared memory";
  if (row.getString("space") != "global" || row.getString("basis") != "exact")
    return "?";
  return row.getNumber("sectorsPerRequest") ==
                 row.getNumber("idealSectorsPerRequest")
             ? "coalesced"
             : "not coalesced";
}

TEST(Exercise3, AllNineFiguresMatchTheSolution) {
  Outcome outcome = runProgram({"accesses", "--format", "json",
                                WARPLINT_SOURCE_DIR "/kernels/exercise3.cu"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  auto json = llvm::json::parse(outcome.out);
  ASSERT_TRUE(bool(json)) << llvm::toString(json.takeError());
  const llvm::json::Array &rows = *json->getAsObject()->getArray("accesses");
  struct Question {
    const char *name, *object, *operation, *answer;
  };
  const Question questions[] = {
      {"a", "a", "load", "coalesced"},
      {"b", "a_s", "store", "shared memory"},
      {"c", "b", "load", "coalesced"},
      {"d", "c", "load", "not coalesced"},
      {"e", "bc_s", "store", "shared memory"},
      {"f", "a_s", "load", "shared memory"},
      {"g", "d", "store", "coalesced"},
      {"h", "bc_s", "load", "shared memory"},
      {"i", "e", "store", "not coalesced"},
  };
  EXPECT_EQ(rows.size(), std::size(questions));
  for (const Question &question : questions) {
    unsigned found = 0;
    for (const llvm::json::Value &value : rows) {
      const llvm::json::Object &row = *value.getAsObject();
      if (row.getString("object") != question.object ||
          row.getString("op") != question.operation)
        continue;
      ++found;
      EXPECT_EQ(answer(row), question.answer) << question.name;
    }
    EXPECT_EQ(found, 1u) << question.name;
  }
}

} // namespace

// docs/seeds.md answers five texts: an answer that names a check or a command
// that does not exist sends its reader nowhere.
#include "findings/check.h"
#include "nvcc.h"
#include "program.h"
#include "test_paths.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <gmock/gmock.h>

using namespace warplint;

namespace {

struct Row {
  unsigned line;
  std::string advice, answer;
};

/// The rows of all tables, without their heads.
std::vector<Row> rows() {
  const std::string page = readFile(WARPLINT_SOURCE_DIR "/docs/seeds.md");
  std::vector<Row> result;
  unsigned number = 0;
  for (llvm::StringRef line : llvm::split(page, '\n')) {
    ++number;
    if (!line.starts_with("| ") || line.starts_with("| ---") ||
        line.starts_with("| advice"))
      continue;
    llvm::SmallVector<llvm::StringRef> cells;
    line.split(cells, '|');
    if (cells.size() != 4) {
      ADD_FAILURE() << "line " << number << " has no two cells";
      continue;
    }
    result.push_back({number, cells[1].trim().str(), cells[2].trim().str()});
  }
  return result;
}

/// Returns the text between backquotes.
std::vector<std::string> inBackquotes(llvm::StringRef text) {
  std::vector<std::string> result;
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, '`');
  for (size_t i = 1; i < parts.size(); i += 2)
    result.push_back(parts[i].str());
  return result;
}

} // namespace

TEST(Seeds, EachAdviceHasAnAnswer) {
  const std::vector<Row> all = rows();
  EXPECT_GT(all.size(), 60u);
  for (const Row &row : all) {
    EXPECT_FALSE(row.advice.empty()) << "line " << row.line;
    EXPECT_TRUE(!inBackquotes(row.answer).empty() ||
                llvm::StringRef(row.answer).starts_with("refused: "))
        << "line " << row.line << ": " << row.answer;
  }
}

TEST(Seeds, AnswersNameChecksAndCommandsThatExist) {
  for (const Row &row : rows())
    for (const std::string &name : inBackquotes(row.answer)) {
      if (llvm::StringRef(name).starts_with("warplint ")) {
        llvm::SmallVector<llvm::StringRef> words;
        llvm::StringRef(name).split(words, ' ');
        const Outcome help = runProgram({words[1].str(), "--help-all"});
        EXPECT_EQ(help.code, 0) << "line " << row.line << ": " << name;
        for (llvm::StringRef flag : llvm::ArrayRef(words).drop_front(2))
          EXPECT_THAT(help.out, testing::HasSubstr(flag.str()))
              << "line " << row.line;
        continue;
      }
      EXPECT_TRUE(findCheck(name)) << "line " << row.line << ": " << name;
    }
}

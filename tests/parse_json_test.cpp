// Each reader of JSON refuses text that is nested so deep that LLVM's parser
// would run out of stack.
#include "base/parse_json.h"
#include "input/database.h"
#include "input/toolkit.h"
#include "input_folder.h"
#include "lsp/messages.h"
#include "program.h"
#include "report/baseline.h"
#include "report/read_json.h"
#include "report/resources/resource_json.h"
#include <gmock/gmock.h>

using namespace warplint;
using llvm::toString;
using testing::HasSubstr;

namespace {

constexpr const char *sentence = "nested more than 200 levels deep";

std::string nested(unsigned levels, llvm::StringRef open = "[",
                   llvm::StringRef close = "]") {
  std::string text;
  for (unsigned i = 0; i < levels; ++i)
    text += open;
  text += "1";
  for (unsigned i = 0; i < levels; ++i)
    text += close;
  return text;
}

const std::string deep = nested(50'000), deepObject = nested(50'000, "{\"a\":");

} // namespace

TEST(ParseJson, TakesWhatDocumentsHave) {
  for (const std::string &text :
       {nested(200), nested(200, "{\"[\":", "}"),
        "[\"" + std::string(300, '[') + "\\\"" + std::string(300, '{') + "\"]",
        "[" + std::string("[],") + nested(5) + "]"}) {
    auto value = parseJson(text);
    EXPECT_TRUE(!!value) << text;
    llvm::consumeError(value.takeError());
  }
  std::string wide = "[1";
  for (unsigned i = 0; i < 1000; ++i)
    wide += ",[{}]";
  EXPECT_TRUE(!!parseJson(wide + "]"));
}

TEST(ParseJson, RefusesWhatIsNestedTooDeep) {
  for (const std::string &text :
       {deep, deepObject, nested(201), "]]]" + nested(201)})
    EXPECT_THAT(toString(parseJson(text).takeError()), HasSubstr(sentence));
}

TEST(ParseJson, EveryReaderRefusesWhatIsNestedTooDeep) {
  InputFolder folder;
  const std::string file = folder.write("compile_commands.json", deep);
  EXPECT_THAT(toString(readDatabase(file).takeError()), HasSubstr(sentence));
  EXPECT_THAT(toString(readJson(deepObject).takeError()), HasSubstr(sentence));
  EXPECT_THAT(toString(readBaseline(deepObject, "b.json", "/").takeError()),
              HasSubstr(sentence));
  EXPECT_THAT(toString(readResourceJson(deep, "r.json").takeError()),
              HasSubstr(sentence));

  Messages messages;
  messages.bytes() =
      "Content-Length: " + std::to_string(deep.size()) + "\r\n\r\n" + deep;
  auto message = messages.next();
  ASSERT_TRUE(message);
  EXPECT_THAT(toString(message->takeError()), HasSubstr(sentence));

  // A toolkit's release comes from elsewhere then.
  folder.write("cuda/include/cuda.h", "#define CUDA_VERSION 12040\n");
  folder.write("cuda/include/cuda_runtime.h");
  folder.write("cuda/version.json", deepObject);
  EXPECT_TRUE(ToolkitSearch(folder / "cuda").of({"/x.cu", "/", {}}));
}

TEST(ParseJson, HostileFilesEndTheRunWithASentence) {
  InputFolder folder;
  const std::string file = folder.write("deep.json", deep);
  folder.write("compile_commands.json", deep);
  folder.write("build/a.o");
  folder.write("build/a.o.warplint.json", deepObject);
  const std::string source = folder.write("a.cu", "__global__ void k() {}\n");
  for (const std::vector<std::string> &words :
       {std::vector<std::string>{"check", "--no-judge", "-p", folder.path},
        {"check", "--no-judge", "--baseline", file, source},
        {"diff", file, file}}) {
    const Outcome outcome = runProgram(words);
    EXPECT_EQ(outcome.code, 2) << words.front();
    EXPECT_THAT(outcome.err + outcome.out, HasSubstr(sentence));
  }
  EXPECT_THAT(runProgram({"collect", folder / "build"}).out,
              HasSubstr(sentence));
}

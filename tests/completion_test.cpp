// Tests what shells offer while a user types: it is made from the parser's own
// options.
#include "commands/completion.h"
#include "commands/formats.h"
#include "findings/check.h"
#include "program_output.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAreArray;

/// The words that bash offers for a line whose last word is being typed.
static std::vector<std::string> bashOffers(std::vector<std::string> words) {
  InputFolder folder;
  auto script = completionScript("bash");
  std::string text = *script + "COMP_WORDS=(";
  for (const std::string &word : words)
    text += "'" + word + "' ";
  text += ")\nCOMP_CWORD=" + std::to_string(words.size() - 1) +
          "\ncompopt() { :; }\n_warplint\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n";
  const std::string file = folder.write("offer.sh", text);
  auto bash = llvm::sys::findProgramByName("bash");
  const std::string out = outputOf(*bash, {file});
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(out).split(lines, '\n', -1, /*KeepEmpty=*/false);
  return {lines.begin(), lines.end()};
}

TEST(Completion, BashOffersCommandsOptionsAndWords) {
  if (!llvm::sys::findProgramByName("bash"))
    GTEST_SKIP() << "no bash here";
  EXPECT_THAT(bashOffers({"warplint", "che"}), ElementsAre("check", "checks"));
  EXPECT_THAT(bashOffers({"warplint", "check", "--max"}),
              ElementsAre("--max-findings"));
  EXPECT_THAT(bashOffers({"warplint", "accesses", "--max"}),
              testing::IsEmpty());
  EXPECT_THAT(bashOffers({"warplint", "check", "--format", ""}),
              UnorderedElementsAreArray(formatNames(PrintsFindings)));
  EXPECT_THAT(bashOffers({"warplint", "check", "--format", "=", "js"}),
              ElementsAre("json"));
  EXPECT_THAT(bashOffers({"warplint", "completion", ""}),
              UnorderedElementsAreArray({"bash", "zsh", "fish"}));
  std::vector<std::string> ids;
  for (const Check &check : checks())
    ids.emplace_back(check.info.id);
  EXPECT_THAT(bashOffers({"warplint", "explain", ""}),
              UnorderedElementsAreArray(ids));
  EXPECT_THAT(bashOffers({"warplint", "check", "--check", ""}),
              UnorderedElementsAreArray(ids));
}

TEST(Completion, BashOffersFilesWithBlanks) {
  if (!llvm::sys::findProgramByName("bash"))
    GTEST_SKIP() << "no bash here";
  InputFolder folder;
  folder.write("a file.cu");
  EXPECT_THAT(bashOffers({"warplint", "check", folder / "a"}),
              ElementsAre(folder / "a file.cu"));
}

TEST(Completion, EveryShellKnowsEveryOption) {
  for (const char *shell : {"bash", "zsh", "fish"}) {
    auto script = completionScript(shell);
    ASSERT_TRUE(bool(script));
    const std::string before = shell == std::string("fish") ? "-l " : "--";
    for (const CommandInfo &command : allCommands()) {
      const CommandLine line(command.name);
      for (const CLI::Option *option : shown(line))
        for (const std::string &name : option->get_lnames())
          EXPECT_THAT(*script, HasSubstr(before + name)) << shell;
    }
  }
}

// A script with a syntax error breaks the user's shell at its start.
TEST(Completion, TheShellsReadTheirScripts) {
  for (const char *shell : {"bash", "zsh", "fish"}) {
    auto program = llvm::sys::findProgramByName(shell);
    if (!program)
      continue;
    InputFolder folder;
    const std::string file =
        folder.write("script", llvm::cantFail(completionScript(shell)));
    outputOf(*program, {"-n", file});
  }
}

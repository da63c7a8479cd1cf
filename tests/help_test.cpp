// The help pages, the manual page and the completion scripts are made from the
// parser's own options: an option that one of them lacks cannot be found.
#include "commands/command_line.h"
#include "commands/completion.h"
#include "commands/formats.h"
#include "commands/help.h"
#include "findings/check.h"
#include "input_folder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Program.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using testing::UnorderedElementsAreArray;

static std::vector<const CLI::Option *> shown(const CommandLine &line) {
  std::vector<const CLI::Option *> all;
  for (const CLI::Option *option : line.app.get_options())
    if (!option->get_group().empty())
      all.push_back(option);
  return all;
}

TEST(Help, TheOverviewIsShortAndNamesEveryCommand) {
  const std::string page = helpOverview();
  for (const CommandInfo &command : allCommands())
    EXPECT_THAT(page, HasSubstr(std::string("\n  ") + command.spelling + " "));
  EXPECT_LE(llvm::count(page, '\n'), 45);
  EXPECT_THAT(page, HasSubstr("exit codes:"));
}

TEST(Help, AllOptionsOfACommandAreOnItsPage) {
  for (const CommandInfo &command : allCommands()) {
    const CommandLine line(command.name);
    const std::string page = helpOf(command.name, /*all=*/true);
    EXPECT_THAT(page, StartsWith(std::string("usage: warplint ") +
                                 command.usage + "\n"));
    for (const CLI::Option *option : shown(line)) {
      EXPECT_THAT(page, HasSubstr(spelt(*option)));
      EXPECT_FALSE(option->get_description().empty()) << spelt(*option);
    }
  }
}

// 80 lines of everything hide the five options that a reader looks for.
TEST(Help, TheShortPageLeavesRareOptionsOutAndSaysSo) {
  const std::string page = helpOf(CommandName::Check, /*all=*/false);
  EXPECT_THAT(page, HasSubstr("--format NAME"));
  EXPECT_THAT(page, Not(HasSubstr("--remote-cache")));
  EXPECT_THAT(page, HasSubstr("'warplint check --help-all' prints "));
  EXPECT_LE(llvm::count(page, '\n'), 50);
  EXPECT_THAT(helpOf(CommandName::Diff, /*all=*/false),
              Not(HasSubstr("--help-all' prints")));
}

TEST(Help, LinesFitATerminal) {
  llvm::SmallVector<llvm::StringRef> lines;
  const std::string page = helpOfAll();
  llvm::StringRef(page).split(lines, '\n');
  for (llvm::StringRef line : lines)
    EXPECT_LE(line.size(), 80u) << line.str();
}

TEST(Help, FormatsAreThoseOfTheCommand) {
  const std::string check = helpOf(CommandName::Check, false);
  for (const std::string &name : formatNames(PrintsFindings))
    EXPECT_THAT(check, HasSubstr(name));
  EXPECT_THAT(helpOf(CommandName::Accesses, false), Not(HasSubstr("sarif")));
}

/// What a program prints for `arguments`; fails the test if it fails.
static std::string outputOf(llvm::StringRef program,
                            std::vector<llvm::StringRef> arguments) {
  InputFolder folder;
  const std::string out = folder.write("out"), err = folder.write("err");
  arguments.insert(arguments.begin(), program);
  std::optional<llvm::StringRef> redirects[] = {"", llvm::StringRef(out),
                                                llvm::StringRef(err)};
  EXPECT_EQ(llvm::sys::ExecuteAndWait(program, arguments, std::nullopt,
                                      redirects, /*SecondsToWait=*/60),
            0);
  auto said = llvm::MemoryBuffer::getFile(err);
  EXPECT_EQ((*said)->getBuffer(), "");
  auto text = llvm::MemoryBuffer::getFile(out);
  return (*text)->getBuffer().str();
}

TEST(Manual, HasEveryOptionAndNoWarningOfTroff) {
  const std::string page = manualPage();
  for (const CommandInfo &command : allCommands()) {
    const CommandLine line(command.name);
    EXPECT_THAT(page,
                HasSubstr(std::string(".SS \"warplint ") + command.spelling));
    for (const CLI::Option *option : shown(line))
      if (takesValue(*option)) {
        EXPECT_THAT(page, HasSubstr(option->get_option_text()));
      }
  }
  auto groff = llvm::sys::findProgramByName("groff");
  if (!groff)
    GTEST_SKIP() << "no groff here";
  InputFolder folder;
  const std::string file = folder.write("warplint.1", page);
  const std::string text =
      outputOf(*groff, {"-man", "-Tascii", "-ww", "-P-cbou", file});
  EXPECT_THAT(text, HasSubstr("--max-findings N"));
  EXPECT_THAT(text, HasSubstr("'warplint;wrap;--'"));
}

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

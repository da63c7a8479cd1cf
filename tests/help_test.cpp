// The help pages and the manual page are made from the
// parser's own options: an option that one of them lacks cannot be found.
#include "commands/formats.h"
#include "commands/help.h"
#include "program_output.h"
#include "llvm/ADT/STLExtras.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

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

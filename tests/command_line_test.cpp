// The commands and their options as objects, from which parsing, help and
// completion are made.
#include "commands/command_line.h"
#include "llvm/ADT/STLExtras.h"
#include <gmock/gmock.h>
#include <set>

using namespace warplint;
using testing::Contains;

namespace {

const CLI::Option *find(const CommandLine &line, const std::string &name) {
  return line.app.get_option_no_throw(name);
}

// CLI11 throws at run time if two options have one name: the command would
// never start.
TEST(CommandLines, EachCommandCanBeMade) {
  std::set<std::string> spellings;
  for (const CommandInfo &command : allCommands()) {
    EXPECT_NO_THROW(CommandLine line(command.name)) << command.spelling;
    EXPECT_TRUE(spellings.insert(command.spelling).second) << command.spelling;
    EXPECT_EQ(findCommand(command.spelling), &command);
    EXPECT_EQ(&infoOf(command.name), &command);
  }
  EXPECT_EQ(findCommand("chek"), nullptr);
}

// An option in a group that no page prints is one that nobody finds.
TEST(CommandLines, EachOptionIsInAGroupOfThePage) {
  for (const CommandInfo &command : allCommands()) {
    const CommandLine line(command.name);
    size_t printed = 0, shown = 0;
    for (const OptionGroup &group : optionGroups())
      printed += line.optionsOf(group.title).size();
    for (const CLI::Option *option : line.app.get_options())
      shown += !option->get_group().empty();
    EXPECT_EQ(printed, shown) << command.spelling;
  }
}

TEST(CommandLines, OptionsAreSpeltAsTheyAreTyped) {
  const CommandLine line(CommandName::Check);
  const CLI::Option *output = find(line, "--output");
  ASSERT_TRUE(output);
  EXPECT_EQ(spelt(*output), "-o, --output FILE");
  EXPECT_EQ(longName(*output), "--output");
  EXPECT_TRUE(takesValue(*output));
  const CLI::Option *all = find(line, "--all");
  ASSERT_TRUE(all);
  EXPECT_EQ(spelt(*all), "--all");
  EXPECT_FALSE(takesValue(*all));
}

// Completion offers these words, and no file, behind the option.
TEST(CommandLines, AValueHasTheWordsThatItMayBe) {
  const CommandLine line(CommandName::Check);
  EXPECT_EQ(line.values.at(find(line, "--output")).kind, ValueKind::File);
  const ValueInfo &format = line.values.at(find(line, "--format"));
  EXPECT_EQ(format.kind, ValueKind::OneOf);
  EXPECT_THAT(format.words, Contains("sarif"));
  EXPECT_EQ(CommandLine(CommandName::Explain).words.kind, ValueKind::Check);
}

// An option of one command has no place in another's help.
TEST(CommandLines, OptionsAreThoseOfTheCommand) {
  EXPECT_TRUE(find(CommandLine(CommandName::Resources), "--ratchet"));
  EXPECT_FALSE(find(CommandLine(CommandName::Check), "--ratchet"));
  EXPECT_FALSE(find(CommandLine(CommandName::Explain), "--arch"));
}

} // namespace

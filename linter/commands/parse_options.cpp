#include "commands/parse_options.h"
#include "base/failure.h"
#include "base/suggest.h"
#include "commands/command_line.h"
#include "commands/completion.h"
#include "commands/help.h"
#include "commands/read_options.h"
#include "version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace warplint {
namespace {

Options printing(CommandName command, std::string text) {
  Options options;
  options.command = command;
  options.text = std::move(text);
  return options;
}

std::string versionText() {
  return "warplint " WARPLINT_VERSION " (Clang " LLVM_VERSION_STRING ")\n";
}

Error unknownCommand(StringRef word) {
  if (word.starts_with("-")) {
    std::string near = nearest(word, {"--help", "--help-all", "--version"});
    if (!near.empty())
      return failure("unknown flag '" + word + "'" + didYouMean(near));
    return failure("flags follow the command: 'warplint check " + word +
                   " ...'");
  }
  std::vector<std::string> names;
  for (const CommandInfo &command : allCommands())
    names.push_back(command.spelling);
  // A path in place of the command: `check` was probably left out.
  std::string meant = sys::fs::exists(word) ? ("warplint check " + word).str()
                                            : nearest(word, names);
  if (meant.empty())
    return failure("unknown command '" + word +
                   "'; 'warplint help' lists the commands");
  return failure("unknown command '" + word + "'" + didYouMean(meant));
}

Error unknownFlag(StringRef flag, const CLI::App &app,
                  const CommandInfo &command) {
  StringRef name = flag.split('=').first;
  std::vector<std::string> names;
  for (const CLI::Option *option : app.get_options())
    for (const std::string &longName : option->get_lnames())
      names.push_back("--" + longName);
  std::string near = nearest(name, names);
  std::string text = formatv("'{0}' has no flag '{1}'", command.spelling, name);
  if (near.empty() && command.reads)
    text += "; flags for the compiler follow '--'";
  return failure(text + didYouMean(near));
}

/// The default file of a flag.
StringRef usualFile(StringRef flag) {
  return StringSwitch<StringRef>(flag)
      .Cases({"--ratchet", "--update"}, ratchetName)
      .Cases({"--baseline", "--write-baseline"}, baselineName)
      .Default("");
}

/// Adds the default file to such a flag unless a JSON file follows it. Any
/// other word that follows is a source.
Expected<std::vector<std::string>>
withUsualFiles(ArrayRef<const char *> arguments) {
  std::vector<std::string> result;
  for (size_t i = 0; i < arguments.size(); ++i) {
    StringRef argument = arguments[i], usual = usualFile(argument);
    if (usual.empty()) {
      result.push_back(argument.str());
      continue;
    }
    const StringRef next = i + 1 < arguments.size() ? arguments[i + 1] : "";
    const bool isNamed = next.ends_with(".json");
    if (!isNamed && !next.empty() && !next.starts_with("-") &&
        !sys::fs::exists(next))
      return failure("there is no file or folder '" + next +
                     "' to read; if it is the file of '" + argument +
                     "', its name ends in '.json' or follows '" + argument +
                     "='");
    result.push_back(
        (argument + "=" + (isNamed ? arguments[++i] : usual)).str());
  }
  return result;
}

/// `completion` and `manual`: their text is made of the options themselves.
Expected<Options> printPage(const Typed &typed, CommandName command) {
  if (command == CommandName::Manual) {
    if (typed.words.empty())
      return printing(command, manualPage());
    return failure("'manual' takes no '" + typed.words.front() + "'");
  }
  if (typed.words.size() != 1)
    return failure("'completion' takes one shell: bash, zsh or fish");
  auto script = completionScript(typed.words.front());
  if (!script)
    return script.takeError();
  return printing(command, std::move(*script));
}

Expected<Options> interpret(const CommandLine &line, CommandName command) {
  if (Error error = checkWords(line))
    return error;
  if (command == CommandName::Completion || command == CommandName::Manual)
    return printPage(line.typed, command);
  return readOptions(line.typed, command);
}

/// Turns an error of CLI11, "--format: 1 required TEXT missing", into a
/// sentence.
Error fromCLI11(const CLI::ParseError &error) {
  StringRef text = StringRef(error.what()).split('\n').first;
  if (error.get_name() == "ArgumentMismatch" && text.contains(" missing"))
    return failure("'" + text.split(':').first + "' needs a value");
  return failure("the command line cannot be read: " + text);
}

Error parse(CLI::App &app, const std::vector<std::string> &arguments) {
  // CLI11 expects its arguments in reverse order.
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::ParseError &error) {
    return fromCLI11(error);
  }
  return Error::success();
}

Expected<Options> parseCommand(const CommandInfo &command,
                               ArrayRef<const char *> arguments) {
  const auto *dashes =
      find_if(arguments, [](StringRef argument) { return argument == "--"; });
  ArrayRef<const char *> own(arguments.begin(), dashes);
  ArrayRef<const char *> flags(dashes, arguments.end());

  CommandLine line(command.name);
  auto words = withUsualFiles(own);
  if (!words)
    return words.takeError();
  if (Error error = parse(line.app, *words))
    return error;
  if (line.typed.help || line.typed.helpAll)
    return printing(CommandName::Help,
                    helpOf(command.name, line.typed.helpAll));
  std::vector<std::string> unknown = line.app.remaining();
  if (!unknown.empty())
    return unknownFlag(unknown.front(), line.app, command);
  if (flags.size() > 1) {
    if (!command.reads)
      return failure(
          formatv("'{0}' compiles nothing, so it takes no flags after '--'",
                  command.spelling));
    line.typed.options.sources.extraFlags.assign(flags.begin() + 1,
                                                 flags.end());
  }
  return interpret(line, command.name);
}

/// "help", "help check", "help check --help-all".
Expected<Options> parseHelp(ArrayRef<const char *> words) {
  const bool all = is_contained(words, StringRef("--help-all"));
  const auto *command =
      find_if(words, [](StringRef word) { return !word.starts_with("-"); });
  if (command == words.end())
    return printing(CommandName::Help, all ? helpOfAll() : helpOverview());
  const CommandInfo *info = findCommand(*command);
  if (!info)
    return unknownCommand(*command);
  return printing(CommandName::Help, info->name == CommandName::Help
                                         ? helpOverview()
                                         : helpOf(info->name, all));
}

/// Name of the program where no option can stand: CCACHE_PREFIX=warplint-wrap.
constexpr const char *launcherName = "warplint-wrap";

Expected<Options> parseUnchecked(ArrayRef<const char *> arguments) {
  if (!arguments.empty() &&
      sys::path::filename(arguments.front()) == launcherName) {
    std::vector<const char *> words = {"--"};
    append_range(words, arguments.drop_front());
    return parseCommand(*findCommand("wrap"), words);
  }
  StringRef word = arguments.size() < 2 ? "help" : arguments[1];
  if (word == "--help" || word == "-h" || word == "--help-all")
    return parseHelp(arguments.drop_front(1));
  if (word == "--version")
    return printing(CommandName::Version, versionText());
  const CommandInfo *command = findCommand(word);
  if (!command)
    return unknownCommand(word);
  if (command->name == CommandName::Help)
    return parseHelp(
        arguments.drop_front(std::min<size_t>(2, arguments.size())));
  return parseCommand(*command, arguments.drop_front(2));
}

} // namespace

Expected<Options> parseOptions(ArrayRef<const char *> arguments) {
  // CLI11 may also throw while flags are described and read back.
  try {
    return parseUnchecked(arguments);
  } catch (const std::exception &error) {
    return failure(Twine("the command line cannot be read: ") + error.what());
  }
}

} // namespace warplint

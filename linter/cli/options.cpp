#include "cli/options.h"
#include "input/suggest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

using namespace llvm;

namespace warplint {
namespace {

/// What stands on the command line, before it is looked at closely.
struct Typed {
  std::vector<std::string> words; ///< paths, ids
  std::string format = "text", colour = "auto", threads = "0";
  std::string from = "source";
  bool help = false, noJudge = false;
  Options options;
};

struct CommandInfo {
  CommandName name;
  const char *spelling, *usage, *summary;
};

constexpr CommandInfo commands[] = {
    {CommandName::Check, "check", "check PATHS... [OPTIONS] [-- FLAGS]",
     "report findings, judged by the compiled code"},
    {CommandName::Accesses, "accesses",
     "accesses PATHS... [OPTIONS] [-- FLAGS]",
     "list memory accesses, their sectors and conflicts"},
    {CommandName::Resources, "resources",
     "resources INPUTS... [OPTIONS] [-- FLAGS]",
     "list what kernels take: spills, registers, ..."},
    {CommandName::Diff, "diff", "diff OLD NEW",
     "say what changed between two of its json reports"},
    {CommandName::Checks, "checks", "checks", "list the checks"},
    {CommandName::Explain, "explain", "explain ID",
     "say what a check finds and what helps"},
    {CommandName::Help, "help", "help", "print this page"},
};

constexpr const char *ofBoth = "options of check, accesses and resources";
constexpr const char *ofCheck = "options of check";
constexpr const char *ofAccesses = "options of accesses";
constexpr const char *ofResources = "options of resources";
constexpr const char *ofAll = "options of every command";

Error sentence(const Twine &text) {
  return createStringError(inconvertibleErrorCode(), text);
}

std::string didYouMean(StringRef nearest) {
  return nearest.empty() ? "" : ("; did you mean '" + nearest + "'?").str();
}

/// CLI11 takes an option that is given twice for an error; in a build script
/// the last one is what its user wants.
void addText(CLI::App &app, const char *names, std::string &value,
             const char *placeholder, const char *help, const char *group) {
  app.add_option(names, value, help)
      ->option_text(placeholder)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
      ->group(group);
}

/// `--check a --check b,c`, and never the path that follows.
void addList(CLI::App &app, const char *names, std::vector<std::string> &values,
             const char *placeholder, const char *help, const char *group) {
  app.add_option(names, values, help)
      ->option_text(placeholder)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group(group);
}

void addSourceOptions(CLI::App &app, Typed &typed) {
  Options &options = typed.options;
  addText(app, "-p,--database", options.sources.database, "PATH",
          "compile_commands.json or its folder; else looked for near the paths",
          ofBoth);
  addText(app, "--format", typed.format, "NAME",
          "text (default), json; check: sarif, github, gitlab, junit, "
          "markdown, html;\n                          accesses: csv; "
          "resources: csv, markdown",
          ofBoth);
  addList(app, "--arch", options.architectures, "NAME",
          "read and judge for sm_90; repeatable; else what the build asks for",
          ofBoth);
  addText(app, "--block", options.block, "SHAPE",
          "block of kernels whose launch is not seen, such as 32x8", ofBoth);
  addText(app, "--device-layout", options.deviceLayout, "SIDE",
          "layout on the device, left (default) or right, of a Kokkos host "
          "build's Views that name none",
          ofBoth);
  addText(app, "--from", typed.from, "NAME",
          "read kernels from the source (default) or from the ptx that nvcc "
          "makes of it",
          ofBoth);
  addText(app, "--cuda-path", options.cudaPath, "DIR",
          "CUDA toolkit of commands that name none", ofBoth);
  addText(app, "--resource-dir", options.resourceDir, "DIR",
          "Clang's own headers, where they are not found", ofBoth);
  addText(app, "-j", typed.threads, "N", "threads; else one per core", ofBoth);
}

void addCheckOptions(CLI::App &app, Typed &typed) {
  Options &options = typed.options;
  addList(app, "--check", options.enabled, "ID",
          "report this check alone; repeatable, or a list with commas",
          ofCheck);
  app.add_flag("--all", options.allChecks, "report opinions as well")
      ->group(ofCheck);
  addText(app, "--diff", options.diff, "REV",
          "report what changed since git's REV alone, or in the diff on "
          "standard input ('-')",
          ofCheck);
  addText(app, "--baseline", options.baseline, "FILE",
          "be silent on what FILE (.warplint-baseline.json) knows", ofCheck);
  addText(app, "--write-baseline", options.writeBaseline, "FILE",
          "write what is found to FILE (.warplint-baseline.json)", ofCheck);
  app.add_flag("--refuted", options.refuted,
               "report what the compiled code refutes as well")
      ->group(ofCheck);
  addText(app, "-o,--output", options.output, "FILE",
          "write the report there, and one line about it to standard error",
          ofCheck);
  app.add_flag("--statistics", options.statistics,
               "count findings by check, level, verdict, file and kernel")
      ->group(ofCheck);
  app.add_flag("--no-judge", typed.noJudge,
               "compile nothing; every finding stays unjudged")
      ->group(ofCheck);
}

void addAccessesOptions(CLI::App &app, Typed &typed) {
  app.add_flag("--summary", typed.options.summary,
               "count what is known instead, and say why the rest is not")
      ->group(ofAccesses);
  app.add_flag("--disagree", typed.options.disagree,
               "list where source and PTX give an access another cost, and why")
      ->group(ofAccesses);
}

/// An expression may hold commas.
void addExpressions(CLI::App &app, const char *name,
                    std::vector<std::string> &values, const char *help) {
  app.add_option(name, values, help)
      ->option_text("EXPR")
      ->allow_extra_args(false)
      ->group(ofResources);
}

void addResourcesOptions(CLI::App &app, Typed &typed) {
  Options &options = typed.options;
  addExpressions(
      app, "--deny", options.deny,
      "exit with 1 if it holds for a kernel: 'spill > 0'; repeatable");
  addExpressions(app, "--allow", options.allow,
                 "leave out the kernels it holds for: 'kernel =~ debug_'");
  addText(app, "--ratchet", options.ratchet, "FILE",
          "exit with 1 if kernels differ from FILE (.warplint-resources.json)",
          ofResources);
  addText(app, "--update", options.update, "FILE",
          "write FILE (.warplint-resources.json), and say what changed",
          ofResources);
}

/// The flags of one command. The help page is made from the same objects.
void describe(CLI::App &app, Typed &typed, CommandName command) {
  app.set_help_flag("");
  // Unknown flags are collected, so that the sentence about them is ours.
  app.allow_extras();
  app.add_option("WORDS", typed.words)->group("");
  if (command == CommandName::Check || command == CommandName::Accesses ||
      command == CommandName::Resources)
    addSourceOptions(app, typed);
  if (command == CommandName::Diff)
    addText(app, "--format", typed.format, "NAME", "", ofBoth);
  if (command == CommandName::Resources)
    addResourcesOptions(app, typed);
  if (command == CommandName::Check)
    addCheckOptions(app, typed);
  if (command == CommandName::Accesses)
    addAccessesOptions(app, typed);
  addText(app, "--color,--colour", typed.colour, "WHEN",
          "auto (default), always, never", ofAll);
  app.add_flag("-h,--help", typed.help, "print this page")->group(ofAll);
}

void printOptions(const CLI::App &app, StringRef group, raw_ostream &out) {
  out << '\n' << group << ":\n";
  for (const CLI::Option *option : app.get_options()) {
    if (option->get_group() != group)
      continue;
    const std::vector<std::string> &shorts = option->get_snames();
    const std::vector<std::string> &longs = option->get_lnames();
    std::string names = shorts.empty() ? "    " : "-" + shorts.front();
    if (!longs.empty())
      names += (shorts.empty() ? "--" : ", --") + longs.front();
    if (option->get_items_expected_max() > 0)
      names += " " + option->get_option_text();
    out << "  " << left_justify(names, 26) << option->get_description() << '\n';
  }
}

std::string helpPage() {
  std::string page;
  raw_string_ostream out(page);
  out << "warplint: reads CUDA and Kokkos sources and what the compiler made "
         "of them, and\nreports where the two agree that time is being "
         "lost\n\ncommands:\n";
  for (const CommandInfo &command : commands)
    out << "  warplint " << left_justify(command.usage, 43) << command.summary
        << '\n';
  out << "\nPATHS are sources and folders; FLAGS are nvcc's, such as "
         "-Iinclude\nINPUTS are PATHS, build logs ('-': standard input), and "
         "machine code\n";
  Typed typed;
  CLI::App app;
  describe(app, typed, CommandName::Check);
  for (const char *group : {ofBoth, ofCheck})
    printOptions(app, group, out);
  CLI::App accesses;
  describe(accesses, typed, CommandName::Accesses);
  printOptions(accesses, ofAccesses, out);
  CLI::App resources;
  describe(resources, typed, CommandName::Resources);
  printOptions(resources, ofResources, out);
  printOptions(app, ofAll, out);
  out << "      --version               print the release\n"
         "\n"
         "examples:\n"
         "  warplint check src/\n"
         "  warplint check -p build --refuted src/gather.cu\n"
         "  warplint check -p build --format html -o report.html\n"
         "  warplint accesses --summary -p build\n"
         "  warplint accesses --format csv gather.cu -- -Iinclude -arch=sm_90\n"
         "  warplint accesses kernel.ptx\n"
         "  make 2>&1 | warplint resources - --deny 'spill > 0'\n"
         "\n"
         "exit codes:\n"
         "  0  no findings\n"
         "  1  findings, confirmed or unjudged\n"
         "  2  warplint itself failed\n"
         "  3  no findings, but some source could not be read whole\n";
  return page;
}

Options printing(CommandName command, std::string text) {
  Options options;
  options.command = command;
  options.text = std::move(text);
  return options;
}

std::string versionText() {
  return "warplint " WARPLINT_VERSION " (Clang " LLVM_VERSION_STRING ")\n";
}

const CommandInfo *findCommand(StringRef word) {
  const CommandInfo *command = find_if(
      commands, [&](const CommandInfo &info) { return word == info.spelling; });
  return command == std::end(commands) ? nullptr : command;
}

Error unknownCommand(StringRef word) {
  if (word.starts_with("-")) {
    std::string near = nearest(word, {"--help", "--version"});
    if (!near.empty())
      return sentence("unknown flag '" + word + "'" + didYouMean(near));
    return sentence("flags follow the command: 'warplint check " + word +
                    " ...'");
  }
  std::vector<std::string> known;
  for (const CommandInfo &command : commands)
    known.push_back(command.spelling);
  // Whoever names a path has forgotten the command rather than misspelt one.
  std::string meant = sys::fs::exists(word) ? ("warplint check " + word).str()
                                            : nearest(word, known);
  if (meant.empty())
    return sentence("unknown command '" + word +
                    "'; 'warplint help' lists the commands");
  return sentence("unknown command '" + word + "'" + didYouMean(meant));
}

Error unknownFlag(StringRef flag, const CLI::App &app,
                  const CommandInfo &command) {
  StringRef name = flag.split('=').first;
  std::vector<std::string> known;
  for (const CLI::Option *option : app.get_options())
    for (const std::string &longName : option->get_lnames())
      known.push_back("--" + longName);
  std::string near = nearest(name, known);
  std::string text = formatv("'{0}' has no flag '{1}'", command.spelling, name);
  if (near.empty() && (command.name == CommandName::Check ||
                       command.name == CommandName::Accesses ||
                       command.name == CommandName::Resources))
    text += "; flags for the compiler follow '--'";
  return sentence(text + didYouMean(near));
}

Error unknownWord(StringRef flag, StringRef value,
                  const std::vector<std::string> &known) {
  std::string near = nearest(value, known);
  if (!near.empty())
    return sentence("'" + flag + "' has no '" + value + "'" + didYouMean(near));
  return sentence("'" + flag + "' is " +
                  join(ArrayRef(known).drop_back(), ", ") + " or " +
                  known.back() + ", not '" + value + "'");
}

struct FormatInfo {
  const char *spelling;
  Format format;
};

/// What a command reports as; the first one unless another is asked for.
std::vector<FormatInfo> formatsOf(const Options &options) {
  std::vector<FormatInfo> formats = {{"text", Format::Text},
                                     {"json", Format::Json}};
  auto add = [&](std::vector<FormatInfo> more) { append_range(formats, more); };
  switch (options.command) {
  case CommandName::Check:
    if (!options.statistics)
      add({{"sarif", Format::Sarif},
           {"github", Format::Github},
           {"gitlab", Format::Gitlab},
           {"junit", Format::Junit},
           {"markdown", Format::Markdown},
           {"html", Format::Html}});
    break;
  case CommandName::Accesses:
    if (!options.summary)
      add({{"csv", Format::Csv}});
    break;
  case CommandName::Resources:
    if (options.ratchet.empty() && options.update.empty())
      add({{"csv", Format::Csv}});
    add({{"markdown", Format::Markdown}});
    break;
  default:
    add({{"markdown", Format::Markdown}});
  }
  return formats;
}

Error readFormat(const Typed &typed, Options &options) {
  const std::vector<FormatInfo> formats = formatsOf(options);
  std::vector<std::string> spellings;
  for (const FormatInfo &info : formats) {
    spellings.push_back(info.spelling);
    if (typed.format == info.spelling) {
      options.format = info.format;
      return Error::success();
    }
  }
  if (options.command == CommandName::Check && options.statistics)
    return sentence("statistics are text or json, not '" + typed.format + "'");
  if (options.command == CommandName::Accesses && options.summary)
    return sentence("a summary is text or json, not '" + typed.format + "'");
  return unknownWord("--format", typed.format, spellings);
}

Error readFrom(const Typed &typed, Options &options) {
  if (typed.from != "source" && typed.from != "ptx")
    return unknownWord("--from", typed.from, {"source", "ptx"});
  options.fromPtx = typed.from == "ptx";
  if (options.disagree && options.summary)
    return sentence("'--disagree' and '--summary' are two lists; one at a "
                    "time");
  if (options.disagree && options.fromPtx)
    return sentence("'--disagree' reads both the source and the PTX; it goes "
                    "without '--from ptx'");
  return Error::success();
}

Error readColour(const Typed &typed, Options &options) {
  if (typed.colour == "always" || typed.colour == "never")
    options.colour = typed.colour == "always";
  else if (typed.colour != "auto")
    return unknownWord("--color", typed.colour, {"auto", "always", "never"});
  return Error::success();
}

Error readThreads(const Typed &typed, Options &options) {
  constexpr unsigned most = 1024; // more is a typing error, not a machine
  if (StringRef(typed.threads).getAsInteger(10, options.threads) ||
      options.threads > most)
    return sentence("'-j' takes a number of threads up to 1024, not '" +
                    typed.threads + "'");
  return Error::success();
}

Error checkDeviceLayout(StringRef layout) {
  if (layout.empty() || layout == "left" || layout == "right")
    return Error::success();
  return sentence("'--device-layout' is left or right, not '" + layout + "'");
}

/// CUDA's limits: 1024 threads to a block, 64 of them along z.
Error checkBlock(StringRef block) {
  if (block.empty())
    return Error::success();
  SmallVector<StringRef> sizes;
  block.split(sizes, 'x');
  uint64_t threads = 1;
  for (StringRef size : sizes) {
    unsigned number = 0;
    if (size.getAsInteger(10, number) || number == 0 || sizes.size() > 3)
      return sentence("'--block' takes one to three sizes such as 32x8, not '" +
                      block + "'");
    // Held below what a product could overflow from.
    threads = std::min<uint64_t>(threads * number, UINT32_MAX);
  }
  if (threads > 1024)
    return sentence("'--block " + block +
                    "' is more than the 1024 threads that a block can have");
  unsigned depth = 1;
  if (sizes.size() == 3 && !sizes[2].getAsInteger(10, depth) && depth > 64)
    return sentence("'--block " + block +
                    "' is deeper than the 64 threads that a block can be in z");
  return Error::success();
}

Error checkArchitectures(const std::vector<std::string> &architectures) {
  for (StringRef name : architectures) {
    StringRef rest = name;
    bool spelt = rest.consume_front("sm_");
    if (!spelt)
      rest.consume_front("compute_") || rest.consume_front("sm");
    StringRef digits = rest.take_while(isDigit);
    StringRef variant = rest.drop_front(digits.size());
    bool number = (digits.size() == 2 || digits.size() == 3) &&
                  (variant.empty() || variant == "a" || variant == "f");
    if (!number)
      return sentence("'--arch' takes an architecture such as sm_90, not '" +
                      name + "'");
    if (!spelt)
      return sentence("'--arch' has no '" + name + "'" +
                      didYouMean(("sm_" + rest).str()));
  }
  return Error::success();
}

Error readSourceOptions(const Typed &typed, Options &options) {
  // What changed may be anywhere, and may be nothing of CUDA.
  options.sources.mayBeNone = !options.diff.empty();
  if (typed.words.empty() && options.diff.empty())
    return sentence(
        formatv("'{0}' needs a file or a folder: 'warplint {0} src/'",
                options.command == CommandName::Check      ? "check"
                : options.command == CommandName::Accesses ? "accesses"
                                                           : "resources"));
  options.sources.paths = typed.words;
  options.judge = !typed.noJudge;
  llvm::erase(options.enabled, "");
  llvm::erase(options.architectures, "");
  if (Error error = readFormat(typed, options))
    return error;
  if (Error error = readFrom(typed, options))
    return error;
  if (Error error = readThreads(typed, options))
    return error;
  if (Error error = checkDeviceLayout(options.deviceLayout))
    return error;
  if (Error error = checkBlock(options.block))
    return error;
  return checkArchitectures(options.architectures);
}

Error readDiffOptions(const Typed &typed, Options &options) {
  if (typed.words.size() != 2)
    return sentence("'diff' compares two files, OLD and NEW, which "
                    "'warplint resources --format json' wrote");
  options.sources.paths = typed.words;
  return readFormat(typed, options);
}

/// The file that a flag means if it names none.
StringRef usualFile(StringRef flag) {
  return StringSwitch<StringRef>(flag)
      .Cases({"--ratchet", "--update"}, ratchetName)
      .Cases({"--baseline", "--write-baseline"}, baselineName)
      .Default("");
}

/// Such a flag means the usual file unless a JSON file follows: what else
/// follows is a source, and not the flag's.
std::vector<std::string> withUsualFiles(ArrayRef<const char *> arguments) {
  std::vector<std::string> result;
  for (size_t i = 0; i < arguments.size(); ++i) {
    StringRef argument = arguments[i], usual = usualFile(argument);
    if (usual.empty()) {
      result.push_back(argument.str());
      continue;
    }
    bool isNamed = i + 1 < arguments.size() &&
                   StringRef(arguments[i + 1]).ends_with(".json");
    result.push_back(
        (argument + "=" + (isNamed ? arguments[++i] : usual)).str());
  }
  return result;
}

Error readTopic(const Typed &typed, Options &options) {
  if (typed.words.empty())
    return sentence("'explain' needs the id of a check; 'warplint checks' "
                    "lists them");
  if (typed.words.size() > 1)
    return sentence("'explain' takes one id at a time; '" + typed.words[1] +
                    "' is a second one");
  options.topic = typed.words.front();
  return Error::success();
}

Error expectNoWords(const Typed &typed) {
  if (typed.words.empty())
    return Error::success();
  const std::string &word = typed.words.front();
  const char *meant = sys::fs::exists(word) ? "check" : "explain";
  return sentence("'checks' takes no '" + word + "'; did you mean 'warplint " +
                  meant + " " + word + "'?");
}

Expected<Options> interpret(const Typed &typed, CommandName command) {
  Options options = typed.options;
  options.command = command;
  if (Error error = readColour(typed, options))
    return error;
  Error error = command == CommandName::Checks    ? expectNoWords(typed)
                : command == CommandName::Explain ? readTopic(typed, options)
                : command == CommandName::Diff
                    ? readDiffOptions(typed, options)
                    : readSourceOptions(typed, options);
  if (error)
    return error;
  return options;
}

/// CLI11's words, "--format: 1 required TEXT missing", as one sentence.
Error fromCLI11(const CLI::ParseError &error) {
  StringRef text = StringRef(error.what()).split('\n').first;
  if (error.get_name() == "ArgumentMismatch" && text.contains(" missing"))
    return sentence("'" + text.split(':').first + "' needs a value");
  return sentence("the command line cannot be read: " + text);
}

Error parse(CLI::App &app, const std::vector<std::string> &arguments) {
  // CLI11 takes its arguments last first.
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

  Typed typed;
  CLI::App app;
  describe(app, typed, command.name);
  if (Error error = parse(app, withUsualFiles(own)))
    return error;
  if (typed.help)
    return printing(CommandName::Help, helpPage());
  std::vector<std::string> unknown = app.remaining();
  if (!unknown.empty())
    return unknownFlag(unknown.front(), app, command);
  if (!flags.empty())
    typed.options.sources.extraFlags.assign(flags.begin() + 1, flags.end());
  if (!typed.options.sources.extraFlags.empty() &&
      (command.name == CommandName::Checks ||
       command.name == CommandName::Diff ||
       command.name == CommandName::Explain))
    return sentence(formatv("'{0}' compiles nothing, so it takes no flags "
                            "after '--'",
                            command.spelling));
  return interpret(typed, command.name);
}

Expected<Options> parseUnchecked(ArrayRef<const char *> arguments) {
  StringRef word = arguments.size() < 2 ? "help" : arguments[1];
  if (word == "--help" || word == "-h")
    word = "help";
  if (word == "--version")
    return printing(CommandName::Version, versionText());
  const CommandInfo *command = findCommand(word);
  if (!command)
    return unknownCommand(word);
  // `help check` is on the one page that there is.
  if (command->name == CommandName::Help)
    return printing(CommandName::Help, helpPage());
  return parseCommand(*command, arguments.drop_front(2));
}

} // namespace

Expected<Options> parseOptions(ArrayRef<const char *> arguments) {
  // Describing the flags and reading them back can throw as well.
  try {
    return parseUnchecked(arguments);
  } catch (const std::exception &error) {
    return sentence(Twine("the command line cannot be read: ") + error.what());
  }
}

} // namespace warplint

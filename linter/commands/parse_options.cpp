#include "commands/parse_options.h"
#include "base/failure.h"
#include "base/suggest.h"
#include "base/validate.h"
#include "cache/store.h"
#include "commands/formats.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

using namespace llvm;

namespace warplint {
namespace {

/// The words of the command line, before they are validated.
struct Typed {
  std::vector<std::string> words; ///< paths, ids
  std::string format = "text", colour = "auto", threads = "0";
  std::string from = "source", compile = "auto", timeout = "300";
  std::string memory; ///< empty: a share
  std::string shard, sort = "cost", leastShare = "2";
  bool help = false, noJudge = false, noConfig = false, noCache = false;
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
    {CommandName::Cost, "cost", "cost PATHS... [OPTIONS] [-- FLAGS]",
     "list what bounds each kernel, and its predicted time"},
    {CommandName::Resources, "resources",
     "resources INPUTS... [OPTIONS] [-- FLAGS]",
     "list resources of kernels: spills, registers, ..."},
    {CommandName::Diff, "diff", "diff OLD NEW",
     "compare two json reports of 'resources'"},
    {CommandName::Config, "config", "config FILE",
     "print the settings of a source and their origins"},
    {CommandName::Wrap, "wrap", "wrap [OPTIONS] -- COMPILER ...",
     "run a compiler, and lint its source meanwhile"},
    {CommandName::Collect, "collect", "collect BUILD [OPTIONS]",
     "report the findings of 'wrap' in a whole build"},
    {CommandName::Merge, "merge", "merge PARTS... [OPTIONS]",
     "merge the parts that 'check --shard' wrote"},
    {CommandName::Cache, "cache", "cache [--clear]",
     "print the size and the folder of the cache"},
    {CommandName::Lsp, "lsp", "lsp [OPTIONS] [-- FLAGS]",
     "serve an editor (Language Server Protocol)"},
    {CommandName::Checks, "checks", "checks", "list the checks"},
    {CommandName::Explain, "explain", "explain ID",
     "describe a check and its cures"},
    {CommandName::Help, "help", "help", "print this page"},
};

constexpr const char *ofBoth = "options of check, accesses and resources";
constexpr const char *ofCheck = "options of check, wrap and lsp";
constexpr const char *ofReport = "options of check";
constexpr const char *ofWrap = "options of wrap";
constexpr const char *ofAccesses = "options of accesses";
constexpr const char *ofResources = "options of resources";
constexpr const char *ofCache = "options of cache";
constexpr const char *ofAll = "options of every command";

/// If an option is given twice, the last one counts, as build scripts expect;
/// CLI11 would report an error.
void addText(CLI::App &app, const char *names, std::string &value,
             const char *placeholder, const char *help, const char *group) {
  app.add_option(names, value, help)
      ->option_text(placeholder)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
      ->group(group);
}

/// Accepts `--check a --check b,c`, but does not take a path that follows.
void addList(CLI::App &app, const char *names, std::vector<std::string> &values,
             const char *placeholder, const char *help, const char *group) {
  app.add_option(names, values, help)
      ->option_text(placeholder)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group(group);
}

void addJudgedFor(CLI::App &app, Typed &typed) {
  addList(app, "--arch", typed.options.settings.architectures, "NAME",
          "architecture to read and judge for, such as sm_90; repeatable; else "
          "the build's",
          ofBoth);
  addText(app, "--block", typed.options.settings.block, "SHAPE",
          "block of kernels whose launch is not seen, such as 32x8", ofBoth);
}

/// Options of all commands that read sources.
void addReadingOptions(CLI::App &app, Typed &typed) {
  Options &options = typed.options;
  addJudgedFor(app, typed);
  addText(app, "--device-layout", options.sources.deviceLayout, "SIDE",
          "layout on the device, left (default) or right, of a Kokkos host "
          "build's Views that name none",
          ofBoth);
  addText(app, "--cuda-path", options.sources.cudaPath, "DIR",
          "CUDA toolkit of commands that name none", ofBoth);
  addList(app, "--trust-compiler", options.compiling.trusted, "GLOB",
          "let a compile database name the compilers that GLOB matches",
          ofBoth);
  addText(app, "--resource-dir", options.sources.resourceDir, "DIR",
          "folder of Clang's own headers, if it is not found", ofBoth);
  addText(app, "--timeout", typed.timeout, "SECONDS",
          "limit for reading and linting a source, and for compiling it (300); "
          "0: none",
          ofBoth);
  addText(app, "--memory", typed.memory, "SIZE",
          "memory for reading a source, and for each program of nvcc's, such "
          "as 2G or 512M; else a share of the machine's; 0: no limit",
          ofBoth);
  addText(app, "--remote-cache", options.cache.remote, "URL",
          "share the cache through this server; else $WARPLINT_REMOTE_CACHE",
          ofBoth);
  app.add_flag("--no-cache", typed.noCache, "neither read nor write the cache")
      ->group(ofBoth);
}

void addConfigOptions(CLI::App &app, Typed &typed) {
  addText(app, "--config", typed.options.settings.config, "FILE",
          "use this configuration; else the nearest .warplint.yaml", ofBoth);
  app.add_flag("--no-config", typed.noConfig, "use no configuration")
      ->group(ofBoth);
}

void addWhichChecks(CLI::App &app, Typed &typed) {
  addList(app, "--check", typed.options.settings.enabled, "ID",
          "report only this check; repeatable, or a list with commas", ofCheck);
  app.add_flag("--all", typed.options.settings.allChecks,
               "report findings of level opinion as well")
      ->group(ofCheck);
}

void addDatabase(CLI::App &app, Typed &typed) {
  addText(app, "-p,--database", typed.options.sources.database, "PATH",
          "compile_commands.json or its folder; else searched near the paths",
          ofBoth);
}

void addThreads(CLI::App &app, Typed &typed) {
  addText(app, "-j", typed.threads, "N", "threads; else one per core", ofBoth);
}

void addSourceOptions(CLI::App &app, Typed &typed) {
  addDatabase(app, typed);
  addText(app, "--format", typed.format, "NAME", formatHelp().c_str(), ofBoth);
  addText(app, "--from", typed.from, "NAME",
          "read kernels from the source (default) or from the ptx that nvcc "
          "makes of it",
          ofBoth);
  addReadingOptions(app, typed);
  addThreads(app, typed);
  addConfigOptions(app, typed);
}

/// Options on which findings are worth a reader's time.
void addRanking(CLI::App &app, Typed &typed) {
  app.add_flag("--minor", typed.options.output.minor,
               "report findings below --min-share as well")
      ->group(ofCheck);
  addText(app, "--min-share", typed.leastShare, "PERCENT",
          "findings that save less of their kernel's time are minor (2)",
          ofCheck);
  addText(app, "--sort", typed.sort, "ORDER",
          "cost (default): the dearest first; place: by file and line",
          ofCheck);
}

/// Options of all commands that lint.
void addLintOptions(CLI::App &app, Typed &typed) {
  addWhichChecks(app, typed);
  app.add_flag("--refuted", typed.options.output.refuted,
               "report refuted findings as well")
      ->group(ofCheck);
  addRanking(app, typed);
  app.add_flag("--no-judge", typed.noJudge,
               "compile nothing; every finding stays unjudged")
      ->group(ofCheck);
  addText(app, "--compile", typed.compile, "WHEN",
          "auto (default): where it is needed to judge; never: --no-judge",
          ofCheck);
}

void addOutput(CLI::App &app, Typed &typed) {
  addText(app, "-o,--output", typed.options.output.file, "FILE",
          "write the report to FILE, and one line about it to standard error",
          ofReport);
}

void addShardOption(CLI::App &app, Typed &typed) {
  addText(
      app, "--shard", typed.shard, "I/N",
      "lint share I of N of the sources, and write a part for 'merge' to -o",
      ofReport);
}

/// Of the commands that fail on findings.
void addUnconditional(CLI::App &app, Typed &typed, const char *group) {
  app.add_flag("--unconditional", typed.options.output.unconditional,
               "findings that are confirmed under a condition fail nothing")
      ->group(group);
}

void addBaselineOptions(CLI::App &app, Typed &typed) {
  addText(app, "--baseline", typed.options.check.baseline, "FILE",
          "leave out findings that FILE (.warplint-baseline.json) records",
          ofReport);
  addText(app, "--write-baseline", typed.options.check.writeBaseline, "FILE",
          "write the findings to FILE (.warplint-baseline.json)", ofReport);
  addUnconditional(app, typed, ofReport);
}

void addStatistics(CLI::App &app, Typed &typed) {
  app.add_flag("--statistics", typed.options.output.statistics,
               "count findings by check, level, verdict, file and kernel")
      ->group(ofReport);
}

void addReportOptions(CLI::App &app, Typed &typed) {
  Options &options = typed.options;
  addText(app, "--diff", options.check.diff, "REV",
          "report only lines changed since git's REV, or in the diff on "
          "standard input ('-')",
          ofReport);
  addBaselineOptions(app, typed);
  addOutput(app, typed);
  addStatistics(app, typed);
  addShardOption(app, typed);
}

void addWrapOptions(CLI::App &app, Typed &typed) {
  addText(app, "--deny", typed.options.wrap.deny, "LEVEL",
          "fail if a finding has at least LEVEL: certain, likely, opinion",
          ofWrap);
  addUnconditional(app, typed, ofWrap);
}

void addAccessesOptions(CLI::App &app, Typed &typed) {
  app.add_flag(
         "--summary", typed.options.accesses.summary,
         "count accesses by what is known, and say why the rest is unknown")
      ->group(ofAccesses);
  app.add_flag("--disagree", typed.options.accesses.disagree,
               "list accesses whose costs in source and PTX differ, and why")
      ->group(ofAccesses);
  app.add_flag("--totals", typed.options.accesses.totals,
               "add up what each kernel reads and writes, by thread and launch")
      ->group(ofAccesses);
}

/// An expression may contain commas, so this is not a list.
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
      app, "--deny", options.resources.deny,
      "exit with 1 if EXPR holds for a kernel: 'spill > 0'; repeatable");
  addExpressions(app, "--allow", options.resources.allow,
                 "leave out kernels for which EXPR holds: 'kernel =~ debug_'");
  addText(app, "--ratchet", options.resources.ratchet, "FILE",
          "exit with 1 if kernels differ from FILE (.warplint-resources.json)",
          ofResources);
  addText(app, "--update", options.resources.update, "FILE",
          "write FILE (.warplint-resources.json), and print what changed",
          ofResources);
}

/// The flags of one command. The help page is made from the same objects.
void describe(CLI::App &app, Typed &typed, CommandName command) {
  app.set_help_flag("");
  // Unknown flags are collected, to report them in warplint's own words.
  app.allow_extras();
  app.add_option("WORDS", typed.words)->group("");
  if (command == CommandName::Check || command == CommandName::Accesses ||
      command == CommandName::Cost || command == CommandName::Resources)
    addSourceOptions(app, typed);
  if (command == CommandName::Config) {
    addText(app, "--format", typed.format, "NAME", "", ofBoth);
    addJudgedFor(app, typed);
    addWhichChecks(app, typed);
    addConfigOptions(app, typed);
  }
  const bool merges =
      command == CommandName::Collect || command == CommandName::Merge;
  if (command == CommandName::Diff || merges)
    addText(app, "--format", typed.format, "NAME", "", ofBoth);
  if (command == CommandName::Merge) {
    addBaselineOptions(app, typed);
  }
  if (merges) {
    addStatistics(app, typed);
    app.add_flag("--refuted", typed.options.output.refuted, "")->group(ofCheck);
    addRanking(app, typed);
    addOutput(app, typed);
  }
  if (command == CommandName::Wrap) {
    addReadingOptions(app, typed);
    addConfigOptions(app, typed);
    addLintOptions(app, typed);
    addWrapOptions(app, typed);
  }
  if (command == CommandName::Lsp) {
    addDatabase(app, typed);
    addReadingOptions(app, typed);
    addThreads(app, typed);
    addConfigOptions(app, typed);
    addLintOptions(app, typed);
    // Accepted and ignored: stdio is the only transport.
    app.add_flag("--stdio")->group("");
  }
  if (command == CommandName::Resources)
    addResourcesOptions(app, typed);
  if (command == CommandName::Check) {
    addLintOptions(app, typed);
    addReportOptions(app, typed);
  }
  if (command == CommandName::Accesses)
    addAccessesOptions(app, typed);
  if (command == CommandName::Cache)
    app.add_flag("--clear", typed.options.cache.clear, "remove all its records")
        ->group(ofCache);
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
  out << "warplint: finds what makes CUDA and Kokkos kernels slow, and judges "
         "its findings\nby the compiled code\n\ncommands:\n";
  for (const CommandInfo &command : commands)
    out << "  warplint " << left_justify(command.usage, 43) << command.summary
        << '\n';
  out << "\nPATHS are sources and folders; FLAGS are nvcc's, such as "
         "-Iinclude\nINPUTS are PATHS, build logs ('-': standard input), and "
         "machine code\n";
  Typed typed;
  CLI::App app;
  describe(app, typed, CommandName::Check);
  for (const char *group : {ofBoth, ofCheck, ofReport})
    printOptions(app, group, out);
  CLI::App wrap;
  describe(wrap, typed, CommandName::Wrap);
  printOptions(wrap, ofWrap, out);
  CLI::App accesses;
  describe(accesses, typed, CommandName::Accesses);
  printOptions(accesses, ofAccesses, out);
  CLI::App resources;
  describe(resources, typed, CommandName::Resources);
  printOptions(resources, ofResources, out);
  CLI::App cache;
  describe(cache, typed, CommandName::Cache);
  printOptions(cache, ofCache, out);
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
         "  cmake -DCMAKE_CUDA_COMPILER_LAUNCHER='warplint;wrap;--' ...\n"
         "\n"
         "exit codes:\n"
         "  0  no findings\n"
         "  1  findings, confirmed or unjudged\n"
         "  2  warplint itself failed\n"
         "  3  no findings, but some source could not be read whole\n"
         "  'wrap' ends as the compiler does, or with 1 if a finding is "
         "denied\n";
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
      return failure("unknown flag '" + word + "'" + didYouMean(near));
    return failure("flags follow the command: 'warplint check " + word +
                   " ...'");
  }
  std::vector<std::string> names;
  for (const CommandInfo &command : commands)
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
  if (near.empty() && (command.name == CommandName::Check ||
                       command.name == CommandName::Accesses ||
                       command.name == CommandName::Cost ||
                       command.name == CommandName::Resources))
    text += "; flags for the compiler follow '--'";
  return failure(text + didYouMean(near));
}

Error unknownWord(StringRef flag, StringRef value,
                  const std::vector<std::string> &words) {
  std::string near = nearest(value, words);
  if (!near.empty())
    return failure("'" + flag + "' has no '" + value + "'" + didYouMean(near));
  return failure("'" + flag + "' is " +
                 join(ArrayRef(words).drop_back(), ", ") + " or " +
                 words.back() + ", not '" + value + "'");
}

Error readFormat(const Typed &typed, Options &options) {
  const std::vector<std::string> names = formatNames(printedBy(options));
  if (is_contained(names, typed.format)) {
    options.output.format = rowOf({typed.format}).format;
    return Error::success();
  }
  if (options.output.statistics)
    return failure("statistics are text or json, not '" + typed.format + "'");
  if (options.command == CommandName::Accesses && options.accesses.summary)
    return failure("a summary is text or json, not '" + typed.format + "'");
  return unknownWord("--format", typed.format, names);
}

Error readFrom(const Typed &typed, Options &options) {
  if (typed.from != "source" && typed.from != "ptx")
    return unknownWord("--from", typed.from, {"source", "ptx"});
  options.sources.fromPtx = typed.from == "ptx";
  if (options.accesses.disagree && options.accesses.summary)
    return failure("'--disagree' and '--summary' exclude each other");
  for (const auto &[isGiven, name] :
       {std::pair(options.accesses.summary, "--summary"),
        std::pair(options.accesses.disagree, "--disagree")})
    if (options.accesses.totals && isGiven)
      return failure(std::string("'--totals' and '") + name +
                     "' exclude each other");
  if (options.accesses.disagree && options.sources.fromPtx)
    return failure("'--disagree' reads both the source and the PTX; it "
                   "excludes '--from ptx'");
  return Error::success();
}

Error readColour(const Typed &typed, Options &options) {
  if (typed.colour == "always" || typed.colour == "never")
    options.output.colour = typed.colour == "always";
  else if (typed.colour != "auto")
    return unknownWord("--color", typed.colour, {"auto", "always", "never"});
  return Error::success();
}

Error readThreads(const Typed &typed, Options &options) {
  constexpr unsigned most = 1024; // more is a typing error, not a machine
  if (StringRef(typed.threads).getAsInteger(10, options.limits.threads) ||
      options.limits.threads > most)
    return failure("'-j' takes a number of threads up to 1024, not '" +
                   typed.threads + "'");
  return Error::success();
}

Error checkDeviceLayout(StringRef layout) {
  if (layout.empty() || layout == "left" || layout == "right")
    return Error::success();
  return failure("'--device-layout' is left or right, not '" + layout + "'");
}

Error readConfig(const Typed &typed, Options &options) {
  options.settings.useConfig = !typed.noConfig;
  if (typed.noConfig && !options.settings.config.empty())
    return failure("'--config' and '--no-config' exclude each other");
  return Error::success();
}

/// Validates the options that `.warplint.yaml` may set as well.
Error readJudgedFor(Options &options) {
  llvm::erase(options.settings.enabled, "");
  llvm::erase(options.settings.architectures, "");
  if (Error error = checkBlock("--block", options.settings.block))
    return error;
  return checkArchitectures("--arch", options.settings.architectures);
}

Error readCompile(const Typed &typed, Options &options) {
  options.compiling.judge = !typed.noJudge && typed.compile != "never";
  if (typed.compile != "never" && typed.compile != "auto")
    return unknownWord("--compile", typed.compile, {"auto", "never"});
  return Error::success();
}

/// Which findings are minor, and the order of the others.
Error readRanking(const Typed &typed, Options &options) {
  if (typed.sort != "cost" && typed.sort != "place")
    return unknownWord("--sort", typed.sort, {"cost", "place"});
  options.output.sort = typed.sort == "place" ? SortBy::Place : SortBy::Cost;
  double percent = 0;
  if (StringRef(typed.leastShare).getAsDouble(percent) ||
      !(percent >= 0 && percent <= 100))
    return failure("'--min-share' takes a percentage from 0 to 100, not '" +
                   typed.leastShare + "'");
  options.output.leastShare = percent / 100;
  return Error::success();
}

/// Reads "2G" and "512M".
Error readMemory(const Typed &typed, Options &options) {
  if (typed.memory.empty())
    return Error::success();
  constexpr uint64_t least = uint64_t(64) << 20, most = uint64_t(1) << 46;
  StringRef text = typed.memory;
  uint64_t size = 0;
  const bool isNumber = !text.consumeInteger(10, size);
  const unsigned shift = text.equals_insensitive("g")   ? 30
                         : text.equals_insensitive("m") ? 20
                                                        : 0;
  if (!isNumber || (shift == 0 && (size || !text.empty())) ||
      size > most >> shift || (size && size << shift < least))
    return failure("'--memory' takes a size such as 2G or 512M, of 64M or "
                   "more, or 0, not '" +
                   typed.memory + "'");
  options.limits.memory = size << shift;
  return Error::success();
}

/// The URL with its password as "***". In what is no URL, all before the last
/// "@" may be one.
std::string withoutPassword(StringRef url) {
  const auto [before, host] = url.rsplit('@');
  if (before.size() == url.size())
    return url.str();
  const size_t scheme = before.find("://");
  const size_t user = scheme == StringRef::npos ? 0 : scheme + 3;
  const size_t colon = before.find(':', user);
  return (before.take_front(colon) +
          (colon == StringRef::npos ? "@" : ":***@") + host)
      .str();
}

Error readCache(const Typed &typed, Options &options) {
  unsigned seconds = 0;
  constexpr unsigned most = 1'000'000; // eleven days
  if (StringRef(typed.timeout).getAsInteger(10, seconds) || seconds > most)
    return failure("'--timeout' takes a number of seconds, not '" +
                   typed.timeout + "'");
  options.limits.timeout = std::chrono::seconds(seconds);
  if (Error error = readMemory(typed, options))
    return error;
  options.cache.folder = typed.noCache ? "" : cacheFolder();
  if (options.cache.remote.empty())
    options.cache.remote =
        sys::Process::GetEnv("WARPLINT_REMOTE_CACHE").value_or("");
  StringRef url = options.cache.remote;
  while (url.consume_back("/")) {
  }
  if (!url.empty() && !url.starts_with("http://") &&
      !url.starts_with("https://"))
    return failure("'--remote-cache' takes the URL of a server, such as "
                   "'https://cache.example.org/warplint', not '" +
                   withoutPassword(url) + "'");
  options.cache.remote = url.str();
  return Error::success();
}

/// Validates the options of all commands that read sources.
Error readReadingOptions(const Typed &typed, Options &options) {
  if (Error error = readRanking(typed, options))
    return error;
  if (Error error = readCompile(typed, options))
    return error;
  if (Error error = readCache(typed, options))
    return error;
  if (Error error = checkDeviceLayout(options.sources.deviceLayout))
    return error;
  if (Error error = readConfig(typed, options))
    return error;
  return readJudgedFor(options);
}

Error readLspOptions(const Typed &typed, Options &options) {
  if (!typed.words.empty())
    return failure("'lsp' takes no '" + typed.words.front() +
                   "': the editor says which files are open");
  if (Error error = readThreads(typed, options))
    return error;
  return readReadingOptions(typed, options);
}

Error readWrapOptions(const Typed &typed, Options &options) {
  if (!typed.words.empty() || options.sources.extraFlags.empty())
    return failure("'wrap' takes the compiler and its words after '--': "
                   "'warplint wrap -- nvcc -c gather.cu'");
  const std::string &deny = options.wrap.deny;
  if (!deny.empty() && !is_contained({"certain", "likely", "opinion"}, deny))
    return unknownWord("--deny", deny, {"certain", "likely", "opinion"});
  return readReadingOptions(typed, options);
}

Error readCollectOptions(const Typed &typed, Options &options) {
  if (typed.words.size() != 1)
    return failure(
        "'collect' needs the folder of one build: 'warplint collect build'");
  options.sources.paths = typed.words;
  if (Error error = readRanking(typed, options))
    return error;
  return readFormat(typed, options);
}

Error readMergeOptions(const Typed &typed, Options &options) {
  if (typed.words.empty())
    return failure("'merge' needs the files that 'check --shard' wrote: "
                   "'warplint merge part1 part2'");
  options.sources.paths = typed.words;
  if (Error error = readRanking(typed, options))
    return error;
  return readFormat(typed, options);
}

/// Reads "2/4". Options that need a whole report are refused; the format is
/// not, since some formats need data that only the linting machine has.
Error readShard(const Typed &typed, Options &options) {
  if (typed.shard.empty())
    return Error::success();
  auto [index, count] = StringRef(typed.shard).split('/');
  constexpr unsigned most = 10'000;
  Shard shard;
  if (index.getAsInteger(10, shard.index) ||
      count.getAsInteger(10, shard.count) || !shard.index ||
      shard.index > shard.count || shard.count > most)
    return failure("'--shard' takes a share such as 2/4, not '" + typed.shard +
                   "'");
  if (options.output.file.empty())
    return failure("'--shard' writes one part of a report: '-o FILE' says "
                   "where, and 'warplint merge' reads it");
  for (auto [flag, isGiven] :
       {std::pair("--diff", !options.check.diff.empty()),
        std::pair("--baseline", !options.check.baseline.empty()),
        std::pair("--write-baseline", !options.check.writeBaseline.empty()),
        std::pair("--statistics", options.output.statistics),
        std::pair("--refuted", options.output.refuted)})
    if (isGiven)
      return failure(
          Twine("'") + flag +
          "' is for whole reports, and '--shard' makes a part of one");
  options.check.shard = shard;
  return Error::success();
}

Error readCacheOptions(const Typed &typed, Options &options) {
  if (!typed.words.empty())
    return failure(
        "'cache' takes no paths; all sources share one cache folder");
  options.cache.folder = cacheFolder();
  if (options.cache.folder.empty())
    return failure(
        "there is no cache folder: neither WARPLINT_CACHE_DIR nor HOME is set");
  return Error::success();
}

Error readSourceOptions(const Typed &typed, Options &options) {
  // A diff need not touch CUDA sources.
  options.sources.mayBeNone = !options.check.diff.empty();
  if (typed.words.empty() && options.sources.database.empty() &&
      options.check.diff.empty())
    return failure(
        formatv("'{0}' needs a file or a folder: 'warplint {0} src/'",
                options.command == CommandName::Check      ? "check"
                : options.command == CommandName::Accesses ? "accesses"
                : options.command == CommandName::Cost     ? "cost"
                                                           : "resources"));
  options.sources.paths = typed.words;
  if (Error error = readFormat(typed, options))
    return error;
  if (Error error = readFrom(typed, options))
    return error;
  if (Error error = readThreads(typed, options))
    return error;
  if (Error error = readShard(typed, options))
    return error;
  return readReadingOptions(typed, options);
}

Error readConfigOptions(const Typed &typed, Options &options) {
  if (typed.words.size() != 1)
    return failure("'config' takes one file: 'warplint config src/a.cu'");
  options.sources.paths = typed.words;
  if (typed.format == "json")
    options.output.format = Format::Json;
  else if (typed.format != "text")
    return unknownWord("--format", typed.format, {"text", "json"});
  if (Error error = readConfig(typed, options))
    return error;
  return readJudgedFor(options);
}

Error readDiffOptions(const Typed &typed, Options &options) {
  if (typed.words.size() != 2)
    return failure("'diff' compares two files, OLD and NEW, which 'warplint "
                   "resources --format json' wrote");
  options.sources.paths = typed.words;
  return readFormat(typed, options);
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
    return failure(
        "'explain' needs the id of a check; 'warplint checks' lists them");
  if (typed.words.size() > 1)
    return failure("'explain' takes one id at a time; '" + typed.words[1] +
                   "' is a second one");
  options.topic = typed.words.front();
  return Error::success();
}

Error expectNoWords(const Typed &typed) {
  if (typed.words.empty())
    return Error::success();
  const std::string &word = typed.words.front();
  const char *meant = sys::fs::exists(word) ? "check" : "explain";
  return failure("'checks' takes no '" + word + "'; did you mean 'warplint " +
                 meant + " " + word + "'?");
}

Expected<Options> interpret(const Typed &typed, CommandName command) {
  Options options = typed.options;
  options.command = command;
  if (Error error = readColour(typed, options))
    return error;
  Error error =
      command == CommandName::Checks    ? expectNoWords(typed)
      : command == CommandName::Explain ? readTopic(typed, options)
      : command == CommandName::Config  ? readConfigOptions(typed, options)
      : command == CommandName::Diff    ? readDiffOptions(typed, options)
      : command == CommandName::Wrap    ? readWrapOptions(typed, options)
      : command == CommandName::Collect ? readCollectOptions(typed, options)
      : command == CommandName::Merge   ? readMergeOptions(typed, options)
      : command == CommandName::Cache   ? readCacheOptions(typed, options)
      : command == CommandName::Lsp     ? readLspOptions(typed, options)
                                        : readSourceOptions(typed, options);
  if (error)
    return error;
  return options;
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
       command.name == CommandName::Config ||
       command.name == CommandName::Collect ||
       command.name == CommandName::Merge ||
       command.name == CommandName::Cache ||
       command.name == CommandName::Explain))
    return failure(
        formatv("'{0}' compiles nothing, so it takes no flags after '--'",
                command.spelling));
  return interpret(typed, command.name);
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
  if (word == "--help" || word == "-h")
    word = "help";
  if (word == "--version")
    return printing(CommandName::Version, versionText());
  const CommandInfo *command = findCommand(word);
  if (!command)
    return unknownCommand(word);
  // There is one page for all commands, so `help check` prints it as well.
  if (command->name == CommandName::Help)
    return printing(CommandName::Help, helpPage());
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

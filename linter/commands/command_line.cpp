#include "commands/command_line.h"
#include "commands/formats.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

using namespace llvm;

namespace warplint {
namespace {

constexpr const char *sourcesAndFlags =
    "PATHS are sources, headers and folders; FLAGS are nvcc's, such as "
    "-Iinclude";

constexpr CommandInfo commands[] = {
    {CommandName::Check, "check", "check PATHS... [OPTIONS] [-- FLAGS]",
     "report findings, judged by the compiled code", sourcesAndFlags, true},
    {CommandName::Accesses, "accesses",
     "accesses PATHS... [OPTIONS] [-- FLAGS]",
     "list memory accesses, their sectors and conflicts", sourcesAndFlags,
     true},
    {CommandName::Operations, "operations",
     "operations PATHS... [OPTIONS] [-- FLAGS]",
     "list instructions by line and pipe, source and compiled", sourcesAndFlags,
     true},
    {CommandName::Cost, "cost", "cost PATHS... [OPTIONS] [-- FLAGS]",
     "list what bounds each kernel, and its predicted time", sourcesAndFlags,
     true},
    {CommandName::Measured, "measured",
     "measured PROFILE PATHS... [OPTIONS] [-- FLAGS]",
     "compare findings with a profile of Nsight Compute",
     "PROFILE is a report (.ncu-rep), read by ncu or the Python package\n"
     "ncu-report, or what this prints:\n"
     "  ncu --import REPORT --page source --print-source cuda,sass --csv\n"
     "PATHS are the sources; FLAGS are nvcc's",
     true},
    {CommandName::Registers, "registers",
     "registers PATHS... [OPTIONS] [-- FLAGS]",
     "name what holds each kernel's registers", sourcesAndFlags, true},
    {CommandName::Resources, "resources",
     "resources INPUTS... [OPTIONS] [-- FLAGS]",
     "list resources of kernels: spills, registers, ...",
     "INPUTS are sources, folders, build logs ('-': standard input) and\n"
     "machine code; FLAGS are nvcc's",
     true},
    {CommandName::Diff, "diff", "diff OLD NEW",
     "compare two json reports of 'resources'", "", false},
    {CommandName::Config, "config", "config FILE",
     "print the settings of a source and their origins", "", false},
    {CommandName::Wrap, "wrap", "wrap [OPTIONS] -- COMPILER ...",
     "run a compiler, and lint its source meanwhile", "", true},
    {CommandName::Collect, "collect", "collect BUILD [OPTIONS]",
     "report the findings of 'wrap' in a whole build", "", false},
    {CommandName::Merge, "merge", "merge PARTS... [OPTIONS]",
     "merge the parts that 'check --shard' wrote", "", false},
    {CommandName::Cache, "cache", "cache [--clear]",
     "print the size and the folder of the cache", "", false},
    {CommandName::Lsp, "lsp", "lsp [OPTIONS] [-- FLAGS]",
     "serve an editor (Language Server Protocol)", "", true},
    {CommandName::Checks, "checks", "checks [OPTIONS]", "list the checks", "",
     false},
    {CommandName::Explain, "explain", "explain ID [OPTIONS]",
     "describe a check and its cures", "", false},
    {CommandName::Completion, "completion", "completion SHELL",
     "print the completion script of bash, zsh or fish",
     "bash:  source <(warplint completion bash)\n"
     "zsh:   warplint completion zsh > FOLDER/_warplint, a folder of $fpath\n"
     "fish:  warplint completion fish > "
     "~/.config/fish/completions/warplint.fish",
     false},
    {CommandName::Manual, "manual", "manual",
     "print the manual page, for man(1)", "", false},
    {CommandName::Help, "help", "help [COMMAND]", "print the help of a command",
     "", false},
};

constexpr const char *ofFindings = "findings";
constexpr const char *ofOrder = "ranking and counting";
constexpr const char *ofChanges = "old findings";
constexpr const char *ofFixes = "fixes";
constexpr const char *ofEdits = "trying fixes";
constexpr const char *ofListing = "what is listed";
constexpr const char *ofGates = "gates";
constexpr const char *ofFailing = "what fails";
constexpr const char *ofOutput = "output";
constexpr const char *ofSources = "sources";
constexpr const char *ofReading = "other ways to read";
constexpr const char *ofJudging = "judging";
constexpr const char *ofConfig = "configuration";
constexpr const char *ofTools = "toolkits and compilers";
constexpr const char *ofLimits = "limits and cache";
constexpr const char *ofCache = "cache";
constexpr const char *ofAll = "help";

constexpr OptionGroup groups[] = {
    {ofFindings, false}, {ofChanges, false}, {ofFixes, false},
    {ofListing, false},  {ofGates, false},   {ofFailing, false},
    {ofSources, false},  {ofJudging, false}, {ofOutput, false},
    {ofOrder, true},     {ofEdits, true},    {ofReading, true},
    {ofConfig, true},    {ofTools, true},    {ofLimits, true},
    {ofCache, false},    {ofAll, false},
};

/// If an option is given twice, the last one counts, as build scripts expect;
/// CLI11 would report an error.
void addText(CommandLine &line, const char *names, std::string &value,
             const char *placeholder, const char *help, const char *group,
             ValueKind kind = ValueKind::Text) {
  CLI::Option *option =
      line.app.add_option(names, value, help)
          ->option_text(placeholder)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
          ->group(group);
  line.values[option] = {kind};
}

/// Takes one of a few words, which the reader of the option validates.
void addWord(CommandLine &line, const char *names, std::string &value,
             const char *placeholder, std::vector<std::string> words,
             const char *help, const char *group) {
  addText(line, names, value, placeholder, help, group);
  line.values[line.app.get_options().back()] = {ValueKind::OneOf,
                                                std::move(words)};
}

/// Accepts `--check a --check b,c`, but does not take a path that follows.
void addList(CommandLine &line, const char *names,
             std::vector<std::string> &values, const char *placeholder,
             const char *help, const char *group,
             ValueKind kind = ValueKind::Text) {
  CLI::Option *option = line.app.add_option(names, values, help)
                            ->option_text(placeholder)
                            ->delimiter(',')
                            ->allow_extra_args(false)
                            ->group(group);
  line.values[option] = {kind};
}

/// An expression may contain commas, so this is not a list.
void addExpressions(CommandLine &line, const char *name,
                    std::vector<std::string> &values, const char *help) {
  CLI::Option *option = line.app.add_option(name, values, help)
                            ->option_text("EXPR")
                            ->allow_extra_args(false)
                            ->group(ofGates);
  line.values[option] = {};
}

void addFlag(CommandLine &line, const char *names, bool &value,
             const char *help, const char *group) {
  line.app.add_flag(names, value, help)->group(group);
}

void addFormat(CommandLine &line, std::vector<std::string> names) {
  const std::string help = "text (default), " + join(drop_begin(names), ", ");
  addWord(line, "--format", line.typed.format, "NAME", std::move(names),
          help.c_str(), ofOutput);
}

void addFormat(CommandLine &line, CommandName command) {
  Options options;
  options.command = command;
  addFormat(line, formatNames(printedBy(options)));
}

void addArchitectures(CommandLine &line) {
  addList(line, "--arch", line.typed.options.settings.architectures, "NAME",
          "architectures, such as sm_90; else the build's", ofSources);
  addText(line, "--block", line.typed.options.settings.block, "SHAPE",
          "block of kernels whose launch is not seen: 32x8", ofSources);
}

/// Options of all commands that read sources.
void addReadingOptions(CommandLine &line) {
  Typed &typed = line.typed;
  Options &options = typed.options;
  addArchitectures(line);
  addWord(line, "--device-layout", options.sources.deviceLayout, "SIDE",
          {"left", "right"},
          "layout on the device, left (default) or right, of a Kokkos host "
          "build's Views that name none",
          ofTools);
  addText(line, "--cuda-path", options.sources.cudaPath, "DIR",
          "CUDA toolkit of commands that name none", ofTools,
          ValueKind::Folder);
  addList(line, "--trust-compiler", options.compiling.trusted, "GLOB",
          "let a compile database name the compilers that GLOB matches",
          ofTools);
  addText(line, "--resource-dir", options.sources.resourceDir, "DIR",
          "folder of Clang's own headers, if it is not found", ofTools,
          ValueKind::Folder);
  addText(line, "--timeout", typed.timeout, "SECONDS",
          "limit for reading and linting a source, and for compiling it (300); "
          "0: none",
          ofLimits);
  addText(line, "--memory", typed.memory, "SIZE",
          "memory for reading a source, and for each program of nvcc's, such "
          "as 2G or 512M; else a share of the machine's; 0: no limit",
          ofLimits);
  addText(line, "--remote-cache", options.cache.remote, "URL",
          "share the cache through this server; else $WARPLINT_REMOTE_CACHE",
          ofLimits);
  addFlag(line, "--no-cache", typed.noCache, "neither read nor write the cache",
          ofLimits);
}

void addConfigOptions(CommandLine &line) {
  addText(line, "--config", line.typed.options.settings.config, "FILE",
          "use this configuration; else the nearest .warplint.yaml", ofConfig,
          ValueKind::File);
  addFlag(line, "--no-config", line.typed.noConfig, "use no configuration",
          ofConfig);
}

void addWhichChecks(CommandLine &line) {
  addList(line, "--check", line.typed.options.settings.enabled, "ID",
          "report only these checks: a list with commas", ofFindings,
          ValueKind::Check);
  addFlag(line, "--all", line.typed.options.settings.allChecks,
          "report findings of level opinion as well", ofFindings);
}

void addDatabase(CommandLine &line) {
  addText(line, "-p,--database", line.typed.options.sources.database, "PATH",
          "a build folder with compile_commands.json", ofSources,
          ValueKind::File);
}

void addThreads(CommandLine &line) {
  addText(line, "-j", line.typed.threads, "N", "threads; else one per core",
          ofLimits);
}

void addQuiet(CommandLine &line, const char *help) {
  addFlag(line, "-q,--quiet", line.typed.options.output.quiet, help, ofOutput);
}

void addSourceOptions(CommandLine &line, CommandName command) {
  addDatabase(line);
  addWord(line, "--from", line.typed.from, "NAME", {"source", "ptx"},
          "read kernels from the source (default) or from the ptx that nvcc "
          "makes of it",
          ofReading);
  if (command != CommandName::Resources)
    addText(line, "--stdin-filename", line.typed.options.sources.stdinName,
            "FILE", "read the source on standard input as FILE's", ofReading,
            ValueKind::File);
  addReadingOptions(line);
  addThreads(line);
  addConfigOptions(line);
  addFormat(line, command);
}

/// Options on which findings are worth a reader's time.
void addRanking(CommandLine &line) {
  addFlag(line, "--minor", line.typed.options.output.minor,
          "report findings below --min-share as well", ofFindings);
  addText(line, "--min-share", line.typed.leastShare, "PERCENT",
          "findings that save less of their kernel's time are minor (2)",
          ofOrder);
  addWord(line, "--sort", line.typed.sort, "ORDER", {"cost", "place"},
          "cost (default): the dearest first; place: by file and line",
          ofOrder);
}

void addRefuted(CommandLine &line) {
  addFlag(line, "--refuted", line.typed.options.output.refuted,
          "report refuted findings as well", ofFindings);
}

/// Options of all commands that lint.
void addLintOptions(CommandLine &line) {
  addWhichChecks(line);
  addRefuted(line);
  addRanking(line);
  addFlag(line, "--no-judge", line.typed.noJudge,
          "compile nothing; every finding stays unjudged", ofJudging);
  addWord(line, "--compile", line.typed.compile, "WHEN", {"auto", "never"},
          "auto (default): where it is needed to judge; never: --no-judge",
          ofTools);
}

/// Options of the commands that print a report of findings.
void addReporting(CommandLine &line) {
  Typed &typed = line.typed;
  addText(line, "--max-findings", typed.mostFindings, "N",
          "print the first N findings, and count the others", ofFindings);
  addText(line, "-o,--output", typed.options.output.file, "FILE",
          "write the report to FILE", ofOutput, ValueKind::File);
  addFlag(line, "--statistics", typed.options.output.statistics,
          "count findings by check, level, verdict, file and kernel", ofOrder);
  addQuiet(line, "print findings and what could not be read, and nothing else");
}

/// Options of the commands that fail on findings.
void addUnconditional(CommandLine &line) {
  addFlag(line, "--unconditional", line.typed.options.output.unconditional,
          "findings that are confirmed under a condition fail nothing",
          ofOrder);
}

void addBaselineOptions(CommandLine &line) {
  addText(line, "--baseline", line.typed.options.check.baseline, "FILE",
          "leave out findings that FILE records", ofChanges, ValueKind::File);
  addText(line, "--write-baseline", line.typed.options.check.writeBaseline,
          "FILE", "write that FILE (.warplint-baseline.json)", ofChanges,
          ValueKind::File);
  addUnconditional(line);
}

void addFixOptions(CommandLine &line) {
  addFlag(line, "--fix", line.typed.fix,
          "apply the safe fixes that are proven on a copy", ofFixes);
  addFlag(line, "--unsafe", line.typed.options.check.unsafeFixes,
          "with --fix or --fix-diff: proven fixes of every class", ofEdits);
  addFlag(line, "--fix-diff", line.typed.fixDiff,
          "print what --fix would change, as a patch", ofFixes);
  addFlag(line, "--prove", line.typed.prove,
          "try every fix on a copy, and report what that gave", ofEdits);
  addText(line, "--export-fixes", line.typed.options.check.exportFixes, "FILE",
          "write the edits as YAML for clang-apply-replacements", ofEdits,
          ValueKind::File);
}

void addCheckOptions(CommandLine &line) {
  addText(line, "--diff", line.typed.options.check.diff, "REV",
          "report changed lines: since git's REV, or of a diff "
          "on standard input ('-')",
          ofChanges);
  addBaselineOptions(line);
  addFixOptions(line);
  addReporting(line);
  addText(line, "--shard", line.typed.shard, "I/N",
          "lint share I of N of the sources, and write a part for 'merge' to "
          "-o",
          ofLimits);
}

void addWrapOptions(CommandLine &line) {
  addWord(line, "--deny", line.typed.options.wrap.deny, "LEVEL",
          {"certain", "likely", "opinion"},
          "fail if a finding has at least LEVEL: certain, likely, opinion",
          ofFailing);
  addUnconditional(line);
}

void addAccessesOptions(CommandLine &line) {
  addFlag(line, "--summary", line.typed.options.accesses.summary,
          "count accesses by what is known, and say why the rest is unknown",
          ofListing);
  addFlag(line, "--disagree", line.typed.options.accesses.disagree,
          "list accesses whose costs in source and PTX differ, and why",
          ofListing);
  addFlag(line, "--totals", line.typed.options.accesses.totals,
          "add up what each kernel reads and writes, by thread and launch",
          ofListing);
}

void addResourcesOptions(CommandLine &line) {
  ResourcesOptions &resources = line.typed.options.resources;
  addFlag(line, "--explain", resources.explain,
          "say who holds the registers of kernels that spill or have many",
          ofListing);
  addExpressions(
      line, "--deny", resources.deny,
      "exit with 1 if EXPR holds for a kernel: 'spill > 0'; repeatable");
  addExpressions(line, "--allow", resources.allow,
                 "leave out kernels for which EXPR holds: 'kernel =~ debug_'");
  addText(line, "--ratchet", resources.ratchet, "FILE",
          "exit with 1 if kernels differ from FILE (.warplint-resources.json)",
          ofGates, ValueKind::File);
  addText(line, "--update", resources.update, "FILE",
          "write FILE (.warplint-resources.json), and print what changed",
          ofGates, ValueKind::File);
}

constexpr const char *quietList =
    "print the list and what could not be read, and nothing else";

/// The options of one command besides those of all.
void describe(CommandLine &line, CommandName command) {
  switch (command) {
  case CommandName::Check:
    addSourceOptions(line, command);
    addLintOptions(line);
    addCheckOptions(line);
    break;
  case CommandName::Accesses:
    addSourceOptions(line, command);
    addAccessesOptions(line);
    addQuiet(line, quietList);
    break;
  case CommandName::Operations:
    addSourceOptions(line, command);
    addFlag(line, "--no-judge", line.typed.noJudge,
            "compile nothing; list the source alone", ofJudging);
    addQuiet(line, quietList);
    break;
  case CommandName::Cost:
    addSourceOptions(line, command);
    addQuiet(line, quietList);
    break;
  case CommandName::Measured:
    addSourceOptions(line, command);
    addWhichChecks(line);
    addQuiet(line, quietList);
    break;
  case CommandName::Registers:
    addSourceOptions(line, command);
    addText(line, "--kernel", line.typed.options.registers.kernel, "NAME",
            "only kernels whose name contains NAME", ofListing);
    break;
  case CommandName::Resources:
    addSourceOptions(line, command);
    addResourcesOptions(line);
    break;
  case CommandName::Diff:
    addFormat(line, command);
    break;
  case CommandName::Config:
    addFormat(line, std::vector<std::string>{"text", "json"});
    addArchitectures(line);
    addWhichChecks(line);
    addConfigOptions(line);
    break;
  case CommandName::Collect:
  case CommandName::Merge:
    addFormat(line, command);
    if (command == CommandName::Merge)
      addBaselineOptions(line);
    addRefuted(line);
    addRanking(line);
    addReporting(line);
    break;
  case CommandName::Wrap:
    addReadingOptions(line);
    addConfigOptions(line);
    addLintOptions(line);
    addWrapOptions(line);
    break;
  case CommandName::Lsp:
    addDatabase(line);
    addReadingOptions(line);
    addThreads(line);
    addConfigOptions(line);
    addLintOptions(line);
    // Accepted and ignored: stdio is the only transport.
    line.app.add_flag("--stdio")->group("");
    break;
  case CommandName::Cache:
    addFlag(line, "--clear", line.typed.options.cache.clear,
            "remove all its records", ofCache);
    break;
  case CommandName::Checks:
  case CommandName::Explain:
    addFormat(line, std::vector<std::string>{"text", "json"});
    break;
  case CommandName::Completion:
  case CommandName::Manual:
  case CommandName::Help:
  case CommandName::Version:
    break;
  }
}

ValueInfo wordsOf(CommandName command) {
  switch (command) {
  case CommandName::Explain:
    return {ValueKind::Check};
  case CommandName::Collect:
    return {ValueKind::Folder};
  case CommandName::Completion:
    return {ValueKind::OneOf, {"bash", "zsh", "fish"}};
  case CommandName::Help: {
    ValueInfo info{ValueKind::OneOf};
    for (const CommandInfo &each : commands)
      info.words.push_back(each.spelling);
    return info;
  }
  case CommandName::Cache:
  case CommandName::Lsp:
  case CommandName::Checks:
  case CommandName::Manual:
  case CommandName::Version:
    return {};
  default:
    return {ValueKind::File};
  }
}

} // namespace

ArrayRef<CommandInfo> allCommands() { return commands; }

const CommandInfo *findCommand(StringRef word) {
  const CommandInfo *command = find_if(
      commands, [&](const CommandInfo &info) { return word == info.spelling; });
  return command == std::end(commands) ? nullptr : command;
}

const CommandInfo &infoOf(CommandName name) {
  return *find_if(commands,
                  [&](const CommandInfo &info) { return info.name == name; });
}

ArrayRef<OptionGroup> optionGroups() { return groups; }

CommandLine::CommandLine(CommandName command) : words(wordsOf(command)) {
  app.set_help_flag("");
  // Unknown flags are collected, to report them in warplint's own words.
  app.allow_extras();
  app.add_option("WORDS", typed.words)->group("");
  describe(*this, command);
  addWord(*this, "--color,--colour", typed.colour, "WHEN",
          {"auto", "always", "never"}, "auto (default), always, never",
          ofOutput);
  addFlag(*this, "-h,--help", typed.help, "print the common options", ofAll);
  addFlag(*this, "--help-all", typed.helpAll, "print all options", ofAll);
}

std::vector<const CLI::Option *> CommandLine::optionsOf(StringRef group) const {
  std::vector<const CLI::Option *> found;
  for (const CLI::Option *option : app.get_options())
    if (option->get_group() == group)
      found.push_back(option);
  return found;
}

bool takesValue(const CLI::Option &option) {
  return option.get_items_expected_max() > 0;
}

std::string longName(const CLI::Option &option) {
  return option.get_lnames().empty() ? "-" + option.get_snames().front()
                                     : "--" + option.get_lnames().front();
}

std::string spelt(const CLI::Option &option) {
  const std::vector<std::string> &shorts = option.get_snames();
  std::string text = longName(option);
  if (!shorts.empty() && !option.get_lnames().empty())
    text = "-" + shorts.front() + ", " + text;
  if (takesValue(option))
    text += " " + option.get_option_text();
  return text;
}

} // namespace warplint

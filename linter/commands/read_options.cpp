#include "commands/read_options.h"
#include "base/failure.h"
#include "base/suggest.h"
#include "base/validate.h"
#include "cache/store.h"
#include "commands/formats.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace warplint {
namespace {

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

void readColour(const Typed &typed, Options &options) {
  if (typed.colour == "always" || typed.colour == "never")
    options.output.colour = typed.colour == "always";
}

Error readThreads(const Typed &typed, Options &options) {
  constexpr unsigned most = 1024; // more is a typing error, not a machine
  if (StringRef(typed.threads).getAsInteger(10, options.limits.threads) ||
      options.limits.threads > most)
    return failure("'-j' takes a number of threads up to 1024, not '" +
                   typed.threads + "'");
  return Error::success();
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

/// Which findings are minor, and the order of the others.
Error readRanking(const Typed &typed, Options &options) {
  options.output.sort = typed.sort == "place" ? SortBy::Place : SortBy::Cost;
  if (!typed.leastShare.empty()) {
    auto share = leastShareOf("--min-share", typed.leastShare);
    if (!share)
      return share.takeError();
    options.settings.leastShare = *share;
  }
  unsigned most = 0;
  if (typed.mostFindings.empty())
    return Error::success();
  if (StringRef(typed.mostFindings).getAsInteger(10, most))
    return failure("'--max-findings' takes a number, not '" +
                   typed.mostFindings + "'");
  options.output.mostFindings = most;
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
  options.compiling.judge = !typed.noJudge && typed.compile != "never";
  if (Error error = readCache(typed, options))
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
        std::pair("--max-findings", options.output.mostFindings.has_value()),
        std::pair("--refuted", options.output.refuted)})
    if (isGiven)
      return failure(
          Twine("'") + flag +
          "' is for whole reports, and '--shard' makes a part of one");
  options.check.shard = shard;
  return Error::success();
}

/// A proof needs the compiler and the text on disk; a part of a report has no
/// place for it.
Error readFixes(const Typed &typed, Options &options) {
  const char *flag = typed.fix       ? "--fix"
                     : typed.fixDiff ? "--fix-diff"
                     : typed.prove   ? "--prove"
                                     : nullptr;
  if (!flag && options.check.unsafeFixes)
    return failure("'--unsafe' is for '--fix' and '--fix-diff'");
  if (typed.fix + typed.fixDiff + typed.prove > 1)
    return failure("'--fix', '--fix-diff' and '--prove' exclude each other");
  if (!flag)
    return Error::success();
  if (!options.compiling.judge || options.check.shard ||
      options.sources.fromPtx || !options.sources.stdinName.empty() ||
      !options.check.writeBaseline.empty())
    return failure(Twine("'") + flag +
                   "' tries fixes with the compiler on whole files: not with "
                   "--no-judge, --shard, --from ptx, --write-baseline or a "
                   "source on standard input");
  options.check.fixes = typed.fix       ? FixMode::Write
                        : typed.fixDiff ? FixMode::Diff
                                        : FixMode::Prove;
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

/// `--stdin-filename a.cu`, with or without "-" in place of paths.
Error readStdinName(const Typed &typed, Options &options) {
  const std::string &name = options.sources.stdinName;
  const bool isDash = is_contained(typed.words, "-");
  if (name.empty())
    return isDash && options.command != CommandName::Resources
               ? failure("'-' is a source on standard input, and "
                         "'--stdin-filename FILE' names it")
               : Error::success();
  for (const std::string &word : typed.words)
    if (word != "-")
      return failure(
          "'--stdin-filename' lints standard input alone, without '" + word +
          "'");
  if (options.check.diff == "-")
    return failure(
        "'--diff -' and '--stdin-filename' both read standard input");
  options.sources.paths = {name};
  return Error::success();
}

Error readSourceOptions(const Typed &typed, Options &options) {
  // A diff need not touch CUDA sources.
  options.sources.mayBeNone = !options.check.diff.empty();
  if (Error error = readStdinName(typed, options))
    return error;
  if (typed.words.empty() && options.sources.database.empty() &&
      options.check.diff.empty() && options.sources.stdinName.empty())
    return failure(
        formatv("'{0}' needs a file or a folder: 'warplint {0} src/'",
                infoOf(options.command).spelling));
  if (options.command == CommandName::Measured &&
      typed.words.size() + !options.sources.database.empty() < 2)
    return failure("'measured' needs a profile and the sources that it is of: "
                   "'warplint measured report.ncu-rep src/'");
  if (options.sources.stdinName.empty())
    options.sources.paths = typed.words;
  if (options.command == CommandName::Registers || options.resources.explain)
    options.compiling.registers = RegistersOf::All;
  if (Error error = readFormat(typed, options))
    return error;
  if (Error error = readFrom(typed, options))
    return error;
  if (Error error = readThreads(typed, options))
    return error;
  if (Error error = readShard(typed, options))
    return error;
  if (Error error = readReadingOptions(typed, options))
    return error;
  return readFixes(typed, options);
}

/// The format of commands that the table of formats does not have.
Error readTextOrJson(const Typed &typed, Options &options) {
  if (typed.format == "json")
    options.output.format = Format::Json;
  else if (typed.format != "text")
    return unknownWord("--format", typed.format, {"text", "json"});
  return Error::success();
}

Error readConfigOptions(const Typed &typed, Options &options) {
  if (typed.words.size() != 1)
    return failure("'config' takes one file: 'warplint config src/a.cu'");
  options.sources.paths = typed.words;
  if (Error error = readTextOrJson(typed, options))
    return error;
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

Error readTopic(const Typed &typed, Options &options) {
  if (typed.words.empty())
    return failure(
        "'explain' needs the id of a check; 'warplint checks' lists them");
  if (typed.words.size() > 1)
    return failure("'explain' takes one id at a time; '" + typed.words[1] +
                   "' is a second one");
  options.topic = typed.words.front();
  return readTextOrJson(typed, options);
}

Error readChecksOptions(const Typed &typed, Options &options) {
  if (typed.words.empty())
    return readTextOrJson(typed, options);
  const std::string &word = typed.words.front();
  const char *meant = sys::fs::exists(word) ? "check" : "explain";
  return failure("'checks' takes no '" + word + "'; did you mean 'warplint " +
                 meant + " " + word + "'?");
}

Error readOptionsOf(CommandName command, const Typed &typed, Options &options) {
  switch (command) {
  case CommandName::Checks:
    return readChecksOptions(typed, options);
  case CommandName::Explain:
    return readTopic(typed, options);
  case CommandName::Config:
    return readConfigOptions(typed, options);
  case CommandName::Diff:
    return readDiffOptions(typed, options);
  case CommandName::Wrap:
    return readWrapOptions(typed, options);
  case CommandName::Collect:
    return readCollectOptions(typed, options);
  case CommandName::Merge:
    return readMergeOptions(typed, options);
  case CommandName::Cache:
    return readCacheOptions(typed, options);
  case CommandName::Lsp:
    return readLspOptions(typed, options);
  default:
    return readSourceOptions(typed, options);
  }
}

} // namespace

Error checkWords(const CommandLine &line) {
  for (const CLI::Option *option : line.app.get_options()) {
    const auto found = line.values.find(option);
    if (found == line.values.end() || found->second.kind != ValueKind::OneOf ||
        option->results().empty() || longName(*option) == "--format")
      continue;
    const std::string &value = option->results().back();
    if (!value.empty() && !is_contained(found->second.words, value))
      return unknownWord(longName(*option), value, found->second.words);
  }
  return Error::success();
}

Expected<Options> readOptions(const Typed &typed, CommandName command) {
  Options options = typed.options;
  options.command = command;
  readColour(typed, options);
  if (Error error = readOptionsOf(command, typed, options))
    return error;
  return options;
}

} // namespace warplint

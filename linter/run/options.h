// The options of a run as values, in groups by what they serve. The parser of
// the command line is commands/parse_options.
#pragma once
#include "input/buffers.h"
#include "input/sources.h"
#include "nvcc/read_registers.h"
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplint {

enum class CommandName {
  Check,
  Accesses,
  Operations,
  Cost,
  Measured,
  Registers,
  Resources,
  Diff,
  Config,
  Wrap,
  Collect,
  Merge,
  Cache,
  Lsp,
  Checks,
  Explain,
  Completion,
  Manual,
  Help,
  Version
};
/// The name of an output format; commands/formats.h has the table of all. Only
/// those that code compares with have a constant here.
struct Format {
  std::string_view name;
  bool operator==(const Format &) const = default;
  static const Format Text, Json, Csv, Markdown;
};
inline constexpr Format Format::Text{"text"};
inline constexpr Format Format::Json{"json"};
inline constexpr Format Format::Csv{"csv"};
inline constexpr Format Format::Markdown{"markdown"};

/// The default file of `--ratchet` and `--update`.
inline constexpr const char *ratchetName = ".warplint-resources.json";
/// The default file of `--baseline` and `--write-baseline`.
inline constexpr const char *baselineName = ".warplint-baseline.json";

/// One share of the sources: 2/4 is the second of four.
struct Shard {
  unsigned index = 1, count = 1;
};

/// Which sources to read, and how.
struct SourceOptions : SourceRequest {
  std::string cudaPath;     ///< --cuda-path
  std::string resourceDir;  ///< --resource-dir: Clang's own headers
  std::string deviceLayout; ///< --device-layout: left, right or empty
  bool fromPtx = false;     ///< --from ptx
  std::string stdinName;    ///< --stdin-filename; may be empty
};

/// The values on the command line of settings that `.warplint.yaml` may set as
/// well.
struct SettingOptions {
  std::string config;    ///< --config; empty: the nearest file to each source
  bool useConfig = true; ///< false: --no-config
  std::vector<std::string> enabled; ///< --check, not validated; empty: default
  bool allChecks = false;           ///< --all: opinions as well
  std::vector<std::string> architectures; ///< --arch
  std::string block;                      ///< --block 32x8, valid; may be empty
  std::optional<double> leastShare;       ///< --min-share, from 0 to 1
};

/// Says if findings are judged by compiled code.
struct CompileOptions {
  bool judge = true; ///< false: --no-judge
  const char *whyNotJudged = "not compiled (--no-judge)";
  /// --trust-compiler: globs of programs that compile databases may name.
  std::vector<std::string> trusted;
  /// Kernels of which it is read who holds their registers.
  RegistersOf registers = RegistersOf::Spilling;
};

/// How much of the machine a run may use.
struct LimitOptions {
  unsigned threads = 0; ///< -j; 0: one per core
  /// For reading one source, and for compiling it for one architecture.
  std::chrono::milliseconds timeout{300'000};
  /// --memory: bytes for reading one source; 0: no limit; empty: a share.
  std::optional<uint64_t> memory;
};

struct CacheOptions {
  std::string folder; ///< empty: no cache on disk
  std::string remote; ///< --remote-cache: a URL; empty: none
  bool clear = false; ///< cache --clear
};

enum class SortBy { Cost, Place };

struct OutputOptions {
  Format format = Format::Text;         ///< each command accepts some of them
  bool refuted = false;                 ///< --refuted
  bool unconditional = false;           ///< --unconditional
  bool minor = false;                   ///< --minor
  SortBy sort = SortBy::Cost;           ///< --sort
  std::optional<bool> colour;           ///< --color; empty: auto
  std::string file;                     ///< -o; empty: standard output
  std::optional<unsigned> mostFindings; ///< --max-findings
  bool quiet = false;                   ///< --quiet
  bool statistics = false;              ///< --statistics
};

/// The treatment of the edits of findings. Prove: try each on a copy, and
/// report what that gave. Diff: print the proven ones as a patch. Write: change
/// the files.
enum class FixMode { Offer, Prove, Diff, Write };

struct CheckOptions {
  FixMode fixes = FixMode::Offer;
  bool unsafeFixes = false; ///< --unsafe: those of all classes, if proven
  std::string exportFixes;  ///< --export-fixes: a file; may be empty
  std::string baseline, writeBaseline; ///< files; may be empty
  std::string diff; ///< --diff: a revision or "-"; may be empty
  std::optional<Shard> shard;
};

struct AccessesOptions {
  bool summary = false;  ///< --summary
  bool disagree = false; ///< --disagree
  bool totals = false;   ///< --totals
};

struct ResourcesOptions {
  std::vector<std::string> deny, allow; ///< expressions, not parsed
  std::string ratchet, update;          ///< files; may be empty
  bool explain = false;                 ///< --explain
};

struct RegistersOptions {
  std::string kernel; ///< --kernel: a part of its name; empty: all
};

struct WrapOptions {
  std::string deny; ///< a level; may be empty
};

struct Options {
  CommandName command = CommandName::Help;
  SourceOptions sources;
  SettingOptions settings;
  CompileOptions compiling;
  LimitOptions limits;
  CacheOptions cache;
  OutputOptions output;
  // Each of one command:
  CheckOptions check;
  AccessesOptions accesses;
  ResourcesOptions resources;
  RegistersOptions registers;
  WrapOptions wrap;
  std::string topic; ///< of `explain`, not validated
  std::string text;  ///< of commands that only print a page
};

} // namespace warplint

// What a run was asked for, as values: the command line without its words.
#pragma once
#include "input/buffers.h"
#include "input/sources.h"
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplint {

enum class CommandName {
  Check,
  Accesses,
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

/// The file that `--ratchet` and `--update` mean if they name none.
inline constexpr const char *ratchetName = ".warplint-resources.json";
/// The same for `--baseline` and `--write-baseline`.
inline constexpr const char *baselineName = ".warplint-baseline.json";

/// The second of four: 2/4.
struct Shard {
  unsigned index = 1, count = 1;
};

struct Options {
  CommandName command = CommandName::Help;
  SourceRequest sources;
  Format format = Format::Text; ///< not each command has each
  bool refuted = false;         ///< --refuted
  std::optional<bool> colour;   ///< --color always|never; empty: auto
  std::string cudaPath;         ///< --cuda-path
  std::string resourceDir;      ///< --resource-dir: Clang's
  bool judge = true;            ///< --no-judge iterations it off
  const char *whyNotJudged = "not compiled (--no-judge)";
  std::string output;               ///< -o: a file; empty: standard output
  bool statistics = false;          ///< --statistics
  std::vector<std::string> enabled; ///< --check ID, may repeat; empty: default.
                                    ///< As typed: the command looks them up
  std::vector<std::string> architectures; ///< --arch sm_90, may repeat
  std::string block;                      ///< --block 32x8, valid; may be empty
  std::string deviceLayout; ///< --device-layout left or right; may be empty
  std::string config;       ///< --config; empty: the nearest of each source
  bool useConfig = true;    ///< --no-config iterations it off
  unsigned threads = 0;     ///< -j; 0: as many as cores
  bool summary = false;     ///< accesses --summary
  bool fromPtx = false;     ///< --from ptx, not from the source
  bool disagree = false;    ///< accesses --disagree
  std::string baseline, writeBaseline; ///< files to go by or to write
  std::string diff; ///< check --diff: a revision, or "-"; empty: everything
  bool allChecks = false; ///< --all: opinions as well
  /// resources --deny, --allow, as typed; wrap --deny: the last is a level
  std::vector<std::string> deny, allow;
  std::string ratchet, update; ///< the file to hold or write; empty: neither
  Shard shard;                 ///< check --shard
  bool isShard = false;        ///< whether that was said
  bool clear = false;          ///< cache --clear
  std::string topic;           ///< `explain ID`, as typed
  std::string cache;           ///< folder of what is kept; empty: none is
  std::string remoteCache;     ///< its URL; empty: there is none
  /// Of one source's reading, or of one compile of it.
  std::chrono::milliseconds timeout{300'000};
  Buffers buffers;  ///< an editor's, of files that are not saved
  std::string text; ///< help or version text to print
};

} // namespace warplint

// Options to the sources that they name, each of them read.
#pragma once
#include "cache/file_lists.h"
#include "input/translate.h"
#include "input/walk.h"
#include "nvcc/compile.h"
#include "run/changes.h"
#include "run/options.h"
#include "run/outcome.h"
#include "run/settings.h"
#include "source/read.h"
#include <chrono>
#include <map>
#include <memory>

namespace warplint {

/// One source and what is known of it so far.
struct Work {
  Command command;
  std::shared_ptr<const Settings> settings;
  std::vector<std::string> arguments; ///< response files spliced
  Translation translation;
  std::optional<Toolkit> toolkit;
  SourceModel model;     ///< without kernels if `hasModel` is false
  bool hasModel = false; ///< false: only the outline was read from the cache
  std::chrono::milliseconds readFor{0}; ///< the time that reading took
  std::string key; ///< of `model` in the cache; empty if it is not there
  std::shared_ptr<const TrustedPrograms> trusted; ///< what nvcc may start
  std::optional<NvccCommand> nvcc;  ///< set if a database names the compiler
  std::shared_ptr<FileLists> lists; ///< files that its compiler reads
  std::vector<std::string> notes;   ///< on what is missing without an error
  std::optional<uint64_t> size;     ///< bytes with headers, once it is measured
  /// The folder whose files call the functions of the source; empty: that of
  /// its own project. A copy of a source has the callers of the original.
  std::string callers;
  std::vector<Launch> launches; ///< the outline's, as these files call them

  bool isPtx() const { return isPtxText(command.source); }
};

/// Makes an observer of each source that is read; the cache holds what it
/// records as part of the source's model.
struct Instrument {
  llvm::StringRef name; ///< part of the key in the cache
  std::unique_ptr<ReadObserver> (*observer)();
};

class EarlyCompiles;
class RunCache;

struct Batch {
  std::vector<Work> sources;
  /// By source, whether the shard that is asked for has it; empty: it is all.
  std::vector<bool> share;
  std::vector<std::string> notes;
  std::string resourceDir; ///< Clang's own headers
  struct SeenLaunch {
    Launch launch;
    size_t source; ///< index of the source that contains it
    /// Its definition of the kernel; without a file if it only declares it.
    Place definition = {};
  };
  /// By mangled kernel name: launches that may be of a kernel of any source.
  std::map<std::string, std::vector<SeenLaunch>> launches;
  const Instrument *instrument = nullptr;
  std::shared_ptr<RunCache> cache;
  std::shared_ptr<EarlyCompiles> early; ///< null if nothing is compiled early
  bool compilesAll = false; ///< whether a check asks for compiled code or not

  bool includes(size_t source) const { return share.empty() || share[source]; }
};

/// The needs of the next stages. `Outlines`: the cache may replace reading.
/// `Compiled`: outlines, and compiling may begin before all sources are read;
/// `ModelsCompiled`: models, and all sources are compiled likewise.
enum class Want { Models, Outlines, Compiled, ModelsCompiled };

/// Reads every source that the options name, or only those that `changes`
/// touches, in parallel, and settles the block shapes of all kernels. Fails if
/// there is nothing to read.
llvm::Expected<Batch> readBatch(const Options &options, Want want,
                                const Changes *changes = nullptr,
                                const Instrument *instrument = nullptr);

/// Like readBatch, for the one source of a command.
llvm::Expected<Batch> readCommand(const Options &options, Want want,
                                  const Command &command);

/// Reads the models of those sources in `which` that have none yet.
void readModels(Batch &batch, llvm::ArrayRef<size_t> which,
                const Options &options);

/// The newest architecture that the source is compiled for, 90 for sm_90: its
/// costs are computed for that.
unsigned capabilityOf(const Work &work);

/// Launches in other sources that may be of a kernel of this source.
std::vector<Launch> launchesElsewhere(const Batch &batch, size_t source);

/// The result of reading a source; without findings.
SourceOutcome outcomeOf(const Work &work);

/// The report on the sources, without findings.
Report summary(const Batch &batch);

} // namespace warplint

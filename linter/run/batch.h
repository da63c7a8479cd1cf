// Options to what was read of every source: the part of the line that all
// commands share.
#pragma once
#include "cache/file_lists.h"
#include "cache/store.h"
#include "input/translate.h"
#include "input/walk.h"
#include "machine/compiled.h"
#include "run/changes.h"
#include "run/options.h"
#include "run/outcome.h"
#include "run/settings.h"
#include "source/read.h"
#include <map>
#include <memory>

namespace warplint {

/// One source on its way down the line.
struct Work {
  Command command;
  std::shared_ptr<const Settings> settings; ///< of the source
  std::vector<std::string> arguments;       ///< spliced
  Translation translation;
  std::optional<Toolkit> toolkit;
  SourceModel model; ///< without kernels if `hasModels` is false
  bool hasModels = false;
  std::vector<KernelOutline> kernels; ///< of all that are, or would be, in it
  std::string whyNot; ///< a sentence if nothing of it could be read
  std::string key;    ///< its reading in the cache; empty if it is in none
  std::shared_ptr<FileLists> lists; ///< of what its compiler reads
  std::optional<uint64_t> cost;     ///< sortByCost's; bytes
  std::vector<std::string> notes;   ///< on what is missing without an error

  bool isPtx() const { return isPtxText(command.source); }
};

/// Makes an observer of each source that is read; the cache holds what it
/// records as part of the source's model.
struct Instrument {
  llvm::StringRef name; ///< part of the key in the cache
  std::unique_ptr<ReadObserver> (*observer)();
};

class CompilesAhead;
class RunCache;

struct Batch {
  std::vector<Work> sources;
  std::vector<std::string> notes;
  std::string resourceDir; ///< Clang's own headers
  struct Seen {
    Launch launch;
    const Work *in;
  };
  /// Those that other sources than their own may be meant by, by kernel.
  std::map<std::string, std::vector<Seen>> launches;
  const Instrument *instrument = nullptr;
  std::shared_ptr<RunCache> cache;
  std::shared_ptr<CompilesAhead> ahead; ///< null if none is wanted
};

/// What the next stages want of the sources. Those that were read before need
/// not be read again for their outlines. Compiled: outlines, and compiling may
/// begin before all is read.
enum class Want { Models, Outlines, Compiled };

/// Reads every source that the options name, or those of them that `changes`
/// touch, in parallel, and settles the block shapes of all kernels. Fails if
/// there is nothing to read.
llvm::Expected<Batch> readBatch(const Options &options, Want want,
                                const Changes *changes = nullptr,
                                const Instrument *instrument = nullptr);

/// The same for the one source of a command.
llvm::Expected<Batch> readCommand(const Options &options, Want want,
                                  const Command &command);

/// Where what the options want kept is kept.
Store storeOf(const Options &options);

/// Those that take longest first, as far as their text tells: nobody wants to
/// wait for the last of them alone.
void sortByCost(std::vector<size_t> &which, Batch &batch);

/// Fetches the models of those sources that have none yet.
void readModels(Batch &batch, llvm::ArrayRef<size_t> which,
                const Options &options);

/// All launches that are seen anywhere and may be of a kernel of `work`.
std::vector<Launch> launchesFor(const Work &work, const Batch &batch);
/// Those of them that are not seen in `work` itself.
std::vector<Launch> launchesElsewhere(const Work &work, const Batch &batch);

/// What was read of a source, without what was found in it.
SourceOutcome outcomeOf(const Work &work);

/// What the report says of sources beside their findings.
Report summary(const Batch &batch);

/// What there is to judge by, or in `whyNot` the reason why there is nothing.
/// `sources` of them are worked on in parallel. `keyOnceRead`: as CompileRun's.
Compiled compiledFor(const Work &work, const Options &options, size_t sources,
                     std::function<std::string()> keyOnceRead = nullptr);

/// The kernels of a source as the PTX for its newest architecture says them.
llvm::Expected<std::vector<Kernel>> ptxKernelsOf(const Work &work,
                                                 const Options &options);

} // namespace warplint

// What holds for one source: the command line, the nearest .warplint.yaml and
// the checks' own words, in this order; each value says where it comes from.
#pragma once
#include "findings/check.h"
#include "input/config.h"
#include "model/model.h"
#include "run/options.h"
#include <map>
#include <memory>

namespace warplint {

/// Neither a file nor the command line: warplint's own.
struct Origin {
  std::string file; ///< absolute
  unsigned line = 0;
  bool onCommandLine = false;
};

template <typename T> struct Setting {
  T value;
  Origin from = {};
};

struct CheckSettings {
  const Check *check;
  Setting<bool> on;
  Setting<Level> level;
  std::optional<Setting<unsigned>> threshold; ///< if the check has one
};

/// A pattern of paths, which starts in the folder of the file that it is from.
using PathSetting = Setting<std::string>;

struct Settings {
  std::vector<std::string> files;    ///< that were read, the nearest first
  std::vector<CheckSettings> checks; ///< all, by id
  /// Empty: what the build asks for.
  Setting<std::vector<std::string>> architectures;
  std::vector<Setting<KernelBlock>> blocks; ///< the first that matches holds
  std::vector<PathSetting> skip;
  /// Where findings are reported beside the source; none: in all headers.
  std::optional<std::vector<PathSetting>> headers;

  std::vector<const Check *> enabled() const;
  /// Whether one of them looks for what only compiled code shows.
  bool asksCompiledCode() const;
  Tuning tuning() const;
  /// The level of useless allowances; none: they are not reported.
  std::optional<Level> uselessAllows() const;
  /// Of a kernel whose launch is not seen; its place is where a file says so.
  std::optional<KernelShape> blockOf(const Kernel &kernel) const;
  /// The pattern that leaves a file out; null if there is none.
  const PathSetting *skips(llvm::StringRef file) const;
  /// Whether what is found in `file` is reported for `source`.
  bool reportsIn(llvm::StringRef file, llvm::StringRef source) const;
};

/// Finds and reads the configurations of a run, each once.
class Configurations {
public:
  explicit Configurations(const Options &options) : options_(options) {}

  /// Of a file, which need not exist. Fails if a configuration cannot be read,
  /// or if the command line names a check that is none.
  llvm::Expected<std::shared_ptr<const Settings>> of(llvm::StringRef file);

private:
  using Chain = std::vector<std::shared_ptr<const Config>>;
  llvm::Expected<Chain> chainOf(llvm::StringRef folder);
  llvm::Expected<std::shared_ptr<const Config>> read(llvm::StringRef file);

  const Options &options_;
  std::map<std::string, std::shared_ptr<const Config>> read_;
  std::map<std::string, std::shared_ptr<const Settings>>
      settings_; ///< by folder
};

/// "there is no check 'x'; did you mean 'y'?"
llvm::Error unknownCheck(const std::string &id);

} // namespace warplint

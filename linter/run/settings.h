// The settings of one source, from the command line, the .warplint.yaml files
// around it and the defaults of checks, in this order of precedence. Each value
// records its origin.
#pragma once
#include "findings/check.h"
#include "input/config.h"
#include "model/model.h"
#include "run/options.h"
#include <map>
#include <memory>

namespace warplint {

/// Where a setting comes from; by default warplint itself.
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
  /// Opinions of a check of a higher level are wanted: somebody named the
  /// check, or asked for all.
  bool wantsOpinions = false;
};

/// A pattern of paths, relative to the folder of the file that it is from.
using PathSetting = Setting<std::string>;

struct Settings {
  std::vector<std::string> files;    ///< configurations, the nearest first
  std::vector<CheckSettings> checks; ///< all, by id
  /// Empty: what the build asks for.
  Setting<std::vector<std::string>> architectures;
  /// Findings that save a smaller share of their kernel's time are minor.
  Setting<double> leastShare{Finding().leastShare};
  std::vector<Setting<KernelBlock>> blocks; ///< the first match counts
  std::vector<PathSetting> skip;
  /// Headers in which findings are reported; empty optional: all.
  std::optional<std::vector<PathSetting>> headers;

  std::vector<const Check *> enabled() const;
  /// Returns true if a finding with the level that its check gave it is
  /// reported.
  bool wants(const Finding &finding) const;
  /// The level to report it with: that of the settings, or its own.
  Level levelOf(const Finding &finding) const;
  /// Returns true if an enabled check inspects compiled code.
  bool asksCompiledCode() const;
  Tuning tuning() const;
  /// The level of useless allowances; nothing if they are not reported.
  std::optional<Level> uselessAllows() const;
  /// The block of a kernel whose launch is not seen; its place is in the
  /// configuration.
  std::optional<KernelShape> blockOf(const Kernel &kernel) const;
  /// The pattern that skips a file; null if there is none.
  const PathSetting *skips(llvm::StringRef file) const;
  /// Returns true if findings in `file` are reported for `source`.
  bool reportsIn(llvm::StringRef file, llvm::StringRef source) const;
};

/// Finds the configurations of a run and reads each once.
class Configurations {
public:
  explicit Configurations(const SettingOptions &options) : options_(options) {}

  /// The settings of a file, which need not exist. Fails if a configuration
  /// cannot be read, or if the command line names an unknown check.
  llvm::Expected<std::shared_ptr<const Settings>> of(llvm::StringRef file);

private:
  using Chain = std::vector<std::shared_ptr<const Config>>;
  llvm::Expected<Chain> chainOf(llvm::StringRef folder);
  llvm::Expected<std::shared_ptr<const Config>> read(llvm::StringRef file);

  const SettingOptions &options_;
  std::map<std::string, std::shared_ptr<const Config>> read_;
  std::map<std::string, std::shared_ptr<const Settings>>
      settings_; ///< by folder
};

/// "there is no check 'x'; did you mean 'y'?"
llvm::Error unknownCheck(const std::string &id);

} // namespace warplint

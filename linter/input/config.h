// The text of a .warplint.yaml to its values, each with its line.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace warplint {

inline constexpr const char *configName = ".warplint.yaml";

/// The settings of a check that a configuration can change.
struct ConfigurableCheck {
  std::string id;
  std::string threshold; ///< its name; empty: there is none
  unsigned low = 0, high = 0;
};

template <typename T> struct Said {
  T value;
  unsigned line;
};

struct CheckWords {
  std::string id;                         ///< or `allChecks`
  std::optional<Said<std::string>> level; ///< off, on, opinion, likely, certain
  std::optional<Said<unsigned>> threshold;
};

/// "gather*: 32x8".
struct KernelBlock {
  std::string pattern; ///< of a kernel's name
  std::string block;   ///< valid
};

struct Config {
  std::string file;     ///< absolute; path patterns are relative to its folder
  bool inherit = false; ///< the next one upward supplies what is not set
  std::vector<CheckWords> checks;
  std::optional<Said<std::vector<std::string>>> architectures;
  std::optional<Said<double>> leastShare; ///< from 0 to 1
  std::vector<Said<KernelBlock>> blocks;
  std::vector<Said<std::string>> skip;
  std::optional<std::vector<Said<std::string>>> headers;

  static constexpr const char *allChecks = "all";
};

/// Fails with "file:line:column: ", what is wrong, and what may be meant.
llvm::Expected<Config> readConfig(llvm::StringRef file, llvm::StringRef text,
                                  llvm::ArrayRef<ConfigurableCheck> checks);

} // namespace warplint

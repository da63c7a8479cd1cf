// The commands and their options, as CLI11 objects. Parsing, help, the manual
// page and shell completion are all made from them.
#pragma once
#include "run/options.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <CLI/App.hpp>
#include <map>

namespace warplint {

struct CommandInfo {
  CommandName name;
  const char *spelling, *usage, *summary;
  const char *words; ///< on the words of `usage`; may be empty
  bool reads;        ///< reads sources, so that flags of compilers may follow
};

/// All commands, in the order of the help page.
llvm::ArrayRef<CommandInfo> allCommands();

/// Null if no command is spelt like that.
const CommandInfo *findCommand(llvm::StringRef word);
const CommandInfo &infoOf(CommandName name);

/// Options that serve one purpose. A page of help leaves the rare groups out.
struct OptionGroup {
  const char *title;
  bool isRare;
};

/// In the order of help.
llvm::ArrayRef<OptionGroup> optionGroups();

/// The words of the command line, before they are validated.
struct Typed {
  std::vector<std::string> words; ///< paths, ids
  std::string format = "text", colour = "auto", threads = "0";
  std::string from = "source", compile = "auto", timeout = "300";
  std::string memory; ///< empty: a share
  std::string shard, sort = "cost", leastShare, mostFindings;
  bool fix = false, fixDiff = false, prove = false;
  bool help = false, helpAll = false;
  bool noJudge = false, noConfig = false, noCache = false;
  Options options;
};

/// The kind of an option's value, or of a command's word.
enum class ValueKind { Text, File, Folder, Check, OneOf };

struct ValueInfo {
  ValueKind kind = ValueKind::Text;
  std::vector<std::string> words = {}; ///< OneOf
};

/// The options of one command. Those of CLI11 refer to this object.
struct CommandLine {
  /// CLI11 throws if two options have one name.
  explicit CommandLine(CommandName command);
  CommandLine(const CommandLine &) = delete;

  CLI::App app;
  Typed typed;
  std::map<const CLI::Option *, ValueInfo> values; ///< of those that take one
  ValueInfo words; ///< what the command takes besides options

  /// The options of a group, in the order in which they were described.
  std::vector<const CLI::Option *> optionsOf(llvm::StringRef group) const;
};

/// "-o, --output FILE"; "--help".
std::string spelt(const CLI::Option &option);
/// "--output", or "-j" if it has no long name.
std::string longName(const CLI::Option &option);
bool takesValue(const CLI::Option &option);

} // namespace warplint

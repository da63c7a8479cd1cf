// Sources to the files that they include, from their preprocessor directives
// alone. Conditions are evaluated by `missing` only, but those on another
// compiler or system (`#ifdef _MSC_VER`), so this is much faster than
// preprocessing and finds at least the files that preprocessing finds.
#pragma once
#include "input/buffers.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warplint {

/// A directive that includes a file or affects the text of later includes.
struct Directive {
  enum Kind {
    Include,      ///< #include of a spelt name
    OtherInclude, ///< #include_next or #import of a spelt name
    MacroInclude, ///< an include whose name a macro gives
    Macro,        ///< #define or #undef
    Other,        ///< such as #pragma push_macro
  };
  Kind kind;
  std::string name;           ///< "heat/step.h"; of a Macro, its name
  bool isQuoted = false;      ///< "name", not <name>
  bool isConditional = false; ///< inside an #if that is no include guard
  /// Of a #define, what follows the name; none: #undef, or it has parameters.
  std::optional<std::string> value = std::nullopt;

  bool isInclude() const { return kind <= MacroInclude; }
};

/// Where a condition begins or ends.
struct ConditionStep {
  enum Kind { If, ElseIf, Else, EndIf };
  Kind kind;
  std::string condition; ///< as #if spells it: "defined(X)"; of If and ElseIf
  size_t next;           ///< the directive that follows it, by its index
};

struct ScannedFile {
  bool isReadable = false;
  uint64_t bytes = 0;
  bool mentionsKokkos = false; ///< anywhere in its text
  bool usesKokkos = false;     ///< a name of it, perhaps in a comment
  bool hasKernels = false; ///< as the function of that name says
  bool launches = false;   ///< and no compiler of C++ takes it: "<<<"
  std::set<std::string> cudaSwitches; ///< cudaSwitchesIn
  /// In the order of the text, without those of an include guard.
  std::vector<Directive> directives;
  std::vector<ConditionStep> conditions; ///< in the order of the text
  std::string guard;   ///< the macro of an include guard; empty: none
  bool isOnce = false; ///< #pragma once
};

/// The folders and files that the flags of a command name.
struct IncludeFolders {
  std::vector<std::string> quoted;  ///< -iquote
  std::vector<std::string> project; ///< -I
  std::vector<std::string> system;  ///< -isystem and -idirafter
  std::vector<std::string> forced;  ///< files of -include and -imacros

  auto operator<=>(const IncludeFolders &) const = default;
};

/// `flags` are those of Clang or of a host compiler, used in `directory`.
IncludeFolders includeFolders(llvm::StringRef directory,
                              llvm::ArrayRef<std::string> flags);

/// Reads and scans each file once. Not for several threads.
class IncludeGraph {
public:
  IncludeGraph() = default;
  /// Text in `buffers`, which must outlive this object, replaces that on disk.
  /// `wasRead` is called for each file that is read.
  explicit IncludeGraph(const Buffers &buffers, WasRead wasRead = {})
      : buffers_(&buffers), wasRead_(std::move(wasRead)) {}

  const ScannedFile &scan(const std::string &file);

  /// The file that `include`, a directive of `file`, names: in the folder of
  /// `file` and those of -iquote if it is quoted, else in those of -I. Empty if
  /// there is none: -isystem marks what is not the project's own.
  std::string find(const Directive &include, llvm::StringRef file,
                   const IncludeFolders &folders) const;

  /// True if `isWanted` holds for `source` or for a file that it includes,
  /// directly or not, where `find` finds it.
  bool reaches(const std::string &source, const IncludeFolders &folders,
               llvm::function_ref<bool(const ScannedFile &)> isWanted);
  /// True if `source` includes `file`, directly or not, where `find` finds it.
  bool reaches(const std::string &source, const IncludeFolders &folders,
               const std::string &file) {
    return reached(source, folders).count(file);
  }

  /// An include that no condition around it rules out.
  struct Inclusion {
    const Directive &directive;
    const std::string &found; ///< by `find`; empty: nothing
    bool isTaken;   ///< by the conditions of the file that has it
    bool isCertain; ///< and so are those that lead to that file
  };
  /// Calls `visit` for the includes of `source` and of the files that it
  /// includes, in the order in which a compiler comes to them, and goes into
  /// each that `find` finds if `visit` returns true. Follows the conditions
  /// around them as far as the macros of the files and of the flags decide them
  /// (KnownMacros).
  void follow(const std::string &source, const IncludeFolders &folders,
              llvm::ArrayRef<std::string> flags,
              llvm::function_ref<bool(const Inclusion &)> visit);

  /// The names that `source` and the files that it includes include, and that
  /// `find` does not find, each once. Leaves out what stands behind a condition
  /// that is not decided.
  std::set<std::string> missing(const std::string &source,
                                const IncludeFolders &folders,
                                llvm::ArrayRef<std::string> flags = {});

  /// The macros that `source` and the files that it includes ask whether CUDA
  /// is there, and that none of them defines: `#ifndef A` before `#define A 0`
  /// leaves A to the flags.
  std::set<std::string> cudaSwitches(const std::string &source,
                                     const IncludeFolders &folders);

  /// The bytes of `source` and of the files that it includes, where `find`
  /// finds them. Leaves out those of `common`, spelt as in <common>, and what
  /// it includes.
  uint64_t bytes(const std::string &source, const IncludeFolders &folders,
                 llvm::StringRef common);

  /// True if `source`, or anything it may include, is one of `files`, which are
  /// canonical paths. Takes every folder for every include, since conditions
  /// can decide which of several headers of one name is read. A file below the
  /// folder `root` that includes the name of a macro may include any file.
  bool mayRead(const std::string &source, const IncludeFolders &folders,
               const std::set<std::string> &files, llvm::StringRef root);

  /// The first file that `source` may include, by any folder, and that is a
  /// pipe or a device; empty if there is none. A compiler may wait for its end
  /// for ever. Does not look into what files below the folder `library`
  /// include.
  std::string firstPipe(const std::string &source,
                        const IncludeFolders &folders, llvm::StringRef library);

private:
  /// Calls `use` for each file that exists and that `file` may include.
  void forEachIncluded(const std::string &file, const IncludeFolders &folders,
                       llvm::function_ref<void(std::string)> use);

  /// What `find` gives for each directive of a file; empty: nothing.
  using Edges = std::map<std::string, std::vector<std::string>>;
  struct Followed;
  using Seen = std::set<std::string>;

  const std::vector<std::string> &includedBy(const std::string &file,
                                             const ScannedFile &scanned,
                                             const IncludeFolders &folders,
                                             Edges &edges) const;

  void follow(const std::string &file, Followed &state, bool isCertain);

  /// `source` and all files that it includes.
  Seen reached(const std::string &source, const IncludeFolders &folders);

  /// Visits `source` and the files that it includes which are not in `seen`,
  /// and adds them to it. Ends with true where `visit` gives true.
  bool walk(const std::string &source, const IncludeFolders &folders,
            Seen &seen, llvm::function_ref<bool(const ScannedFile &)> visit);

  const Buffers *buffers_ = nullptr;
  WasRead wasRead_;
  std::map<std::string, ScannedFile> files_;
  std::map<IncludeFolders, Edges> edges_; ///< those that `find` gave
  /// By folders and name: what `bytes` leaves out.
  std::map<std::pair<IncludeFolders, std::string>, Seen> common_;
};

} // namespace warplint

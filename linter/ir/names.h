// Names from the AST for what the IR only computes, by place.
#pragma once
#include "model/model.h"
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace llvm {
class DIFile;
}

namespace warplint {

struct NamedAccess {
  std::string text;       ///< "a.cols[r * ld + c]"
  std::string object;     ///< "a.cols"
  unsigned bytes = 0;     ///< of its type; 0 where that is not known
  bool isPointer = false; ///< its value is an address
  bool ofVector = false; ///< `a(i)` or `a[i]` of a library's array
  bool ofOperator = false; ///< `a[i]` by an operator of a class
  bool isCall = false; ///< of a function or a lambda: not `a(i, j)` of an array
  /// A reference parameter, or a member of one, of a library's type: its caller
  /// decides where it lies in memory.
  bool isHandedIn = false;
  /// The small objects that a library's operator or function reads by
  /// reference: 'z[i]' and 'w[8 * i]' of 'z[i] *= w[8 * i]'.
  std::vector<NamedAccess> operands = {};
  std::string whole = {}; ///< with operands: the text of the call
  /// The parameter in whose memory it lies, if that is a reference, or
  /// `ofThis`: the caller has another name for it.
  std::optional<int> passed = {};
  static constexpr int ofThis = -1;
  std::string rest = {}; ///< behind the parameter: ".q[i]" of 'p.q[i]'
  /// The macro in whose body it stands, as it is used: "UPDATE(...)". All of a
  /// body has one place.
  std::string macro = {};
};

/// What a call passes by reference, by parameter.
using PassedObjects = std::map<int, NamedAccess>;

/// Names by the place that code generation gives an access: the beginning of
/// the subscripted expression for a load, the assignment operator for a store.
/// `p[i].q[j]` has two loads at one place, which differ by type. Several of one
/// macro's body that do not differ so have the name of one to the object that
/// the IR names, else that of the macro.
class AccessNames {
public:
  void add(const Place &place, NamedAccess name);
  /// `object`: as the IR names it; may be empty.
  const NamedAccess *find(const Place &place, unsigned bytes, bool isPointer,
                          llvm::StringRef object = "") const;

private:
  struct AtPlace {
    std::vector<NamedAccess> each;
    std::optional<NamedAccess> macro; ///< in place of any of a macro's body
  };
  std::map<Place, AtPlace> names_;
};

/// The value that a loop's condition compares with.
struct NamedBound {
  std::string text; ///< "n - 1"
  std::optional<CapturedVariable> captured;
};

/// The source's text at the place of a computation.
struct WrittenOperation {
  std::string text;                  ///< "x * 0.999"
  std::vector<std::string> operands; ///< "x", "0.999"
  bool isCast = false;               ///< a cast makes it a double
};

/// `a(i, j)` in the source's words.
struct NamedIndexes {
  std::vector<std::string> texts;
  std::optional<LayoutSpelling> spelling; ///< of the layout of `a`
};

struct Names {
  AccessNames loads, stores;
  std::map<Place, std::string> calls; ///< by their place: "f->get(i)"
  std::map<Place, PassedObjects> passed; ///< by the place of the call
  std::map<Place, NamedIndexes> indexes;
  std::map<Place, NamedBound> loopBounds; ///< by the loop's keyword
  /// Access::lastLine of inline assembly, by the place of its statement.
  std::map<Place, unsigned> assemblyEnds;
  /// Asks the AST, which outlives it; null without one.
  std::function<std::optional<WrittenOperation>(const Place &)> operationAt;
  std::set<std::string> systemFiles; ///< absolute paths, not the user's
  std::set<std::string> userFiles;   ///< the others that were read
  std::set<std::string> markedFiles; ///< the user's with a suppression comment

  bool isUser(const std::string &file) const {
    return !file.empty() && !systemFiles.count(file);
  }

  /// A file of the debug information.
  struct File {
    std::string path; ///< absolute
    bool isUser = false;
  };
  /// Asked for each instruction and each call that was inlined, so each file is
  /// looked up once.
  const File &file(const llvm::DIFile *file) const;

private:
  mutable std::map<const llvm::DIFile *, File> files_;
};

} // namespace warplint

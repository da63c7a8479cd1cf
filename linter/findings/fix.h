// The change to the source that a finding asks for, and what trying it gave.
#pragma once
#include "model/place.h"
#include <cstdint>
#include <string>
#include <vector>

namespace warplint {

/// The promise of an edit: Safe the same bits; Rounding all but the last places
/// of floating point; Assumes the same bits if `Fix::assumes` holds.
enum class FixClass { Safe, Rounding, Assumes };

/// The result of trying the edit on a copy. Unproven: it was not tried, or it
/// could not be shown that the kernels store the same.
enum class Proof { Unproven, Proven, RolledBack };

const char *spelling(FixClass kind); ///< "safe", "rounding", "assumes"
const char *spelling(Proof proof);   ///< "unproven", "proven", "rolled back"

/// The edits that checks ask for; fixes/edits has the text of each.
enum class Change {
  DeclareConst, ///< the variable that is declared at `at`
  PadRows,      ///< of the shared array `name`, used at `at`, by `number`
  LeaveConstantMemory, ///< the `__constant__` variable `name`, used at `at`
  LimitBlocks,  ///< of the launch bounds of the kernel at `at`, to `number`
  UnrollFully,  ///< the loop at `at`, in place of its pragma
  StoreOnce,    ///< the element `name`, written at `at`, after its loop
  FloatLiteral, ///< the literals `name` of the statement at `at`, with 'f'
  Restrict,     ///< the parameters `name`, "a, b", of the kernel at `at`
  /// The call of a power at `at`: `name` takes its place, with '@' for the
  /// base.
  ReplacePower,
  /// The elements `name`, "a[i]; *b", that the loop at `at` reads, before it.
  /// `number`: its trip count; 0 if only the run knows it.
  LoadOnce,
  /// The elements `name`, "t[i]; t[k]", of the local array at `at`: loops over
  /// its `number` elements that choose the one.
  SelectElement,
  /// The layout in the types whose first template argument is at `at` and
  /// `also`, to `name`: "Kokkos::LayoutLeft".
  OtherLayout,
};
inline constexpr Change lastChange = Change::OtherLayout;

/// A range of a file, and the text that takes its place.
struct Edit {
  Place begin, end;
  unsigned offset = 0, length = 0; ///< the range in bytes
  std::string text;
  bool operator==(const Edit &) const = default;
};

struct Fix {
  Change change = Change::DeclareConst;
  Place at = {};
  std::vector<Place> also = {}; ///< further places, of the same file
  std::string name = {};
  uint64_t number = 0;
  FixClass kind = FixClass::Safe;
  std::string assumes = {};     ///< a sentence, for FixClass::Assumes
  std::vector<Edit> edits = {}; ///< of one file, in its order
  Proof proof = Proof::Unproven;
  std::string why = {}; ///< what trying it gave; empty if it was not tried
};

} // namespace warplint

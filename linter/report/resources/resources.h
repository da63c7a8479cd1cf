// What each kernel takes on each architecture, ready to print, to compare and
// to hold against gates. Sizes are bytes per thread, shared memory is bytes per
// block, occupancy is percent of the warps that a multiprocessor can hold.
#pragma once
#include "model/place.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>
#include <vector>

namespace warplint {

/// A line of source and how many instructions of the machine code save
/// registers there, or bring them back.
struct SpillLine {
  std::string file;
  unsigned line = 0, instructions = 0;
  bool operator==(const SpillLine &) const = default;
};

/// One block shape of a launch and what it leaves of the multiprocessor.
struct LaunchOccupancy {
  std::string block; ///< "256x1x1"
  unsigned percent = 0;
  std::string limit; ///< "registers"; empty if nothing limits it
  bool operator==(const LaunchOccupancy &) const = default;
};

/// One kernel on one architecture, compiled by one command. What the input
/// cannot tell is empty, which is not 0.
struct ResourceRow {
  std::string kernel;       ///< "k<float, 4>"
  std::string signature;    ///< "void k<float, 4>(float*)": what it is known by
                            ///< from one build to the next
  std::string mangled;      ///< empty if the report does not keep it
  std::string architecture; ///< "sm_90"
  std::string source;       ///< the file that was compiled, or the object
  Place place;              ///< of the kernel; of its lambda, if it has one
  std::string toolkit;      ///< "13.0.88"
  std::string flags;        ///< those that decide about the machine code
  using Number = std::optional<unsigned>;
  Number registers, stack, spillStores, spillLoads;
  Number arrays, spills, other; ///< what the stack frame is made of
  Number shared, barriers;
  Number occupancy; ///< at the launch where it is lowest
  std::vector<LaunchOccupancy> launches;
  std::vector<SpillLine> spillLines; ///< most instructions first

  /// Bytes stored and loaded to spill registers; not those of the frame.
  Number spill() const;
  bool operator==(const ResourceRow &) const = default;
};

/// A number of a row, under the name that reports and gates have for it.
struct Measure {
  const char *name;    ///< "spillStores"
  const char *heading; ///< of a column: "spill stores"
  ResourceRow::Number ResourceRow::*value;
  bool moreIsBetter = false;
};

/// All of them, in the order in which they hurt.
llvm::ArrayRef<Measure> measures();

/// Something whose resources are not known: that is never "clean".
struct MissingReport {
  std::string source; ///< as it is shown; "standard input"
  std::string why;
  bool operator==(const MissingReport &) const = default;
};

struct ResourceReport {
  std::string warplint; ///< the release that wrote it
  std::vector<ResourceRow> rows;
  std::vector<MissingReport> missing;
  std::vector<std::string> notes;
};

/// By bytes spilled, stack frame, lowest occupancy, registers, shared memory;
/// then by name.
bool hurtsMore(const ResourceRow &a, const ResourceRow &b);

/// Sorts by what hurts. Rows that are equal become one.
void sortByHarm(std::vector<ResourceRow> &rows);

} // namespace warplint

// The resources of each kernel on each architecture, ready to print, to compare
// and to check against gates. Sizes are bytes per thread, shared memory is
// bytes per block, occupancy is a percentage of the warps that a multiprocessor
// can hold.
#pragma once
#include "model/place.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>
#include <vector>

namespace warplint {

/// A line of source and how many machine instructions spill or restore
/// registers there.
struct SpillLine {
  std::string file;
  unsigned line = 0, instructions = 0;
  bool operator==(const SpillLine &) const = default;
};

/// One block shape of a launch, and its occupancy.
struct LaunchOccupancy {
  std::string block; ///< "256x1x1"
  unsigned percent = 0;
  std::string limit; ///< "registers"; empty if nothing limits it
  bool operator==(const LaunchOccupancy &) const = default;
};

/// One kernel on one architecture, compiled by one command. Values that the
/// input lacks are empty, not 0.
struct ResourceRow {
  std::string kernel;       ///< "k<float, 4>"
  std::string signature;    ///< "void k<float, 4>(float*)": its identity
                            ///< across builds
  std::string mangled;      ///< empty if the report lacks it
  std::string architecture; ///< "sm_90"
  std::string source;       ///< the file that was compiled, or the object
  Place place;              ///< of the kernel, or of its lambda
  std::string toolkit;      ///< "13.0.88"
  std::string flags;        ///< those that affect the machine code
  using Number = std::optional<unsigned>;
  Number registers, stack, spillStores, spillLoads;
  Number arrays, spills, other; ///< parts of the stack frame
  Number shared, barriers;
  Number occupancy;  ///< at the launch with the lowest
  Number cycles;     ///< of an SM for each warp, predicted from the source
  std::string bound; ///< what takes them: "DRAM"; empty if they are unknown
  std::vector<LaunchOccupancy> launches;
  std::vector<SpillLine> spillLines; ///< most instructions first
  /// The holders of the registers, one line; empty if nobody asks.
  std::string explanation = {};

  /// Bytes that spills store and load; not those of the frame.
  Number spill() const;
  bool operator==(const ResourceRow &) const = default;
};

/// A number of a row, with its name in reports and gates.
struct Measure {
  const char *name;    ///< "spillStores"
  const char *heading; ///< of its column: "spill stores"
  ResourceRow::Number ResourceRow::*value;
  bool moreIsBetter = false;
};

/// All measures, the most costly first.
llvm::ArrayRef<Measure> measures();

/// A source or kernel without known resources; it never counts as clean.
struct MissingReport {
  std::string source; ///< as displayed; may be "standard input"
  std::string why;
  bool operator==(const MissingReport &) const = default;
};

struct ResourceReport {
  std::string warplint; ///< the release that wrote it
  std::vector<ResourceRow> rows;
  std::vector<MissingReport> missing;
  std::vector<std::string> notes;
};

/// Sorts by bytes spilled, stack frame, lowest occupancy, registers, shared
/// memory, then name.
bool hurtsMore(const ResourceRow &a, const ResourceRow &b);

/// Sorts by cost and merges equal rows.
void sortByHarm(std::vector<ResourceRow> &rows);

} // namespace warplint

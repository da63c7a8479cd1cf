// Sums up what the threads of a kernel read and write: by thread and by launch,
// with the operations for each byte. A table for people, CSV and JSON for
// programs.
#pragma once
#include "cost/costed.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace warplint {

/// Accesses of a thread, on average over the threads of a launch.
struct Traffic {
  double reads = 0;
  double readsLeft = 0; ///< that no register makes unnecessary
  double writes = 0, atomics = 0;
  double bytes = 0; ///< of the reads left, of writes and atomics
  // For all warps of a launch.
  double requests = 0;
  double sectors = 0; ///< global memory only
  Traffic &operator+=(const Traffic &other);
};

struct ObjectTraffic {
  std::string object; ///< as the source names it; may be empty
  Space space = Space::Unknown;
  Traffic traffic;
};

/// One kernel for one block shape.
struct TotalsRow {
  std::string kernel;
  Place place;
  KernelShape shape;
  std::optional<double> warps; ///< of the launch, if its grid is known
  std::vector<ObjectTraffic> objects;
  Traffic global;                   ///< of all objects in global memory
  double operations = 0;            ///< on floating-point numbers, of a thread
  std::vector<std::string> assumed; ///< bounds of loops that are not known

  /// Operations for each byte of global memory that a thread asks for; none if
  /// it asks for none.
  std::optional<double> intensity() const;
};

std::vector<TotalsRow> totalsRows(const Kernel &kernel);

void printTotalsTable(const std::vector<TotalsRow> &rows,
                      const std::string &relativeTo, llvm::raw_ostream &out);
void printTotalsCsv(const std::vector<TotalsRow> &rows,
                    const std::string &relativeTo, llvm::raw_ostream &out);
void printTotalsJson(const std::vector<TotalsRow> &rows,
                     llvm::raw_ostream &out);

} // namespace warplint

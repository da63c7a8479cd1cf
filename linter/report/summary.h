// Counts the accesses of a whole tree: how many are exact, bounded, assumed or
// unknown, and what the unknown ones depend on.
//
// A kernel instance counts once, however many sources contain it, and each of
// its accesses once, with the first of its block shapes. Only counts and one
// example of each reason are stored.
#pragma once
#include "cost/lanes.h"
#include "report/report.h"
#include "source/coverage/coverage.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <set>

namespace warplint {

struct Tally {
  uint64_t exact = 0, bounded = 0, assumed = 0, unknown = 0;
  uint64_t answered() const { return exact + bounded + assumed; }
  uint64_t all() const { return answered() + unknown; }
  void add(Basis basis);
  Tally &operator+=(const Tally &other);
};

/// One kind of reason why accesses are unknown, with its first example.
struct UnknownReason {
  uint64_t count = 0;
  Place place;
  std::string text; ///< "a[col[j]]"; empty if it has none
  std::string why;  ///< in full: "'col[j]', loaded from memory"
};

struct KernelTally {
  /// Identifies the instance: several sources may include its header.
  std::string identity;
  Tally global, shared;
  Tally steady;          ///< global; the address depends on no loaded data
  uint64_t local = 0;    ///< of the thread's own arrays, if not in registers
  uint64_t textures = 0; ///< and surfaces, which have no sectors to count
  uint64_t held = 0; ///< what a register has or others overwrite: no requests
  std::map<std::string, UnknownReason> reasons; ///< by kind
  std::set<std::string> notFollowed;
  Coverage coverage;
};

KernelTally tally(const Kernel &kernel);

/// "a value loaded from memory" of "'col[j]', loaded from memory".
std::string reasonKind(llvm::StringRef why);

class AccessSummary {
public:
  /// Call in the order of the sources, so that examples do not depend on the
  /// number of threads.
  void add(const KernelTally &kernel);

  uint64_t kernels = 0;
  Tally global, shared, steady;
  uint64_t local = 0, textures = 0, held = 0;
  std::map<std::string, UnknownReason> reasons;
  std::map<std::string, uint64_t> notFollowed; ///< kernels, by the reason
  Coverage coverage;                           ///< only the first examples
  uint64_t unexplained = 0, withoutExpression = 0;
  std::vector<std::pair<std::string, UnknownReason>> commonestFirst() const;

private:
  std::set<std::string> seen_;
};

void printSummaryText(const AccessSummary &summary, const Report &report,
                      const std::string &relativeTo, llvm::raw_ostream &out);
void printSummaryJson(const AccessSummary &summary, const Report &report,
                      llvm::raw_ostream &out);

} // namespace warplint

#include "cost/gathered_records.h"
#include "cost/cache_sizes.h"
#include "cost/terms.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace warplint {

namespace {

/// Where a load lies in a record, and how often it is made for each.
struct Member {
  unsigned access;
  int64_t begin, end; ///< bytes
  double requests;
};

/// What the loads of a record have in common. Of those under other conditions
/// each may be the only one.
struct Record {
  Terms terms;
  std::vector<LoopId> loops = {};
  ValueId guard = 0;

  bool operator<(const Record &other) const {
    return std::tie(terms, loops, guard) <
           std::tie(other.terms, other.loops, other.guard);
  }
};

/// The pieces of `size` bytes that the bytes from `begin` to `end` of a record
/// touch, on average, if it lies anywhere at a multiple of `aligned` bytes.
double piecesOf(int64_t begin, int64_t end, int64_t aligned, int64_t size) {
  if (aligned >= size)
    return double(llvm::divideFloorSigned(end - 1, size) -
                  llvm::divideFloorSigned(begin, size) + 1);
  return 1 + double(std::max<int64_t>(0, end - begin - aligned)) / double(size);
}

/// The largest power of two that divides all factors; pointers are to memory
/// that is allocated by 256 bytes.
int64_t alignmentOf(const ExpressionGraph &graph, const Terms &terms) {
  int64_t all = 0;
  for (const auto &[value, factor] : terms)
    if (!graph.node(value).pointer)
      all |= factor;
  return all ? int64_t(1) << llvm::countr_zero(uint64_t(all)) : 1;
}

/// What loops of a record may step through, in bytes. Longer rows of all lanes
/// of an SM, 2048 lines of 128 bytes, are as large as L1.
constexpr double longestRow = 64;

/// Takes the inner loops apart that stay within the record.
Member memberOf(const Kernel &kernel, unsigned access, Frequencies &frequencies,
                Record &record) {
  const ExpressionGraph &graph = kernel.graph;
  const Access &load = kernel.accesses[access];
  addTerms(graph, load.address, 1, record.terms);
  record.guard = load.guard;
  const int64_t begin = constantIn(graph, load.address);
  Member member{access, begin, begin + load.bytes, 1};
  llvm::ArrayRef<LoopId> loops = loopsThatRepeat(load);
  for (; !loops.empty(); loops = loops.drop_back()) {
    const LoopId loop = loops.back();
    const auto step = bytesOfStep(graph, load.address, loop);
    const double trips = frequencies.trips(loop).count;
    const double moved = step ? *step * (trips - 1) : longestRow;
    if (std::abs(moved) >= longestRow)
      break;
    member.begin += int64_t(std::min(0.0, moved));
    member.end += int64_t(std::max(0.0, moved));
    member.requests *= trips;
    std::erase_if(record.terms, [&](const auto &term) {
      return graph.node(term.first).op == Op::Carried &&
             graph.node(term.first).number == loop;
    });
  }
  record.loops = loops.vec();
  return member;
}

} // namespace

std::vector<RecordPart> gatheredRecords(const Kernel &kernel,
                                        llvm::ArrayRef<Cost> costs,
                                        Frequencies &frequencies) {
  std::map<Record, std::vector<Member>> records;
  for (unsigned i = 0; i < kernel.accesses.size(); ++i) {
    const Access &access = kernel.accesses[i];
    if (!costs[i].isGather() || access.operation != Operation::Load ||
        access.need == Need::Never || access.isVolatile)
      continue;
    Record record;
    const Member member = memberOf(kernel, i, frequencies, record);
    records[record].push_back(member);
  }
  std::vector<RecordPart> parts(kernel.accesses.size());
  for (const auto &[record, members] : records) {
    int64_t begin = members[0].begin, end = members[0].end;
    double requests = 0;
    for (const Member &member : members) {
      begin = std::min(begin, member.begin);
      end = std::max(end, member.end);
      requests += member.requests;
    }
    if (end - begin > lineBytes)
      continue;
    const int64_t aligned = alignmentOf(kernel.graph, record.terms);
    for (const Member &member : members) {
      auto partOf = [&](int64_t size) {
        return std::min(1.0, piecesOf(begin, end, aligned, size) / requests);
      };
      parts[member.access] = {partOf(sectorBytes), partOf(dramBytes)};
    }
  }
  return parts;
}

} // namespace warplint

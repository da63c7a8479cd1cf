#include "cost/gathered_records.h"
#include "cost/cache_sizes.h"
#include "cost/terms.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cmath>
#include <map>

namespace warplint {

namespace {

/// Where a load lies in a record, and how often it is made for each.
struct Member {
  unsigned access;
  int64_t begin, end; ///< bytes
  double requests;
};

/// The loads of a record have these terms and loops in common.
using Record = std::pair<Terms, std::vector<LoopId>>;

/// The pieces of `size` bytes that a record of `bytes` touches, on average, if
/// it begins anywhere at a multiple of `aligned` bytes.
double piecesOf(double bytes, double aligned, double size) {
  if (aligned >= size)
    return std::ceil(bytes / size);
  return 1 + std::max(0.0, bytes - aligned) / size;
}

/// The largest power of two that divides all factors.
int64_t alignmentOf(const Terms &terms) {
  int64_t all = 0;
  for (const auto &[value, factor] : terms)
    if (factor != 1) // a pointer: memory is allocated by 256 bytes
      all |= factor;
  return all ? int64_t(1) << llvm::countr_zero(uint64_t(all)) : 1;
}

/// What loops of a record may step through: longer rows of all lanes do not stay
/// in L1 until the next iteration.
constexpr double longestRow = 64;

/// Takes the inner loops apart that stay within the record.
Member memberOf(const Kernel &kernel, unsigned access, Frequencies &frequencies,
                Record &record) {
  const ExpressionGraph &graph = kernel.graph;
  const Access &load = kernel.accesses[access];
  addTerms(graph, load.address, 1, record.first);
  const int64_t begin = constantIn(graph, load.address);
  Member member{access, begin, begin + load.bytes, 1};
  llvm::ArrayRef<LoopId> loops = loopsThatRepeat(load);
  // What is not followed may differ in each iteration.
  const bool isFollowed =
      !dependsOn(graph, load.address, {Op::Varying, Op::Forwarded, Op::Opaque});
  for (; isFollowed && !loops.empty(); loops = loops.drop_back()) {
    const LoopId loop = loops.back();
    const auto step = bytesOfStep(graph, load.address, loop);
    const double trips = frequencies.trips(loop).count;
    const double moved = step ? *step * (trips - 1) : longestRow;
    if (std::abs(moved) >= longestRow)
      break;
    member.begin += std::min(0.0, moved);
    member.end += std::max(0.0, moved);
    member.requests *= trips;
    std::erase_if(record.first, [&](const auto &term) {
      return graph.node(term.first).op == Op::Carried &&
             graph.node(term.first).number == loop;
    });
  }
  record.second = loops.vec();
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
    const double bytes = end - begin;
    if (bytes > lineBytes)
      continue;
    const double aligned = alignmentOf(record.first);
    for (const Member &member : members) {
      auto partOf = [&](double size) {
        return std::min(1.0, piecesOf(bytes, aligned, size) / requests);
      };
      parts[member.access] = {partOf(sectorBytes), partOf(dramBytes)};
    }
  }
  return parts;
}

} // namespace warplint

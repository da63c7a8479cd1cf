// What the warps of a kernel use of each resource.
#pragma once

namespace warplint {

/// The use of resources by the warps of a launch, on average for one warp.
struct Demand {
  double instructions = 0; ///< issue slots
  double doubles = 0;      ///< instructions of the FP64 pipe
  double special = 0;      ///< instructions of the XU
  double logic = 0;        ///< instructions of the ALU alone
  double products = 0;     ///< passes of the integer multiplier
  double wavefronts = 0;   ///< of L1: global, shared and local requests
  double sectors = 0;      ///< between L1 and L2
  /// What stores take of L2 beyond the time of their sectors, in sectors.
  double storing = 0;
  double dramSectors = 0; ///< between L2 and DRAM
  /// Those of them that L2 holds if the memory that gathers reach is small, and
  /// that nobody asks for if a stride is 1: only the run knows.
  double unsureSectors = 0;
  double latency = 0; ///< cycles that the slowest warp waits if it runs alone
  /// Cycles that all warps of an SM wait at once, for the same data: none of
  /// them has work that covers the others' wait.
  double together = 0;
  /// Nanoseconds in which the whole launch updates the busiest addresses of an
  /// object, one update after the other. Objects are updated side by side
  /// (H200: two addresses 0.5 MB apart take the time of one, two in a sector
  /// twice that and more); the sum of two demands is that of updates of one
  /// object.
  double serialNanoseconds = 0;

  Demand &operator+=(const Demand &other);
  Demand &operator-=(const Demand &other); ///< not below 0
  Demand operator*(double factor) const;
  Demand waits() const;       ///< its latency alone
  Demand ofSmallData() const; ///< without `unsureSectors`
  bool operator==(const Demand &) const = default;
};

} // namespace warplint

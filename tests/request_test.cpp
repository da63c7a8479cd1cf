#include "cost/request.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

LaneAddresses every(uint64_t bytes) {
  LaneAddresses addresses{};
  for (unsigned lane = 0; lane < warpSize; ++lane)
    addresses[lane] = 4096 + lane * bytes;
  return addresses;
}

TEST(Request, TouchesTheSectorsOfItsActiveLanes) {
  EXPECT_EQ(sectorsTouched(every(4), ~0u, 4), 4u);
  EXPECT_EQ(sectorsTouched(every(4), 0xff, 4), 1u);
  EXPECT_EQ(sectorsTouched(every(32), ~0u, 4), 32u);
  LaneAddresses late = every(4);
  for (uint64_t &address : late)
    address += 30; // each eighth lane lies across a border
  EXPECT_EQ(sectorsTouched(late, ~0u, 4), 5u);
  EXPECT_EQ(distinctAddresses(every(0), ~0u), 1u);
  EXPECT_EQ(distinctAddresses(every(4), 7), 3u);
}

// A word across the border of a line looks up two.
TEST(Request, LinesAreCountedByAllBytes) {
  LaneAddresses addresses = every(4);
  EXPECT_EQ(piecesTouched(addresses, ~0u, 4, lineBytes), 1u);
  for (uint64_t &address : addresses)
    address += 2;
  EXPECT_EQ(piecesTouched(addresses, ~0u, 4, lineBytes), 2u);
  EXPECT_EQ(piecesTouched(every(128), ~0u, 4, lineBytes), 32u);
}

// A row that two accesses read is moved once; a hole between them is not.
TEST(Request, SeveralRequestsShareSectors) {
  Touched touched;
  touched.add(every(4), ~0u, 4);
  touched.add(every(4), ~0u, 4);
  EXPECT_EQ(touched.sectors(), 4u);
  EXPECT_EQ(touched.idealSectors(), 4u);
  touched.add(every(64), ~0u, 4);
  EXPECT_EQ(touched.sectors(), 34u);     // 4, and 32 of which 2 are the row's
  EXPECT_EQ(touched.idealSectors(), 8u); // 128 bytes, and 30 words beyond them
  EXPECT_EQ(touched.sectors(), 34u) << "asking changes nothing";
}

TEST(Request, AddressesNearTheEndOfMemoryTerminate) {
  std::array<uint64_t, warpSize> addresses{};
  addresses.fill(~uint64_t(0));
  EXPECT_LE(sectorsTouched(addresses, ~0u, 4), 2u);
  EXPECT_LE(conflictWays(addresses, ~0u, 16), 4u);
  EXPECT_EQ(sectorsTouched(addresses, 0, 4), 0u);
}

} // namespace

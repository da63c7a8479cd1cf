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

// What an H200 takes for loads from shared memory whose lanes share addresses,
// in rows that all begin in one bank (kernels/wide_loads).
TEST(Request, BanksServeWideLoadsByPartsOfAWarp) {
  constexpr unsigned rowBytes = 128;
  auto wavefronts = [&](unsigned bytes, auto &&rowOf, bool isShared = true) {
    LaneAddresses addresses{};
    for (unsigned lane = 0; lane < warpSize; ++lane)
      addresses[lane] = rowOf(lane) * rowBytes;
    return bankWavefronts(addresses, ~0u, bytes, /*joinsParts=*/isShared);
  };
  auto each = [](unsigned lane) { return lane; };
  auto of16 = [](unsigned lane) { return lane % 16; };
  auto of8 = [](unsigned lane) { return lane % 8; };
  auto of2 = [](unsigned lane) { return lane % 2; };
  auto pair = [](unsigned lane) { return lane / 2; };
  auto first = [](unsigned) { return 0u; };
  for (unsigned bytes : {4, 8, 16})
    EXPECT_EQ(wavefronts(bytes, each), 32u);
  EXPECT_EQ(wavefronts(4, of16), 16u);
  EXPECT_EQ(wavefronts(8, of16), 32u);
  EXPECT_EQ(wavefronts(16, of16), 32u);
  EXPECT_EQ(wavefronts(8, of8), 16u);
  EXPECT_EQ(wavefronts(16, of8), 32u);
  for (unsigned bytes : {4, 8, 16})
    EXPECT_EQ(wavefronts(bytes, pair), 16u);
  EXPECT_EQ(wavefronts(8, of2), 2u) << "halves together: every second lane";
  EXPECT_EQ(wavefronts(16, of2), 4u);
  EXPECT_EQ(wavefronts(8, of2, /*isShared=*/false), 4u);
  EXPECT_EQ(wavefronts(16, of2, /*isShared=*/false), 8u);
  EXPECT_EQ(wavefronts(8, first), 1u);
  EXPECT_EQ(wavefronts(16, first), 2u);
}

} // namespace

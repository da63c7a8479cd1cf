// A copy from global to shared memory is known by the load behind its store.
#include "ir/stored_loads.h"
#include "ir_kernel.h"

using testing::ElementsAre;
using testing::IsEmpty;

namespace warplint {

using StoredLoads = IrKernel;

TEST_F(StoredLoads, AStoreKnowsTheLoadsBehindItsValue) {
  const Kernel read =
      straight(R"(
  %x = load i32, ptr %a
  %y = load i32, ptr %b
  %sum = add i32 %x, %y
  store i32 %sum, ptr addrspace(3) @tile
  store i32 %n, ptr addrspace(3) @tile
)",
               "@tile = internal addrspace(3) global i32 undef");
  ASSERT_EQ(read.accesses.size(), 4u);
  EXPECT_THAT(read.accesses[2].storedLoads, ElementsAre(0u, 1u));
  EXPECT_THAT(read.accesses[3].storedLoads, IsEmpty());
}

// The last block to arrive is elected by the ticket that it draws.
TEST_F(StoredLoads, AComparedTicketIsAnElection) {
  const Kernel read =
      straight(R"(
  %ticket = atomicrmw add ptr %a, i32 1 monotonic
  %last = icmp eq i32 %ticket, %n
  store i1 %last, ptr addrspace(3) @isLast
  store i32 %ticket, ptr addrspace(3) @drawn
)",
               "@isLast = internal addrspace(3) global i1 undef\n"
               "@drawn = internal addrspace(3) global i32 undef");
  ASSERT_EQ(read.accesses.size(), 3u);
  EXPECT_TRUE(read.accesses[1].storesElection);
  EXPECT_FALSE(read.accesses[2].storesElection);
}

} // namespace warplint

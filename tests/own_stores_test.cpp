// An index that goes through an array of the thread's own is followed only
// where nothing else can have been stored.
#include "ir/own_stores.h"
#include "graph_of_ir.h"

namespace warplint {

using OwnStoresTest = IrGraphTest;

// An index that goes through an array of the thread's own is followed only
// where nothing else can have been stored.
TEST_F(OwnStoresTest, ALoadOfOwnMemoryIsWhatWasStored) {
  read(R"(
define void @k(i32 %n) {
  %own = alloca { i32, i32 }
  %first = getelementptr i8, ptr %own, i64 0
  %second = getelementptr i8, ptr %own, i64 4
  store i32 %n, ptr %first
  store i32 7, ptr %second
  %x = load i32, ptr %first
  ret void
})");
  // Its address; the address, value and size of the one store in question.
  EXPECT_EQ(value("x"), "forwarded(&own, &own, n, 4)");
}

TEST_F(OwnStoresTest, AStoreThatMayNotHaveRunMakesOwnMemoryUnknown) {
  read(R"(
define void @k(i32 %n, i1 %c) {
entry:
  %own = alloca i32
  store i32 1, ptr %own
  br i1 %c, label %write, label %after
write:
  store i32 %n, ptr %own
  br label %after
after:
  %x = load i32, ptr %own
  ret void
})");
  EXPECT_EQ(value("x"), "varying{what its own array 'own' holds}");
}

TEST_F(OwnStoresTest, AnEscapedAddressMakesOwnMemoryUnknown) {
  read(R"(
declare void @g(ptr)
define void @k(i32 %n) {
  %own = alloca i32
  store i32 %n, ptr %own
  call void @g(ptr %own)
  %x = load i32, ptr %own
  ret void
})");
  EXPECT_EQ(value("x"), "varying{what its own array 'own' holds}");
}

// The message names where the indexes come from, as far as that is one place.
TEST_F(OwnStoresTest, AnArrayFilledFromMemoryNamesItsSource) {
  read(R"(
define void @k(ptr %key, i64 %i) {
  %own = alloca [4 x i32]
  %k = load i32, ptr %key
  %to = getelementptr [4 x i32], ptr %own, i64 0, i64 %i
  br label %fill
fill:
  %again = phi i32 [ 0, %0 ], [ %next, %fill ]
  store i32 %k, ptr %to
  %next = add i32 %again, 1
  %more = icmp slt i32 %next, 4
  br i1 %more, label %fill, label %use
use:
  %x = load i32, ptr %to
  ret void
})");
  EXPECT_EQ(value("x"),
            "varying{what its own array 'own' holds, loaded from 'k'}");
}

} // namespace warplint

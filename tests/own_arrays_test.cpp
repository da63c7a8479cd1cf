// The arrays that a thread keeps for itself.
#include "ir/own_arrays.h"
#include "ir_kernel.h"

namespace warplint {

using OwnArraysTest = IrKernel;

// `local-array` says which array it is and to which function it went.
TEST_F(OwnArraysTest, ALocalArrayHasItsTypeAndTheFunctionThatGetsIt) {
  Kernel read = kernel(inlined);
  ASSERT_EQ(read.arrays.size(), 1u);
  EXPECT_EQ(read.arrays[0].name, "weights");
  EXPECT_EQ(read.arrays[0].type, "float[3]");
  EXPECT_EQ(read.arrays[0].bytes, 12u);
  EXPECT_EQ(read.arrays[0].place.line, 2u);
  EXPECT_EQ(read.arrays[0].passedTo, "at");
  EXPECT_EQ(read.arrays[0].passedAt, (Place{"/src/user.cu", 3, 9}));
}

} // namespace warplint

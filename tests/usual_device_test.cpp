// What a host program hears of its GPU: the grids that it computes were
// unknown.
#include "source/usual_device.h"
#include <gtest/gtest.h>

namespace warplint {

TEST(UsualDevice, AnswersByTheNamesOfEachApi) {
  for (const char *name :
       {"maxThreadsPerMultiProcessor", "cudaDevAttrMaxThreadsPerMultiProcessor",
        "CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR"})
    EXPECT_EQ(usualDevice(name), 2048u) << name; // H100's data sheet
  EXPECT_EQ(usualDevice("multiProcessorCount"), 132u);
  EXPECT_EQ(usualDevice("maxThreadsPerBlock"), 1024u);
  EXPECT_EQ(usualDevice("CU_DEVICE_ATTRIBUTE_WARP_SIZE"), 32u);
}

TEST(UsualDevice, KnowsNothingOfWhatDiffers) {
  EXPECT_FALSE(usualDevice("l2CacheSize").has_value());
  EXPECT_FALSE(usualDevice("").has_value());
}

} // namespace warplint

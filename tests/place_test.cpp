#include "model/place.h"
#include <gtest/gtest.h>

using namespace warplint;

// nvcc names a file as its command does, Clang by its whole path.
TEST(PlaceLine, IsTheSameInAnySpellingOfTheFolder) {
  EXPECT_TRUE(sameLine({"/src/k.cu", 7, 3}, {"../src/./k.cu", 7, 20}));
  EXPECT_FALSE(sameLine({"/src/k.cu", 7, 3}, {"/src/k.cu", 8, 3}));
  EXPECT_FALSE(sameLine({"/src/k.cu", 7, 3}, {"/src/k.cuh", 7, 3}));
}

TEST(PlaceLine, PlacesAreOrderedAsAReaderMeetsThem) {
  EXPECT_LT((Place{"a.cu", 9, 1}), (Place{"a.cu", 10, 1}));
  EXPECT_LT((Place{"a.cu", 9, 1}), (Place{"a.cu", 9, 2}));
  EXPECT_LT((Place{"a.cu", 9, 1}), (Place{"b.cu", 1, 1}));
}

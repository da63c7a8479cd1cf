// What a place is called in a text.
#include "model/place_text.h"
#include <gtest/gtest.h>

using namespace warplint;

TEST(PlaceText, AnotherFileIsNamed) {
  const Place here{"/src/k.cu", 3, 1};
  EXPECT_EQ(lineOf({"/src/k.cu", 12, 5}, here), "line 12");
  EXPECT_EQ(lineOf({"/src/main.cu", 12, 5}, here), "main.cu:12");
  EXPECT_EQ(atLine({"/src/k.cu", 12, 5}, here), " at line 12");
  EXPECT_EQ(atLine({"/src/main.cu", 12, 5}, here), " at main.cu:12");
}

TEST(PlaceText, NothingIsSaidOfAnUnknownPlace) {
  EXPECT_EQ(atLine({}, {"/src/k.cu", 3, 1}), "");
}

#include "ir/names.h"
#include <gtest/gtest.h>

using namespace warplint;

static const Place here{"/k.cu", 3, 7};

// `p[i].q[j]` has two loads at one place: a pointer and an element.
TEST(Names, AccessesAtOnePlaceAreToldApartByType) {
  AccessNames names;
  names.add(here, {"p[i].q", "p", 8, true});
  names.add(here, {"p[i].q[j]", "p[i].q", 8, false});
  names.add(here, {"p[i].r", "p", 4, false});
  EXPECT_EQ(names.find(here, 8, true)->text, "p[i].q");
  EXPECT_EQ(names.find(here, 8, false)->text, "p[i].q[j]");
  EXPECT_EQ(names.find(here, 4, false)->text, "p[i].r");
}

// A structure is moved in pieces: no piece has its size, but the name is right.
TEST(Names, PartsHaveTheNameOfTheWhole) {
  AccessNames names;
  names.add(here, {"a[i]", "a", 12, false});
  EXPECT_EQ(names.find(here, 4, false)->text, "a[i]");
  EXPECT_EQ(names.find(here, 8, true)->text, "a[i]");
}

// A template's text is seen once for each instance; the first spelling stays.
TEST(Names, EqualTextsAreStoredOnce) {
  AccessNames names;
  names.add(here, {"a[i]", "a", 4, false});
  names.add(here, {"a[i]", "a", 8, false});
  EXPECT_EQ(names.find(here, 8, false)->bytes, 4u);
}

TEST(Names, OtherPlacesHaveNoName) {
  AccessNames names;
  names.add(here, {"a[i]", "a", 4, false});
  EXPECT_EQ(names.find({"/k.cu", 3, 8}, 4, false), nullptr);
}

TEST(Names, SystemHeadersAreNotUserCode) {
  Names names;
  names.systemFiles = {"/usr/include/x.h"};
  EXPECT_TRUE(names.isUser("/k.cu"));
  EXPECT_FALSE(names.isUser("/usr/include/x.h"));
  EXPECT_FALSE(names.isUser(""));
}

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

// Of 'sum += p[i]' one instance has numbers, whose load there is of 'sum', and
// another one a class, whose operator loads 'p[i]'.
TEST(Names, AnOperatorsOperandIsNotHiddenByAnotherInstance) {
  AccessNames names;
  names.add(here, {"sum", "sum", 4, false});
  NamedAccess call{"sum", "sum", 0, false};
  call.operands = {{"p[i]", "p", 8, false}};
  names.add(here, call);
  EXPECT_EQ(names.find(here, 4, false, "p")->operands.size(), 1u);
  EXPECT_TRUE(names.find(here, 4, false, "sum")->operands.empty());
  EXPECT_TRUE(names.find(here, 4, false)->operands.empty());
}

// All of a macro's body has one place: vpic-kokkos' `send(i) = x` was the store
// of its first assignment, 'size'.
TEST(Names, WhatAMacroLeavesOpenHasItsName) {
  auto inMacro = [](std::string text, std::string object, unsigned bytes) {
    NamedAccess name{text, object, bytes};
    name.macro = "SEND(...)";
    return name;
  };
  AccessNames names;
  names.add(here, inMacro("size", "size", 4));
  EXPECT_EQ(names.find(here, 4, false)->text, "size");
  names.add(here, inMacro("send(i)", "send", 4));
  names.add(here, inMacro("sum[i]", "sum", 8));
  EXPECT_EQ(names.find(here, 4, false)->text, "SEND(...)");
  EXPECT_EQ(names.find(here, 4, false)->object, "SEND(...)");
  EXPECT_EQ(names.find(here, 8, false)->text, "sum[i]");
  EXPECT_EQ(names.find(here, 2, false)->text, "SEND(...)");
  EXPECT_EQ(names.find(here, 4, false, "send")->text, "send(i)");
  EXPECT_EQ(names.find(here, 2, false, "sum")->text, "sum[i]");
  EXPECT_EQ(names.find(here, 4, false, "other")->text, "SEND(...)");
  const Place other{"/k.cu", 9, 7};
  names.add(other, inMacro("a(i, 0)", "a", 4));
  names.add(other, inMacro("a(i, 1)", "a", 4));
  EXPECT_EQ(names.find(other, 4, false)->object, "a");
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

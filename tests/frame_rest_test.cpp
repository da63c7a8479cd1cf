// Which parts of a stack frame stay unmentioned.
#include "findings/frame_rest.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

FrameShare part(FrameShare::Kind kind, unsigned bytes, unsigned loads) {
  FrameShare share;
  share.kind = kind;
  share.bytes = bytes;
  share.loads = loads;
  return share;
}

} // namespace

// 64 bytes of 2,512: without them, the frame is as slow.
TEST(FrameRest, ASmallArrayStandsBesideALargeOne) {
  Frame frame;
  frame.shares = {part(FrameShare::Array, 2448, 300),
                  part(FrameShare::Array, 64, 4)};
  EXPECT_EQ(muchMoreThan(frame.shares[1], frame), &frame.shares[0]);
  EXPECT_EQ(muchMoreThan(frame.shares[0], frame), nullptr);
}

TEST(FrameRest, WhatIsUsedOftenMatters) {
  Frame frame;
  frame.shares = {part(FrameShare::Array, 2448, 30),
                  part(FrameShare::Array, 64, 4)};
  EXPECT_EQ(muchMoreThan(frame.shares[1], frame), nullptr);
}

TEST(FrameRest, PartsOfOneSizeAllMatter) {
  Frame frame;
  frame.shares.assign(30, part(FrameShare::Array, 64, 4));
  EXPECT_EQ(muchMoreThan(frame.shares[7], frame), nullptr);
  frame.shares = {part(FrameShare::Spill, 64, 4),
                  part(FrameShare::Alignment, 4096, 400)};
  EXPECT_EQ(muchMoreThan(frame.shares[0], frame), nullptr);
}

// It is in registers then, whatever the frame holds.
TEST(FrameRest, AFrameOfOthersHasNoPlaceForAnArray) {
  Frame frame;
  frame.shares = {part(FrameShare::Arguments, 64, 4),
                  part(FrameShare::Spill, 16, 4)};
  EXPECT_TRUE(isOfOthers(frame, "a"));
  frame.shares.front().shared = {"'b' of 'sort'"};
  EXPECT_TRUE(isOfOthers(frame, "a"));
  frame.shares.front().shared = {"'a' of 'sort'"};
  EXPECT_FALSE(isOfOthers(frame, "a"));
  for (auto kind :
       {FrameShare::Unknown, FrameShare::Unnamed, FrameShare::Variable}) {
    frame.shares = {part(kind, 4, 1)};
    EXPECT_FALSE(isOfOthers(frame, "a"));
  }
}

TEST(FrameRest, AnArrayIsFoundWhereItIsDeclared) {
  Kernel kernel;
  for (unsigned line : {3, 3, 7}) {
    Array &array = kernel.arrays.emplace_back();
    array.name = "a";
    array.place = {"/k.cu", line, 9};
  }
  Frame frame;
  frame.shares = {part(FrameShare::Spill, 16, 4),
                  part(FrameShare::Array, 64, 4)};
  frame.shares[1].name = "a";
  frame.shares[1].array = 0;
  EXPECT_EQ(shareOf(0, frame, kernel), &frame.shares[1]);
  EXPECT_EQ(shareOf(1, frame, kernel), &frame.shares[1]); // inlined again
  EXPECT_EQ(shareOf(2, frame, kernel), nullptr);
}

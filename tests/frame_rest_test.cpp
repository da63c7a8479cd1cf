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

// Integer operations that one machine instruction computes together.
#include "ir/integer_joins.h"
#include "model/pipe_counts.h"
#include "read_text.h"
#include <gtest/gtest.h>

namespace warplint {

namespace {

/// The instructions of one thread that computes `value` of six integers.
double instructions(const std::string &value) {
  const SourceModel model = readText(
      "__global__ void k(unsigned *out, unsigned a, unsigned b, unsigned c,\n"
      "                  unsigned d, unsigned long long u,\n"
      "                  unsigned long long v) {\n  *out = " +
      value + ";\n}\n");
  for (const ParseError &error : model.outline.errors)
    ADD_FAILURE() << "line " << error.line << ": " << error.text;
  double sum = 0;
  for (const Arithmetic &work : model.kernels.at(0).arithmetic)
    sum += work.instructions;
  return sum - 1; // the store
}

} // namespace

// LOP3, with the numbers of nvcc 13.0 for sm_90 here and below. SHA-256 looked
// 1.7 times as long as it is.
TEST(IntegerJoins, LogicTakesThreeValues) {
  EXPECT_EQ(instructions("a ^ b"), 1);
  EXPECT_EQ(instructions("a ^ b ^ c"), 1);
  EXPECT_EQ(instructions("(a & b) ^ (~a & c)"), 1);
  EXPECT_EQ(instructions("(a & b) ^ (a & c) ^ (b & c)"), 1);
  EXPECT_EQ(instructions("a ^ b ^ c ^ d"), 2);
}

TEST(IntegerJoins, SumsTakeThreeValues) {
  EXPECT_EQ(instructions("a + b"), 1);
  EXPECT_EQ(instructions("a + b - c"), 1);
  EXPECT_EQ(instructions("a + b + c + d"), 2);
}

TEST(IntegerJoins, ARotationIsOneShift) {
  EXPECT_EQ(instructions("a << 7 | a >> 25"), 1);
  EXPECT_EQ(instructions("(a << 7) + (a >> 25)"), 1);
  EXPECT_EQ(instructions("a << b | a >> (32 - b)"), 1);
  EXPECT_GT(instructions("a << 7 | a >> 24"), 1);
  EXPECT_GT(instructions("a << 7 | b >> 25"), 1);
}

TEST(IntegerJoins, AShiftOrAProductIsAddedAtOnce) {
  EXPECT_EQ(instructions("(a << 4) + b"), 1);
  EXPECT_EQ(instructions("a * b + c"), 1);
  EXPECT_EQ(instructions("a * b + c + d"), 2);
}

// 'if (word & mask)': the logic sets the predicate.
TEST(IntegerJoins, LogicIsComparedWithZeroAtOnce) {
  EXPECT_EQ(instructions("(a & b) != 0 ? c : d"),
            instructions("a > b ? c : d"));
}

// A value that is used twice is computed by itself.
TEST(IntegerJoins, WhatIsUsedTwiceStays) {
  EXPECT_EQ(instructions("(a ^ b ^ c) + ((a ^ b) >> 1)"), 4);
}

TEST(IntegerJoins, AnUpperHalfIsARegister) {
  EXPECT_EQ(instructions("u >> 32"), 0);
  EXPECT_EQ(instructions("__umulhi(a, b)"), 1);
}

} // namespace warplint

#include "model/float_operation.h"
#include "llvm/ADT/bit.h"
#include <gtest/gtest.h>

namespace warplint {

namespace {

uint64_t bitsOf(double value) { return llvm::bit_cast<uint64_t>(value); }

std::optional<uint64_t> value(const char *text,
                              std::vector<uint64_t> operands) {
  const auto operation = floatOperation(text);
  if (!operation)
    return std::nullopt;
  return operation->of(operands, 32);
}

// An index that floats compute decides the sectors of a resized image.
TEST(FloatOperation, ComputesInTheWidthOfTheKernel) {
  EXPECT_EQ(value("sitofp 32", {uint32_t(-3)}), bitsOf(-3));
  EXPECT_EQ(value("fmul 32", {bitsOf(3), bitsOf(0.5)}), bitsOf(1.5));
  EXPECT_EQ(value("fdiv 32", {bitsOf(1), bitsOf(3)}), bitsOf(1.0f / 3.0f));
  EXPECT_EQ(value("fdiv 64", {bitsOf(1), bitsOf(3)}), bitsOf(1.0 / 3.0));
  EXPECT_EQ(value("llvm.fmuladd.f32", {bitsOf(3), bitsOf(4), bitsOf(5)}),
            bitsOf(17));
  EXPECT_EQ(value("fcmp olt 32", {bitsOf(1), bitsOf(2)}), 1u);
  EXPECT_EQ(value("frombits 32", {0x3f000000}), bitsOf(0.5));
  EXPECT_EQ(value("tobits 32", {bitsOf(0.5)}), 0x3f000000u);
}

TEST(FloatOperation, RoundsAsTheFunctionSays) {
  EXPECT_EQ(value("fptosi 32", {bitsOf(-1.75)}), uint64_t(-1));
  EXPECT_EQ(value("__nv_floorf", {bitsOf(-1.75)}), bitsOf(-2));
  EXPECT_EQ(value("__nv_floor", {bitsOf(-1.75)}), bitsOf(-2));
  EXPECT_EQ(value("__nv_ceil", {bitsOf(1.25)}), bitsOf(2));
  EXPECT_EQ(value("__nv_ceilf", {bitsOf(1.25)}), bitsOf(2));
  EXPECT_EQ(value("llvm.rint.f32", {bitsOf(2.5)}), bitsOf(2));
  EXPECT_EQ(value("__nv_roundf", {bitsOf(2.5)}), bitsOf(3));
  EXPECT_EQ(value("__nv_float2int_rd", {bitsOf(2.5)}), 2u);
  EXPECT_EQ(value("llvm.fptosi.sat.i32.f32", {bitsOf(2.5)}), 2u);
}

TEST(FloatOperation, HasNoValueWhereNoneIsCertain) {
  EXPECT_EQ(value("fptosi 32", {bitsOf(1e20)}), std::nullopt);
  EXPECT_EQ(value("fptoui 32", {bitsOf(-1)}), std::nullopt);
  EXPECT_EQ(value("__nv_sinf", {bitsOf(1)}), std::nullopt);
  EXPECT_EQ(value("", {}), std::nullopt);
}

} // namespace

} // namespace warplint

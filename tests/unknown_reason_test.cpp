#include "cost/unknown_reason.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class UnknownReasonTest : public testing::Test, protected ModelBuilder {};

TEST_F(UnknownReasonTest, NamesWhatTheSourceSays) {
  auto why = [&](ValueId id) { return unknownReason(kernel, id); };
  const ValueId key =
      graph.loaded(element(object("key"), thread(), 4), "key[i]", 64, false);
  EXPECT_EQ(why(key), "'key[i]', loaded from memory");
  EXPECT_EQ(why(varying("a shuffle")), "a shuffle");
  EXPECT_EQ(why(graph.opaque("powf", 64, false, {thread()})),
            "the result of 'powf'");
  EXPECT_EQ(why(make(Op::RemainderUnsigned, number(8), thread())),
            "a division whose divisor may be zero");
  EXPECT_EQ(why(tooLong), "an expression that is too long to follow");
}

} // namespace

#include "cost/choices.h"
#include "model_builder.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

class ChoicesTest : public testing::Test, protected ModelBuilder {};

// Each `case` of a switch is a way that a user may take.
TEST_F(ChoicesTest, AreTheConstantsThatAnArgumentIsComparedWith) {
  const ValueId mode = graph.parameter(0, "mode", 32);
  for (uint64_t constant : {0, 1, 0})
    is(Op::Equal, mode, graph.constant(constant, 32));
  is(Op::LessSigned, graph.parameter(1, "n", 32), graph.constant(7, 32));
  const Choices choices = choicesOf(graph);
  ASSERT_EQ(choices.size(), 1u);
  EXPECT_EQ(choices.at(mode), (std::vector<uint64_t>{0, 1}));
  EXPECT_EQ(mostChoices(choices), 2u);
}

} // namespace

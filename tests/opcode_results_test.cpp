#include "machine/opcode_results.h"
#include "gtest/gtest.h"

using namespace warplint;

namespace {

TEST(OpcodeResults, OfEachKind) {
  EXPECT_EQ(resultsOf("LDG"), OpcodeResults::Register);
  EXPECT_EQ(resultsOf("UIADD3"), OpcodeResults::Register);
  EXPECT_EQ(resultsOf("STG"), OpcodeResults::None);
  EXPECT_EQ(resultsOf("BRA"), OpcodeResults::None);
  EXPECT_EQ(resultsOf("ISETP"), OpcodeResults::Predicates);
  EXPECT_EQ(resultsOf("FCHK"), OpcodeResults::Predicate);
}

// Neither by a prefix nor with suffixes.
TEST(OpcodeResults, OthersAreUnknown) {
  for (const char *name : {"", "LD2", "LDG.E", "UNHEARDOF", "lDG"})
    EXPECT_EQ(resultsOf(name), OpcodeResults::Unknown) << name;
}

} // namespace

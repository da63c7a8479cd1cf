#include "cost/address_roots.h"
#include "model_builder.h"
#include <gmock/gmock.h>

using namespace warplint;

namespace {

class AddressRootsTest : public testing::Test, protected ModelBuilder {};

TEST_F(AddressRootsTest, FollowsSumsAndChoices) {
  const ValueId a = object("a"), b = object("b");
  const ValueId which = flag("f");
  const ValueId either = graph.make(Op::Select, 64, {which, a, b});
  const ValueId index = graph.loaded(object("key"), "key[0]", 64, false);
  const ValueId address = add(either, index);
  EXPECT_THAT(addressRoots(graph, address),
              testing::UnorderedElementsAre(a, b, index, which));
  EXPECT_THAT(rootsInMemory(graph, element(a, thread(), 4)),
              testing::ElementsAre(a));
}

TEST_F(AddressRootsTest, TheSpaceIsThatOfAllBases) {
  const ValueId s = object("s", Space::Shared, 64), a = object("a");
  const ValueId p = graph.loaded(object("p", Space::Parameter), "p", 64, true);
  EXPECT_EQ(spaceOfBases(kernel, element(s, thread(), 4)), Space::Shared);
  EXPECT_EQ(spaceOfBases(kernel, element(p, thread(), 4)), Space::Global);
  EXPECT_EQ(spaceOfBases(kernel, graph.make(Op::Select, 64, {flag("f"), s, a})),
            Space::Unknown)
      << "either of two spaces";
}

} // namespace

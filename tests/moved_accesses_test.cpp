// A store that the compiler makes once costs its kernel nothing: shares that
// count it in each iteration send engineers to the wrong line.
#include "findings/judge.h"
#include "findings/moved_accesses.h"
#include "model_builder.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

/// `for (k = 0; k < 100; ++k) a[threadIdx.x * 8 (+ k)] = ...`.
struct Stored : ModelBuilder {
  explicit Stored(bool isInLoop, bool movesOn = false, unsigned copies = 1) {
    const Counted counted = countedLoop(0, 100);
    ValueId index = times(thread(), 8);
    if (movesOn)
      index = add(index, counted.counter);
    const ValueId base = object("a");
    for (unsigned i = 0; i < copies; ++i) {
      Access &store = access(element(base, index, 4), 4, Operation::Store);
      store.place = {"/src/k.cu", 3, 5};
      if (isInLoop)
        store.loops = {counted.loop};
    }
  }
};

std::vector<unsigned> moved(const Stored &source, const Stored &ptx) {
  const CostedKernel from = costed(source.kernel), left = costed(ptx.kernel);
  const CompiledKernel machine;
  EXPECT_THAT(movedAccesses({from, machine, nullptr}), IsEmpty());
  return movedAccesses({from, machine, &left});
}

} // namespace

TEST(MovedAccesses, AreThoseThatThePtxHasOutsideOfTheLoop) {
  EXPECT_THAT(moved(Stored(true), Stored(false)), ElementsAre(0));
  EXPECT_THAT(moved(Stored(true), Stored(true)), IsEmpty());
  EXPECT_THAT(moved(Stored(true), Stored(true, true)), ElementsAre(0))
      << "an outer loop";
  EXPECT_THAT(moved(Stored(true, true), Stored(false)), IsEmpty())
      << "another element in each iteration";
  EXPECT_THAT(moved(Stored(true), Stored(false, false, 4)), IsEmpty())
      << "the loop is unrolled";
  Stored isVolatile(true);
  isVolatile.kernel.accesses[0].isVolatile = true;
  EXPECT_THAT(moved(isVolatile, Stored(false)), IsEmpty());
}

// The place of an access for the user: where it stands and who called it.
#include "ir_kernel.h"

using testing::ElementsAre;
using testing::IsEmpty;

namespace warplint {

class FramesOf : public IrKernel {};

TEST_F(FramesOf, AnAccessHasItsPlaceAndItsCallers) {
  Kernel read = kernel(inlined);
  ASSERT_EQ(read.accesses.size(), 1u);
  EXPECT_EQ(read.accesses[0].place, (Place{"/lib/lib.h", 7, 5}));
  EXPECT_THAT(read.accesses[0].callSites,
              ElementsAre(Place{"/src/user.cu", 3, 9}));
  EXPECT_FALSE(read.accesses[0].inLibrary);
}

// A finding in a library's header would be one that the user cannot act on.
TEST_F(FramesOf, ALibrarysAccessIsShownWhereTheUserCallsIt) {
  names_.systemFiles.insert("/lib/lib.h");
  Kernel read = kernel(inlined);
  ASSERT_EQ(read.accesses.size(), 1u);
  EXPECT_EQ(read.accesses[0].place, (Place{"/src/user.cu", 3, 9}));
  EXPECT_THAT(read.accesses[0].callSites, IsEmpty());
  EXPECT_TRUE(read.accesses[0].inLibrary);
  EXPECT_FALSE(read.accesses[0].noUserCode);
}

// A dispatch of a library calls the user's functor: that frame is no caller to
// look at.
TEST_F(FramesOf, ALibraryAroundTheUsersCodeIsNoCaller) {
  names_.systemFiles.insert("/src/user.cu");
  Kernel read = kernel(inlined);
  ASSERT_EQ(read.accesses.size(), 1u);
  EXPECT_EQ(read.accesses[0].place, (Place{"/lib/lib.h", 7, 5}));
  EXPECT_THAT(read.accesses[0].callSites, IsEmpty());
}

TEST_F(FramesOf, WithoutDebugLocationsThereIsNoPlace) {
  const Frames none = framesOf(nullptr, names_);
  EXPECT_EQ(none.place.file, "");
  EXPECT_THAT(none.callSites, IsEmpty());
}

} // namespace warplint

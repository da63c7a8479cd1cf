// Statements of PTX to those of the source, with the calls around them.
#include "ptx/inline_frames.h"
#include "llvm/Support/Error.h"
#include <gtest/gtest.h>

using namespace warplint;

namespace {

const char *const text = R"(.version 9.0
.target sm_90
.address_size 64
.visible .entry k()
{
	.reg .b32 	%r<9>;
	mov.u32 	%r1, 0;
	.loc	1 9 3
	mov.u32 	%r2, 0;
	.loc	1 4 7, function_name $L__info_string0, inlined_at 1 9 3
	add.s32 	%r3, %r2, 1;
	.loc	1 2 1, function_name $L__info_string1, inlined_at 1 4 7
	add.s32 	%r4, %r3, 1;
	.loc	1 4 7, function_name $L__info_string0, inlined_at 1 9 3
	add.s32 	%r5, %r4, 1;
	ret;
}
	.file	1 "/a/k.cu"
	.section	.debug_str
	{
$L__info_string0:
.b8 95,90,49,102,118,0
$L__info_string1:
.b8 95,90,49,103,118,0
	}
)";

class InlineFramesTest : public testing::Test {
protected:
  /// "_Z1gv 2, _Z1fv 4, 9": of the statement that writes a register.
  std::string framesOf(llvm::StringRef written) const {
    std::string all;
    for (const SourceFrame &frame : frames.of(indexOf(written)))
      all += (all.empty() ? "" : ", ") + frame.function +
             (frame.function.empty() ? "" : " ") +
             std::to_string(frame.place.line);
    return all;
  }
  size_t indexOf(llvm::StringRef written) const {
    const std::vector<ptx::Statement> &all =
        module.functions.front().statements;
    for (size_t i = 0; i < all.size(); ++i)
      if (!all[i].operands.empty() && all[i].operands.front().name == written)
        return i;
    ADD_FAILURE() << written.str();
    return 0;
  }

  ptx::Module module = llvm::cantFail(ptx::parsePtx(text));
  InlineFrames frames{module, module.functions.front()};
};

TEST_F(InlineFramesTest, AStatementHasTheCallsThatInlinedIt) {
  EXPECT_EQ(framesOf("%r2"), "9");
  EXPECT_EQ(framesOf("%r3"), "_Z1fv 4, 9");
  EXPECT_EQ(framesOf("%r4"), "_Z1gv 2, _Z1fv 4, 9");
}

TEST_F(InlineFramesTest, BeforeTheFirstPlaceThereIsNone) {
  EXPECT_EQ(framesOf("%r1"), "");
  EXPECT_EQ(frames.placeOf(indexOf("%r1")), nullptr);
  EXPECT_LT(frames.chainOf(indexOf("%r1")), 0);
}

TEST_F(InlineFramesTest, AStatementThatGoesOnIsTheSame) {
  EXPECT_EQ(frames.chainOf(indexOf("%r3")), frames.chainOf(indexOf("%r5")));
  EXPECT_NE(frames.chainOf(indexOf("%r3")), frames.chainOf(indexOf("%r4")));
  ASSERT_TRUE(frames.placeOf(indexOf("%r5")));
  EXPECT_EQ(frames.placeOf(indexOf("%r5"))->file, "/a/k.cu");
}

} // namespace

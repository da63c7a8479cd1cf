// Registers of PTX to the variables that copies make of them.
#include "ptx/register_webs.h"
#include "llvm/Support/Error.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

namespace {

const char *const text = R"(.version 9.0
.target sm_90
.address_size 64
.visible .entry k(
	.param .u64 k_param_0
)
{
	.reg .pred 	%p<2>;
	.reg .f32 	%f<4>;
	.reg .b32 	%r<4>;
	.reg .b64 	%rd<4>;
	ld.param.u64 	%rd1, [k_param_0];
	mov.u32 	%r1, 0;
	cvta.to.global.u64 	%rd2, %rd1;
$L__BB0_1:
	ld.global.f32 	%f1, [%rd2];
	add.s32 	%r2, %r1, 1;
	mov.u32 	%r1, %r2;
	setp.lt.s32 	%p1, %r2, 9;
	@%p1 bra 	$L__BB0_1;
{
	.reg .b32 %r1;
	mov.u32 	%r1, 7;
	st.global.v2.f32 	[%rd2], {%f1, %f1};
}
	ret;
}
)";

class RegisterWebsTest : public testing::Test {
protected:
  size_t statement(llvm::StringRef opcode) const {
    const size_t at = llvm::StringRef(text).find(opcode);
    const auto found =
        webs.statementAt(llvm::StringRef(text).take_front(at).count('\n') + 1);
    EXPECT_TRUE(found) << opcode.str();
    return found.value_or(0);
  }
  unsigned webOf(llvm::StringRef name) const {
    const auto number = webs.numberOf(name, /*scope=*/0);
    EXPECT_TRUE(number) << name.str();
    return number ? webs.webOf(*number) : 0;
  }

  ptx::Module module = llvm::cantFail(ptx::parsePtx(text));
  RegisterWebs webs{module.functions.front()};
};

TEST_F(RegisterWebsTest, CopiesJoinTheRegistersOfAVariable) {
  EXPECT_EQ(webOf("%r1"), webOf("%r2"));
  EXPECT_EQ(webOf("%rd1"), webOf("%rd2"));
  EXPECT_NE(webOf("%r1"), webOf("%rd1"));
  EXPECT_TRUE(webs.isCopied(webOf("%r1")));
  // The pointer stays the parameter.
  EXPECT_FALSE(webs.isCopied(webOf("%rd1")));
}

TEST_F(RegisterWebsTest, AWebHasTheStatementsThatAreNoCopies) {
  EXPECT_THAT(
      webs.definitions(webOf("%r1")),
      ElementsAre(statement("mov.u32 	%r1, 0"), statement("add.s32")));
  EXPECT_THAT(webs.uses(webOf("%r1")),
              ElementsAre(statement("add.s32"), statement("setp")));
}

TEST_F(RegisterWebsTest, AnAddressIsNotWhatAnInstructionReads) {
  const size_t load = statement("ld.global"), store = statement("st.global");
  EXPECT_THAT(webs.writes(load), SizeIs(1));
  EXPECT_THAT(webs.reads(load), IsEmpty());
  EXPECT_THAT(webs.addressed(load), SizeIs(1));
  EXPECT_THAT(webs.writes(store), IsEmpty());
  EXPECT_THAT(webs.reads(store), SizeIs(2));
  // A predicate is no value.
  EXPECT_THAT(webs.writes(statement("setp")), IsEmpty());
}

TEST_F(RegisterWebsTest, ANameInAScopeIsAnotherRegister) {
  const llvm::ArrayRef<unsigned> inner =
      webs.writes(statement("mov.u32 	%r1, 7"));
  ASSERT_THAT(inner, SizeIs(1));
  EXPECT_NE(webs.webOf(inner[0]), webOf("%r1"));
}

TEST_F(RegisterWebsTest, RegistersHaveTheirType) {
  EXPECT_EQ(webs.bits(*webs.numberOf("%rd1", 0)), 64u);
  EXPECT_TRUE(webs.isFloat(*webs.numberOf("%f1", 0)));
  EXPECT_FALSE(webs.numberOf("%tid.x", 0));
  EXPECT_FALSE(webs.numberOf("k_param_0", 0));
  EXPECT_FALSE(webs.numberOf("%f3", 0)) << "no statement has it";
  EXPECT_FALSE(webs.statementAt(1));
}

} // namespace

// Members of a kernel's arguments that the source fixes: a View's stride that
// is loaded instead makes every address unknown.
#include "ir/known_members.h"
#include "ir_text.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace warplint {

namespace {

class KnownMembersOf : public testing::Test {
protected:
  /// The kernel's text after the members of its argument are replaced.
  std::string replaced(const std::string &body, const KnownMembers &members) {
    module_ = parseIr("define ptx_kernel void @k(ptr byval([8 x i32]) %policy, "
                      "ptr %out, i64 %i) {\n" +
                          body + "  ret void\n}\n",
                      context_);
    llvm::Function &kernel = *module_->getFunction("k");
    replaceMembers(kernel, *kernel.getArg(0), members);
    std::string text;
    llvm::raw_string_ostream(text) << kernel;
    return text;
  }
  static bool loads(const std::string &text) {
    return llvm::StringRef(text).contains(" load ");
  }

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
};

const KnownMembers second = {{4, {7, 4, true}}};

} // namespace

TEST_F(KnownMembersOf, ACertainMemberIsItsValue) {
  const std::string text =
      replaced("%p = getelementptr i8, ptr %policy, i64 4\n"
               "%x = load i32, ptr %p\nstore i32 %x, ptr %out\n",
               second);
  EXPECT_FALSE(loads(text)) << text;
  EXPECT_NE(text.find("store i32 7, ptr %out"), std::string::npos) << text;
}

// It holds as a rule: figures use it, and proofs do not.
TEST_F(KnownMembersOf, AUsualMemberIsMarked) {
  const std::string text =
      replaced("%p = getelementptr i8, ptr %policy, i64 4\n"
               "%x = load i32, ptr %p\nstore i32 %x, ptr %out\n",
               {{4, {7, 4, false}}});
  EXPECT_TRUE(loads(text)) << text;
  EXPECT_NE(text.find("!warplint.usually"), std::string::npos) << text;
}

TEST_F(KnownMembersOf, OtherLoadsStay) {
  for (const char *load :
       {"%x = load i32, ptr %policy\n", "%x = load float, ptr %p\n",
        "%x = load i64, ptr %p\n", "%x = load volatile i32, ptr %p\n",
        "%q = getelementptr i32, ptr %policy, i64 %i\n%x = load i32, ptr %q\n",
        "%q = getelementptr i8, ptr %out, i64 4\n%x = load i32, ptr %q\n"})
    EXPECT_TRUE(loads(replaced("%p = getelementptr i8, ptr %policy, i64 4\n" +
                                   std::string(load),
                               second)))
        << load;
}

} // namespace warplint

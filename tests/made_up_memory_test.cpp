// Two kernels are compared by what they store: whatever they find must be the
// same for both, and no two objects may overlap.
#include "fixes/made_up_memory.h"
#include "ir_text.h"

namespace warplint {

static const char *text = R"(
@tile = internal addrspace(3) global [64 x float] undef
@more = internal addrspace(3) global [4 x float] undef
@table = internal addrspace(1) constant [2 x i32] [i32 5, i32 7]
define void @k(ptr %a, ptr %b, i32 %n, i32 %m) {
  ret void
}
)";

class MadeUpMemoryTest : public testing::Test {
protected:
  uint64_t addressOf(const char *name) {
    return memory_.addressOf(*module_->getNamedGlobal(name)).value_or(0);
  }

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_ = parseIr(text, context_);
  const llvm::Function &kernel_ = *module_->getFunction("k");
  Inputs inputs_{Shape{32}, Shape{1}, 100, 0, 61};
  MadeUpMemory memory_{kernel_, inputs_};
};

TEST_F(MadeUpMemoryTest, ObjectsDoNotOverlap) {
  const uint64_t tile = addressOf("tile");
  EXPECT_GE(addressOf("more"), tile + 256);
  uint64_t numbers = 0;
  EXPECT_EQ(argumentAt(memory_.argument(0, numbers)[0] + 4096), 0u);
  EXPECT_EQ(argumentAt(memory_.argument(1, numbers)[0]), 1u);
  EXPECT_EQ(argumentAt(addressOf("table")), std::nullopt);
  EXPECT_FALSE(memory_.addressOf(kernel_)) << "a function has no place";
}

TEST_F(MadeUpMemoryTest, NumbersAreTheSizeOrASeries) {
  uint64_t numbers = 0;
  EXPECT_EQ(memory_.argument(2, numbers)[0], 100u);
  EXPECT_EQ(memory_.argument(3, numbers)[0], 100u);
  EXPECT_EQ(numbers, 2u);
  inputs_.series = 1;
  numbers = 0;
  const uint64_t first = memory_.argument(2, numbers)[0];
  EXPECT_NE(first, memory_.argument(3, numbers)[0]);
  EXPECT_LE(first, 40u);
}

TEST_F(MadeUpMemoryTest, ATableHasWhatItsTextSays) {
  const uint64_t table = addressOf("table");
  EXPECT_EQ(memory_.initial(table), 5u);
  EXPECT_EQ(memory_.initial(table + 4), 7u);
  EXPECT_EQ(memory_.initial(table + 8), std::nullopt);
  EXPECT_EQ(memory_.initial(addressOf("tile")), std::nullopt);
  EXPECT_LT(memory_.untouched(addressOf("tile"), 4, Content::Number), 61u);
}

} // namespace warplint

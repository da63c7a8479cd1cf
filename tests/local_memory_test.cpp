// Tests what PTX keeps in local memory: the depot in pieces, and the calls.
#include "machine/local_memory.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;
using testing::IsEmpty;

static std::vector<LocalMemory> read(const std::string &functions) {
  auto memory = readLocalMemory(
      ".version 8.8\n.target sm_90\n.address_size 64\n" + functions);
  if (memory)
    return std::move(*memory);
  ADD_FAILURE() << llvm::toString(memory.takeError());
  return {};
}

static LocalMemory kernelWith(const std::string &body) {
  auto all = read(".visible .entry k(.param .u32 n)\n{\n"
                  ".local .align 16 .b8 __local_depot0[48];\n"
                  ".reg .b64 %SP;\n.reg .b64 %SPL;\n.reg .b64 %rd<9>;\n"
                  ".reg .b32 %r<9>;\nmov.u64 %SPL, __local_depot0;\n" +
                  body + "ret;\n}\n");
  return all.empty() ? LocalMemory() : all.front();
}

TEST(LocalMemory, AConstantOffsetBeginsAPiece) {
  const LocalMemory memory =
      kernelWith("add.u64 %rd1, %SPL, 0;\n"
                 "add.u64 %rd2, %SPL, 16;\n"
                 "st.local.v4.u32 [%rd1], {%r1,%r1,%r1,%r1};\n"
                 "st.local.u32 [%rd2+4], %r1;\n");
  EXPECT_EQ(memory.function, "k");
  EXPECT_TRUE(memory.isKernel);
  EXPECT_EQ(memory.bytes, 48u);
  EXPECT_EQ(memory.alignment, 16u);
  ASSERT_EQ(memory.pieces.size(), 2u);
  EXPECT_EQ(memory.pieces[0].bytes, 16u);
  EXPECT_EQ(memory.pieces[0].used, 16u);
  EXPECT_EQ(memory.pieces[1].offset, 16u);
  EXPECT_EQ(memory.pieces[1].used, 8u);
  EXPECT_FALSE(memory.pieces[1].isDynamic);
}

TEST(LocalMemory, AnUnknownOffsetIsDynamic) {
  const LocalMemory memory = kernelWith("add.u64 %rd1, %SPL, 0;\n"
                                        "mul.wide.u32 %rd3, %r1, 4;\n"
                                        "add.s64 %rd4, %rd1, %rd3;\n"
                                        "ld.local.u32 %r2, [%rd4];\n");
  ASSERT_EQ(memory.pieces.size(), 1u);
  EXPECT_TRUE(memory.pieces[0].isDynamic);
  EXPECT_FALSE(memory.pieces[0].isStored);
}

// Whoever reads the pointer from memory may use all of the piece.
TEST(LocalMemory, AnAddressInMemoryEscapes) {
  const LocalMemory memory = kernelWith("add.u64 %rd1, %SPL, 8;\n"
                                        "st.global.u64 [%rd5], %rd1;\n");
  ASSERT_EQ(memory.pieces.size(), 1u);
  EXPECT_TRUE(memory.pieces[0].isStored);
}

TEST(LocalMemory, ReachedFunctionsFollowCalls) {
  const auto all = read(".func a()\n{\nret;\n}\n.func unused()\n{\nret;\n}\n"
                        ".func b()\n{\ncall a, ();\nret;\n}\n"
                        ".visible .entry k()\n{\ncall b, ();\nret;\n}\n");
  ASSERT_EQ(all.size(), 4u);
  std::vector<std::string> names;
  for (const LocalMemory &memory : reachedFrom("k", all))
    names.push_back(memory.function);
  EXPECT_THAT(names, ElementsAre("k", "b", "a"));
  EXPECT_THAT(reachedFrom("nobody", all), IsEmpty());
}

TEST(LocalMemory, MalformedTextFails) {
  auto memory = readLocalMemory(".visible .entry k( {");
  ASSERT_FALSE(bool(memory));
  llvm::consumeError(memory.takeError());
}

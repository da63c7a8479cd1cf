// nvdisasm as it may behave, played by a script.
#include "input_folder.h"
#include "nvcc/disassemble.h"
#include <gtest/gtest.h>

using namespace warplint;
using std::chrono::milliseconds;

namespace {

class Disassemble : public testing::Test {
protected:
  /// Returns what the script `does` gives, or the error.
  std::string output(llvm::StringRef does,
                     milliseconds limit = milliseconds(60'000)) {
    const std::string program =
        folder.writeProgram("nvdisasm", ("#!/bin/sh\n" + does + "\n").str());
    auto scratch = Scratch::create();
    if (!scratch)
      return llvm::toString(scratch.takeError());
    auto text =
        disassemble(program, "/a.cubin", {"-gi", "-fun", "3"}, *scratch, limit);
    return text ? *text : llvm::toString(text.takeError());
  }
  InputFolder folder;
};

TEST_F(Disassemble, AsksForCodeWithTheOptionsAndTheFile) {
  EXPECT_EQ(output("echo \"$*\""), "-c -gi -fun 3 /a.cubin\n");
}

// Its exit code is 1 for files that it has read all the same.
TEST_F(Disassemble, TheExitCodeIsNotAsked) {
  EXPECT_EQ(output("echo code; exit 1"), "code\n");
}

TEST_F(Disassemble, AnEndIsNamed) {
  EXPECT_EQ(output("kill -SEGV $$"), "nvdisasm was ended by signal 11");
  EXPECT_EQ(output("sleep 600", milliseconds(50)),
            "nvdisasm took longer than 0 seconds and was ended");
}

// Many toolkits of package managers lack it.
TEST_F(Disassemble, TheOneBesideNvccComesFirst) {
  const std::string beside =
                        folder.writeProgram("a/bin/nvdisasm", "#!/bin/sh\n"),
                    onPath = folder.writeProgram("b/nvdisasm", "#!/bin/sh\n");
  Environment path("PATH", (folder / "b").c_str());
  Toolkit toolkit;
  toolkit.nvcc = folder / "a/bin/nvcc";
  EXPECT_EQ(findNvdisasm(toolkit), beside);
  toolkit.nvcc = folder / "c/bin/nvcc";
  EXPECT_EQ(findNvdisasm(toolkit), onPath);
  Environment none("PATH", "/none");
  EXPECT_EQ(findNvdisasm(toolkit), "");
}

} // namespace

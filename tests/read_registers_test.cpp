// Which kernels are asked who holds their registers, and why there is no
// answer. machine/register_owners gives the answers.
#include "input_folder.h"
#include "nvcc/read_registers.h"
#include "test_paths.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

CompiledKernel kernel(const std::string &name, unsigned registers,
                      unsigned spill = 0) {
  CompiledKernel made;
  made.usage.kernel = name;
  made.usage.registers = registers;
  made.usage.spillStores = spill;
  return made;
}

class ReadRegisters : public testing::Test {
protected:
  /// The kernels with an answer, and the answers in `whyNot`.
  std::vector<std::string> asked(const RegisterRun &run,
                                 const std::string &cubin = "/none.cubin") {
    CompiledUnit unit;
    unit.kernels = {kernel("few", 32), kernel("many", 128),
                    kernel("spills", 32, 8), kernel("function", 0)};
    auto scratch = Scratch::create();
    if (!scratch) {
      ADD_FAILURE() << llvm::toString(scratch.takeError());
      return {};
    }
    readRegisters(run, cubin, *scratch, unit);
    std::vector<std::string> names;
    for (const CompiledKernel &each : unit.kernels)
      if (each.registers) {
        names.push_back(each.usage.kernel);
        whyNot = each.registers->whyNot;
      }
    return names;
  }
  std::string whyNot;
};

// To ask of all kernels of a library takes minutes.
TEST_F(ReadRegisters, ThoseThatSpillOrHaveManyAreAsked) {
  const RegisterRun run = {"", "/", std::chrono::seconds(60)};
  RegisterRun ofMany = run, ofAll = run;
  ofMany.which = RegistersOf::Many;
  EXPECT_THAT(asked(ofMany), ElementsAre("many", "spills"));
  ofAll.which = RegistersOf::All;
  EXPECT_THAT(asked(ofAll), ElementsAre("few", "many", "spills"));
  // No finding of a kernel that spills nothing says who holds its registers.
  EXPECT_THAT(asked(run), ElementsAre("spills"));
}

// Silence would read as "nothing holds them".
TEST_F(ReadRegisters, WithoutAnAnswerThereIsAReason) {
  RegisterRun run = {"", "/", std::chrono::seconds(60)};
  asked(run);
  EXPECT_THAT(whyNot, HasSubstr("there is no nvdisasm"));
  run.nvdisasm = "/none/nvdisasm";
  asked(run);
  EXPECT_NE(whyNot, "") << "there is no cubin";
  asked(run, WARPLINT_SOURCE_DIR "/fuzz/corpus/cubin/sm_90a.cubin");
  EXPECT_THAT(whyNot, HasSubstr("nvdisasm"));
  InputFolder folder;
  run.nvdisasm = folder.writeProgram("nvdisasm", "#!/bin/sh\necho nonsense\n");
  asked(run, WARPLINT_SOURCE_DIR "/fuzz/corpus/cubin/sm_90a.cubin");
  EXPECT_THAT(whyNot, testing::Not(IsEmpty()));
}

} // namespace

#include "nvcc/wanted_kernels.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;
using testing::SizeIs;

namespace {

std::vector<std::string> wanted(llvm::StringRef name) {
  CompiledUnit unit;
  for (const char *mangled :
       {"_Z7productPf", "_ZN2ns4turnIfLi3EEEvPT_", "_Z8products", "plain"}) {
    unit.kernels.emplace_back();
    unit.kernels.back().usage.kernel = mangled;
  }
  std::vector<std::string> names;
  for (const CompiledKernel *kernel : wantedKernels(unit, name))
    names.push_back(kernel->usage.kernel);
  return names;
}

TEST(WantedKernels, HaveTheNameInTheirs) {
  EXPECT_THAT(wanted("product"), ElementsAre("_Z7productPf", "_Z8products"));
  EXPECT_THAT(wanted("ns::turn"), ElementsAre("_ZN2ns4turnIfLi3EEEvPT_"));
  EXPECT_THAT(wanted("_Z7productPf"), ElementsAre("_Z7productPf"));
  EXPECT_THAT(wanted("plain"), ElementsAre("plain"));
}

// "turn<float, 3u>" for Clang, whose text is not known here.
TEST(WantedKernels, TemplateArgumentsDoNotDecide) {
  EXPECT_THAT(wanted("turn<float, 3u>"),
              ElementsAre("_ZN2ns4turnIfLi3EEEvPT_"));
}

TEST(WantedKernels, AreAllWhereNoNameTells) {
  EXPECT_THAT(wanted(""), SizeIs(4));
  EXPECT_THAT(wanted("<float"), SizeIs(4));
  EXPECT_THAT(wanted("size_t"), SizeIs(4));
}

} // namespace

// Whom the user trusts is nobody's word but theirs.
#include "input/user_config.h"
#include "input_folder.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

class UserConfig : public testing::Test {
protected:
  std::vector<std::string> trusted() {
    auto globs = compilersTrustedByUser();
    if (globs)
      return *globs;
    ADD_FAILURE() << llvm::toString(globs.takeError());
    return {};
  }
  std::string error() {
    auto globs = compilersTrustedByUser();
    return globs ? "" : llvm::toString(globs.takeError());
  }
  InputFolder folder;
  Environment config{"XDG_CONFIG_HOME", folder.path.c_str()};
};

TEST_F(UserConfig, NamesTrustedCompilers) {
  EXPECT_THAT(trusted(), IsEmpty());
  folder.write("warplint/config.yaml",
               "trust-compilers: [/opt/cuda-*/bin/nvcc, /opt/gcc/*]\n");
  EXPECT_THAT(trusted(), ElementsAre("/opt/cuda-*/bin/nvcc", "/opt/gcc/*"));
  folder.write("warplint/config.yaml", "trust-compilers: /opt/*\n");
  EXPECT_THAT(trusted(), ElementsAre("/opt/*"));
}

TEST_F(UserConfig, LiesInTheHomeFolderOtherwise) {
  Environment none("XDG_CONFIG_HOME", "relative"),
      home("HOME", folder.path.c_str());
  folder.write(".config/warplint/config.yaml", "trust-compilers: /opt/*\n");
  EXPECT_THAT(trusted(), ElementsAre("/opt/*"));
}

// A misspelt key must not look as if it were obeyed.
TEST_F(UserConfig, AMistakeIsNamedWithItsPlace) {
  folder.write("warplint/config.yaml", "trusted: /opt/*\n");
  EXPECT_THAT(error(),
              HasSubstr("warplint/config.yaml:1:1: there is no key 'trusted'"));
  folder.write("warplint/config.yaml", "trust-compilers: [[a]]\n");
  EXPECT_THAT(error(), HasSubstr("is a list of patterns"));
}

} // namespace

// The settings of a source: the command line before the files around it, the
// nearest file first, then the defaults.
#include "findings/worse_kernel.h"
#include "input_folder.h"
#include "run/settings.h"
#include "llvm/ADT/STLExtras.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

struct SettingsOf : testing::Test {
  InputFolder folder;
  SettingOptions options;

  std::shared_ptr<const Settings> of(llvm::StringRef file) {
    Configurations configurations(options);
    auto settings = configurations.of(folder / file);
    if (settings)
      return *settings;
    ADD_FAILURE() << llvm::toString(settings.takeError());
    return std::make_shared<Settings>();
  }
  std::string errorOf(llvm::StringRef file) {
    Configurations configurations(options);
    auto settings = configurations.of(folder / file);
    return settings ? "" : llvm::toString(settings.takeError());
  }
  static const CheckSettings &check(const Settings &settings,
                                    std::string_view id) {
    auto found = llvm::find_if(settings.checks, [&](const CheckSettings &one) {
      return one.check->info.id == id;
    });
    static const CheckSettings none{};
    EXPECT_NE(found, settings.checks.end()) << id;
    return found == settings.checks.end() ? none : *found;
  }
};

constexpr const char *strided = "strided-global-access";

Finding findingOf(std::string id, Level level) {
  Finding finding;
  finding.check = std::move(id);
  finding.level = level;
  return finding;
}

} // namespace

// A remedy that pays in one project does not in another.
TEST_F(SettingsOf, TheLeastShareIsTheFilesUnlessTheCommandLineSetsIt) {
  folder.write("low/.warplint.yaml", "min-share: 0.5\n");
  EXPECT_DOUBLE_EQ(of("low/a.cu")->leastShare.value, 0.005);
  EXPECT_DOUBLE_EQ(of("a.cu")->leastShare.value, 0.02);
  options.leastShare = 0.1;
  EXPECT_DOUBLE_EQ(of("low/a.cu")->leastShare.value, 0.1);
}

// A file that sets one value must not take away those above it, if it inherits
// them; a file that does not inherit stands alone.
TEST_F(SettingsOf, TheNearestFileDecidesAndInheritsOnlyIfItSaysSo) {
  const std::string outer = folder.write(
      ".warplint.yaml", "checks:\n  strided-global-access: {sectors: 16}\n"
                        "architectures: [sm_80]\n");
  const std::string inner =
      folder.write("in/.warplint.yaml", "inherit: true\n"
                                        "architectures: [sm_90]\n");
  folder.write("alone/.warplint.yaml", "architectures: [sm_90]\n");
  const auto in = of("in/a.cu");
  EXPECT_THAT(in->files, ElementsAre(inner, outer));
  EXPECT_THAT(in->architectures.value, ElementsAre("sm_90"));
  EXPECT_EQ(in->architectures.from.file, inner);
  EXPECT_EQ(in->architectures.from.line, 2u);
  EXPECT_EQ(check(*in, strided).threshold->value, 16u);
  EXPECT_EQ(check(*in, strided).threshold->from.file, outer);
  const auto alone = of("alone/a.cu");
  EXPECT_EQ(alone->files.size(), 1u);
  EXPECT_NE(check(*alone, strided).threshold->value, 16u);
}

TEST_F(SettingsOf, TheCommandLineComesBeforeTheFiles) {
  folder.write(".warplint.yaml", "checks:\n  strided-global-access: off\n"
                                 "architectures: [sm_80]\n"
                                 "blocks:\n  \"*\": 64\n");
  options.architectures = {"sm_90"};
  options.block = "32x8";
  options.enabled = {strided};
  const auto settings = of("a.cu");
  EXPECT_THAT(settings->architectures.value, ElementsAre("sm_90"));
  EXPECT_TRUE(settings->architectures.from.onCommandLine);
  EXPECT_TRUE(check(*settings, strided).on.value);
  Kernel kernel;
  kernel.name = "gather";
  ASSERT_TRUE(settings->blockOf(kernel));
  EXPECT_EQ(settings->blockOf(kernel)->shape.text(), "32x8x1");
  // Among all checks the one that is named, and that for comments, which judges
  // the others' allowances.
  for (const Check *one : settings->enabled())
    EXPECT_TRUE(one->info.id == strided || one->info.id == "useless-allow")
        << one->info.id;
}

// '--all' asks for opinions; what a project turned off stays off.
TEST_F(SettingsOf, AllTurnsOnWhatNoFileTurnsOff) {
  folder.write(".warplint.yaml", "checks:\n  strided-global-access: off\n");
  options.allChecks = true;
  const auto settings = of("a.cu");
  EXPECT_FALSE(check(*settings, strided).on.value);
  for (const CheckSettings &one : settings->checks)
    EXPECT_TRUE(one.on.value || one.check->info.id == strided)
        << one.check->info.id;
}

// Wherever 'all' stands in the file, the check that is named is the exception.
TEST_F(SettingsOf, OneCheckIsAnExceptionFromAll) {
  folder.write(".warplint.yaml", "checks:\n  strided-global-access: certain\n"
                                 "  all: off\n");
  const auto settings = of("a.cu");
  ASSERT_EQ(settings->enabled().size(), 1u);
  EXPECT_EQ(settings->enabled()[0]->info.id, strided);
  EXPECT_EQ(settings->levelOf(findingOf(strided, Level::Likely)),
            Level::Certain);
}

// A finding of a lower level than its check's is one that nobody asked for.
TEST_F(SettingsOf, AnOpinionOfAWarningIsReportedOnlyIfAskedFor) {
  const Finding opinion = findingOf(strided, Level::Opinion);
  EXPECT_FALSE(of("a.cu")->wants(opinion));
  EXPECT_TRUE(of("a.cu")->wants(findingOf(strided, Level::Likely)));
  EXPECT_EQ(of("a.cu")->levelOf(opinion), Level::Opinion);
  options.enabled = {strided};
  EXPECT_TRUE(of("a.cu")->wants(opinion));
}

TEST_F(SettingsOf, ForeignFilesAreSkippedByTheFolderOfTheirPattern) {
  folder.write("in/.warplint.yaml", "skip:\n  - third_party/\n"
                                    "headers: [mine/]\n");
  const auto settings = of("in/a.cu");
  const std::string source = folder / "in/a.cu";
  EXPECT_TRUE(settings->skips(folder / "in/third_party/b.cu"));
  EXPECT_FALSE(settings->skips(folder / "third_party/b.cu"));
  EXPECT_TRUE(settings->reportsIn(folder / "in/mine/h.cuh", source));
  EXPECT_FALSE(settings->reportsIn(folder / "in/other/h.cuh", source));
  EXPECT_TRUE(settings->reportsIn(source, source)) << "the source itself";
}

// A misspelt name would otherwise be a setting that does nothing.
TEST_F(SettingsOf, MistakesEndTheRun) {
  options.enabled = {"strided-global-acces"};
  EXPECT_THAT(errorOf("a.cu"), HasSubstr("strided-global-access"));
  options.enabled.clear();
  folder.write(".warplint.yml", "");
  EXPECT_THAT(errorOf("a.cu"), HasSubstr(".warplint.yml' is not read"));
  options.config = folder / "gone.yaml";
  EXPECT_THAT(errorOf("a.cu"), HasSubstr("gone.yaml' cannot be read"));
  options.useConfig = false;
  EXPECT_EQ(errorOf("a.cu"), "");
}

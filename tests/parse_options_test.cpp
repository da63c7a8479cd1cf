#include "commands/parse_options.h"
#include "test_paths.h"
#include "typed_options.h"
#include "version.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace warplint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Options, CheckTakesPathsAndFlagsInAnyOrder) {
  Options options = good({"check",
                          "--refuted",
                          "src",
                          "-p",
                          "build",
                          "more/a.cu",
                          "-j4",
                          "--format=json",
                          "--arch",
                          "sm_80,sm_90a",
                          "--block",
                          "32x8",
                          "--check",
                          "a,b",
                          "--check",
                          "c",
                          "--all",
                          "--no-judge",
                          "--cuda-path",
                          "/opt/cuda",
                          "--resource-dir=/opt/clang",
                          "--color",
                          "always"});
  EXPECT_EQ(options.command, CommandName::Check);
  EXPECT_THAT(options.sources.paths, ElementsAre("src", "more/a.cu"));
  EXPECT_EQ(options.sources.database, "build");
  EXPECT_EQ(options.limits.threads, 4u);
  EXPECT_EQ(options.output.format, Format::Json);
  EXPECT_THAT(options.settings.architectures, ElementsAre("sm_80", "sm_90a"));
  EXPECT_EQ(options.settings.block, "32x8");
  EXPECT_THAT(options.settings.enabled, ElementsAre("a", "b", "c"));
  EXPECT_TRUE(options.output.refuted);
  EXPECT_TRUE(options.settings.allChecks);
  EXPECT_FALSE(options.compiling.judge);
  EXPECT_EQ(options.sources.cudaPath, "/opt/cuda");
  EXPECT_EQ(options.sources.resourceDir, "/opt/clang");
  EXPECT_EQ(options.output.colour, true);
}

TEST(Options, DefaultsMatchTheHelpPage) {
  Options options = good({"check", "src/"});
  EXPECT_EQ(options.output.format, Format::Text);
  EXPECT_EQ(options.output.colour, std::nullopt);
  EXPECT_EQ(options.limits.threads, 0u);
  EXPECT_TRUE(options.compiling.judge);
  EXPECT_FALSE(options.output.refuted);
  EXPECT_FALSE(options.settings.allChecks);
  EXPECT_THAT(options.settings.enabled, IsEmpty());
  EXPECT_THAT(options.sources.extraFlags, IsEmpty());
}

// A list flag that eats the path behind it would lint nothing, silently.
TEST(Options, AListFlagTakesOneWord) {
  Options options =
      good({"check", "--check", "a", "src", "--arch", "sm_90", "b.cu"});
  EXPECT_THAT(options.settings.enabled, ElementsAre("a"));
  EXPECT_THAT(options.sources.paths, ElementsAre("src", "b.cu"));
}

TEST(Options, PassesOnFlagsAfterTheDashes) {
  Options options = good({"accesses", "a.cu", "--format", "csv", "--", "-Iinc",
                          "--refuted", "--", "-O3"});
  EXPECT_EQ(options.command, CommandName::Accesses);
  EXPECT_EQ(options.output.format, Format::Csv);
  EXPECT_FALSE(options.output.refuted);
  EXPECT_THAT(options.sources.extraFlags,
              ElementsAre("-Iinc", "--refuted", "--", "-O3"));
}

// A project may well have a folder called as a command is.
TEST(Options, APathMayHaveACommandsName) {
  EXPECT_THAT(good({"check", "checks", "explain"}).sources.paths,
              ElementsAre("checks", "explain"));
}

// A build script sets a default, its user adds another value behind it.
TEST(Options, TheLastOfTwoValuesWins) {
  EXPECT_EQ(good({"check", "--format", "json", "--format", "text", "a"})
                .output.format,
            Format::Text);
}

TEST(Options, ColourIsSpeltInTwoWays) {
  EXPECT_EQ(good({"checks", "--colour", "never"}).output.colour, false);
  EXPECT_EQ(good({"check", "a", "--color=auto"}).output.colour, std::nullopt);
}

TEST(Options, ChecksAndExplain) {
  EXPECT_EQ(good({"checks"}).command, CommandName::Checks);
  Options options = good({"explain", "strided-global-access"});
  EXPECT_EQ(options.command, CommandName::Explain);
  EXPECT_EQ(options.topic, "strided-global-access");
}

TEST(Options, HelpWorksInAnyPosition) {
  const std::string page = good({}).text;
  EXPECT_EQ(good({"help"}).text, page);
  EXPECT_EQ(good({"--help"}).text, page);
  EXPECT_EQ(good({"-h"}).text, page);
  const std::string check = good({"check", "--help"}).text;
  EXPECT_NE(check, page);
  EXPECT_EQ(good({"help", "check"}).text, check);
  EXPECT_EQ(good({"check", "src", "-h"}).text, check);
  EXPECT_EQ(good({"check", "-h"}).command, CommandName::Help);
  EXPECT_EQ(good({"check", "a.cu", "--", "--help"}).command,
            CommandName::Check);
  EXPECT_EQ(bad({"help", "chek"}),
            "unknown command 'chek'; did you mean 'check'?");
}

TEST(Options, PrintsItsVersion) {
  Options options = good({"--version"});
  EXPECT_EQ(options.command, CommandName::Version);
  EXPECT_THAT(options.text, HasSubstr("warplint " WARPLINT_VERSION " (Clang "));
}

TEST(Options, AMisspeltCommandGetsASuggestion) {
  EXPECT_EQ(bad({"chekc", "src"}),
            "unknown command 'chekc'; did you mean 'check'?");
  EXPECT_EQ(bad({"explian", "x"}),
            "unknown command 'explian'; did you mean 'explain'?");
  EXPECT_EQ(bad({"frobnicate"}),
            "unknown command 'frobnicate'; 'warplint help' lists the commands");
  EXPECT_EQ(bad({"--versoin"}),
            "unknown flag '--versoin'; did you mean '--version'?");
}

TEST(Options, AForgottenCommandGetsASuggestion) {
  EXPECT_EQ(bad({WARPLINT_SOURCE_DIR}),
            "unknown command '" WARPLINT_SOURCE_DIR
            "'; did you mean 'warplint check " WARPLINT_SOURCE_DIR "'?");
  EXPECT_EQ(bad({"--format", "json", "src"}),
            "flags follow the command: 'warplint check --format ...'");
}

TEST(Options, AMisspeltFlagGetsASuggestion) {
  EXPECT_EQ(bad({"check", "--frmat", "json", "src"}),
            "'check' has no flag '--frmat'; did you mean '--format'?");
  EXPECT_EQ(bad({"check", "src", "--refute"}),
            "'check' has no flag '--refute'; did you mean '--refuted'?");
  EXPECT_EQ(bad({"check", "src", "--forma=json"}),
            "'check' has no flag '--forma'; did you mean '--format'?");
  EXPECT_EQ(bad({"accesses", "src", "--refuted"}),
            "'accesses' has no flag '--refuted'; flags for the compiler follow "
            "'--'");
  EXPECT_EQ(bad({"check", "a.cu", "-O3"}),
            "'check' has no flag '-O3'; flags for the compiler follow '--'");
  EXPECT_EQ(bad({"checks", "--json"}), "'checks' has no flag '--json'");
}

// The baseline of the default name was missed, a file that nobody typed.
TEST(Options, AFileThatIsTakenForASourceIsNamed) {
  for (const char *flag : {"--baseline", "--write-baseline"})
    EXPECT_EQ(bad({"check", flag, "none/such", "src"}),
              std::string("there is no file or folder 'none/such' to read; if "
                          "it is the file of '") +
                  flag + "', its name ends in '.json' or follows '" + flag +
                  "='");
  EXPECT_EQ(good({"check", "--baseline=none/such", "src"}).check.baseline,
            "none/such");
  EXPECT_EQ(good({"check", "src", "--baseline", "-q"}).check.baseline,
            ".warplint-baseline.json");
}

TEST(Options, MissingAndExtraWordsAreReported) {
  EXPECT_EQ(bad({"check"}),
            "'check' needs a file or a folder: 'warplint check src/'");
  EXPECT_EQ(bad({"accesses", "--", "-Iinc"}),
            "'accesses' needs a file or a folder: 'warplint accesses src/'");
  EXPECT_EQ(bad({"explain"}), "'explain' needs the id of a check; 'warplint "
                              "checks' lists them");
  EXPECT_EQ(bad({"explain", "a", "b"}),
            "'explain' takes one id at a time; 'b' is a second one");
  EXPECT_EQ(bad({"checks", "strided"}),
            "'checks' takes no 'strided'; did you mean 'warplint explain "
            "strided'?");
  EXPECT_EQ(bad({"explain", "a", "--", "-O3"}),
            "'explain' compiles nothing, so it takes no flags after '--'");
}

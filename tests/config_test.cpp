#include "input/config.h"
#include "input_folder.h"
#include "program.h"
#include "llvm/Support/JSON.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

namespace {

const std::vector<ConfigurableCheck> known = {
    {"register-spill", "bytes", 1, 1024},
    {"strided-global-access", "sectors", 2, 64},
    {"uniform-global-load", "", 0, 0}};

/// The error in the text; empty if there is none.
std::string wrong(llvm::StringRef text) {
  auto config = readConfig("/p/.warplint.yaml", text, known);
  return config ? "" : llvm::toString(config.takeError());
}

const char *const strided = "__global__ void rows(float *a, int n) {\n"
                            "  a[threadIdx.x * n] = 0;\n"
                            "}\n";

class Configured : public testing::Test {
protected:
  Outcome check(std::vector<std::string> more = {}) {
    std::vector<std::string> all = {"check", "--no-judge"};
    all.insert(all.end(), more.begin(), more.end());
    return runProgram(all);
  }
  void write(llvm::StringRef text) { folder.write(".warplint.yaml", text); }

  InputFolder folder;
  std::string source = folder.write("src/a.cu", strided);
};

} // namespace

// ---- the text

TEST(Config, EveryKeyIsRead) {
  auto config = readConfig("/p/.warplint.yaml",
                           "# ours\n"
                           "inherit: true\n"
                           "checks:\n"
                           "  strided-global-access: {level: opinion, "
                           "sectors: 16}\n"
                           "  register-spill: off\n"
                           "architectures: [sm_80, sm_90a]\n"
                           "min-share: 5.5\n"
                           "blocks:\n"
                           "  \"gather*\": 32x8\n"
                           "skip:\n"
                           "  - third_party/\n"
                           "headers: []\n",
                           known);
  ASSERT_TRUE(bool(config)) << llvm::toString(config.takeError());
  EXPECT_TRUE(config->inherit);
  ASSERT_EQ(config->checks.size(), 2u);
  EXPECT_EQ(config->checks[0].level->value, "opinion");
  EXPECT_EQ(config->checks[0].threshold->value, 16u);
  EXPECT_EQ(config->checks[1].level->line, 5u);
  EXPECT_EQ(config->architectures->value.size(), 2u);
  EXPECT_EQ(config->blocks[0].value.block, "32x8");
  EXPECT_DOUBLE_EQ(config->leastShare->value, 0.055);
  EXPECT_EQ(config->skip[0].line, 11u);
  ASSERT_TRUE(config->headers);
  EXPECT_TRUE(config->headers->empty());
}

TEST(Config, AnEmptyFileSetsNothing) {
  for (const char *text : {"", "# nothing\n", "---\n", "checks:\nskip:\n"})
    EXPECT_EQ(wrong(text), "") << text;
}

// A configuration that is not read as it is meant is worse than none.
TEST(Config, AMistakeIsNamedWithItsPlaceAndASuggestion) {
  const std::pair<const char *, const char *> cases[] = {
      {"chekcs: {}\n", "1:1: 'chekcs' is no key; did you mean 'checks'?"},
      {"\ncolour: red\n", "2:1: 'colour' is no key; known are inherit, checks, "
                          "architectures, min-share, blocks, skip, headers"},
      {"checks:\n  strided-global-acces: off\n",
       "2:3: there is no check 'strided-global-acces'; did you mean "
       "'strided-global-access'?"},
      {"checks:\n  zzz: off\n",
       "2:3: there is no check 'zzz'; 'warplint checks' lists them"},
      {"checks:\n  register-spill: oppinion\n",
       "2:19: 'oppinion' is no level; did you mean 'opinion'?"},
      {"checks:\n  register-spill: 7\n",
       "2:19: '7' is no level; known are off, on, opinion, likely, certain"},
      {"checks:\n  all: likely\n",
       "2:8: 'likely' is no level; known are off, on"},
      {"checks:\n  register-spill:\n    byte: 8\n",
       "3:5: 'byte' is no key of 'register-spill'; did you mean 'bytes'?"},
      {"checks:\n  uniform-global-load:\n    bytes: 8\n",
       "3:5: 'bytes' is no key of 'uniform-global-load'; known are level"},
      {"checks:\n  register-spill: {bytes: many}\n",
       "2:27: 'bytes' is a whole number from 1 to 1024"},
      {"checks:\n  register-spill: {bytes: 0}\n",
       "2:27: 'bytes' is a whole number from 1 to 1024"},
      {"checks:\n  register-spill: {bytes:}\n",
       "2:20: 'bytes' is a whole number from 1 to 1024"},
      {"checks: off\n", "1:9: 'checks' has the ids of checks for keys, such as "
                        "'strided-global-access: off'"},
      {"architectures: [sm90]\n",
       "1:17: 'architectures' has no 'sm90'; did you mean 'sm_90'?"},
      {"architectures: hopper\n",
       "1:16: 'architectures' takes an architecture such as sm_90, not "
       "'hopper'"},
      {"min-share: 101\n",
       "1:12: 'min-share' takes a percentage from 0 to 100, not '101'"},
      {"min-share: [2]\n",
       "1:13: 'min-share' takes a percentage from 0 to 100, not ''"},
      {"blocks:\n  k: 64x64\n",
       "2:3: 'block 64x64' is more than the 1024 threads that a block can "
       "have"},
      {"blocks:\n  k: []\n", "2:3: 'block' takes one to three sizes such as "
                             "32x8, not 'nothing'"},
      {"blocks:\n  /k(/: 64\n", "2:3: '/k(/' names no kernels: "},
      {"skip:\n  - {a: b}\n", "2:6: 'skip' is a list of texts"},
      {"skip: [a[]\n", "1:"},
      {"inherit: yes\n", "1:10: 'inherit' is true or false"},
      {"- a\n", "1:1: a configuration is keys with their values, such as "
                "'skip: [third_party/]'"},
      {"skip: [a\n", "1:9: "},
  };
  for (const auto &[text, what] : cases)
    EXPECT_THAT(wrong(text),
                StartsWith("/p/.warplint.yaml:" + std::string(what)))
        << text;
}

TEST(Config, HostileTextIsRefusedWithItsPlace) {
  EXPECT_THAT(wrong("blocks:\n  '/(((x{255}){255}){255}){255}/': 32\n"),
              AllOf(StartsWith("/p/.warplint.yaml:2:3: "),
                    HasSubstr("stand for more than")));
  EXPECT_THAT(wrong("skip:\n  - 'a'\n  - '{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"
                    "{a,b}'\n"),
              StartsWith("/p/.warplint.yaml:2:"));
}

TEST(Config, ArbitraryBytesDoNotCrash) {
  std::string bytes;
  for (unsigned i = 0; i < 2000; ++i)
    bytes += char(i * 2654435761u >> 11);
  const std::string whole = "checks: {register-spill: {bytes: 8}}\nskip: [a, "
                            "\"b\"]\nblocks:\n  ? k\n  : 32x8\n";
  wrong(bytes);
  wrong(std::string(5000, '['));
  wrong(std::string(5000, '{'));
  wrong(std::string(300, '-') + " a");
  for (size_t i = 0; i < whole.size(); ++i) {
    wrong(whole.substr(0, i));
    for (char c : {':', '[', '}', '"', '*', '\n', '\0'})
      wrong(whole.substr(0, i) + c + whole.substr(i));
  }
}

// ---- what it does to a run

TEST_F(Configured, ATypoEndsTheRunWithItsPlace) {
  write("checks:\n  strided-global-acess: off\n");
  for (const std::string &path : {source, folder.path}) {
    Outcome outcome = check({path});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err, "warplint: " + folder.path +
                               "/.warplint.yaml:2:3: there is no check "
                               "'strided-global-acess'; did you mean "
                               "'strided-global-access'?\n");
  }
  EXPECT_EQ(runProgram({"config", source}).code, 2);
  EXPECT_EQ(runProgram({"accesses", source}).code, 2);
  EXPECT_EQ(check({"--no-config", source}).code, 1);
}

TEST_F(Configured, AMissingConfigurationIsReported) {
  Outcome outcome = check({"--config", folder / "none.yaml", source});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("none.yaml' cannot be read: "));
  outcome = check({"--config", folder / "x", "--no-config", source});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("'--no-config' exclude each other"));
}

TEST_F(Configured, ChecksAreTurnedOffAndTheirLevelsSet) {
  write("checks: {strided-global-access: off}\n");
  EXPECT_EQ(check({source}).code, 0);
  // The command line overrides the file.
  EXPECT_EQ(check({"--check", "strided-global-access", source}).code, 1);
  EXPECT_EQ(check({"--all", source}).code, 0);

  write("checks: {strided-global-access: opinion}\n");
  EXPECT_THAT(check({source}).out,
              HasSubstr("note: store of 'a[threadIdx.x * n]'"));
  write("checks:\n  all: off\n  strided-global-access: certain\n");
  EXPECT_THAT(check({"--format", "json", source}).out,
              HasSubstr("\"level\": \"certain\""));
  write("checks: {all: off}\n");
  EXPECT_EQ(check({source}).code, 0);
}

TEST_F(Configured, ThresholdsDecideWhatIsReported) {
  const std::string twos = folder.write(
      "twos.cu", "__global__ void k(float *a) { a[4 * threadIdx.x] = 0; }\n");
  EXPECT_EQ(check({twos}).code, 1); // 16 sectors
  write("checks: {strided-global-access: {sectors: 17}}\n");
  EXPECT_EQ(check({twos}).code, 0);
  EXPECT_EQ(check({source}).code, 1); // 32
  write("checks: {strided-global-access: {sectors: 16}}\n");
  EXPECT_EQ(check({twos}).code, 1);
}

TEST_F(Configured, ABlockAppliesToMatchingKernels) {
  folder.write("src/a.cu", "__global__ void by_rows(float *a, int n) {\n"
                           "  a[threadIdx.x * n + threadIdx.y] = 0;\n}\n"
                           "__global__ void other(float *a, int n) {\n"
                           "  a[threadIdx.x * n + threadIdx.y] = 0;\n}\n");
  write("blocks:\n  \"*_rows\": 8x32\n");
  Outcome outcome = check({source});
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("for blocks of 8x32x1, as .warplint.yaml:2 says"),
                    HasSubstr("assuming blocks of 32x8x1")));
  EXPECT_THAT(check({"--block", "32x8", source}).out,
              AllOf(HasSubstr("for blocks of 32x8x1, as --block says"),
                    Not(HasSubstr(".warplint.yaml"))));
}

TEST_F(Configured, SkippedSourcesAreReadOnlyIfNamed) {
  folder.write("gen/b.cu", strided);
  write("skip: [gen/]\n");
  Outcome outcome = check({folder.path});
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("a.cu:2:"), Not(HasSubstr("b.cu"))));
  EXPECT_EQ(check({folder / "gen/b.cu"}).code, 1);
  outcome = check({folder / "gen"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("but what a configuration skips (1)"));
  EXPECT_THAT(runProgram({"config", folder / "gen/b.cu"}).out,
              HasSubstr("skipped, unless it is named: 'gen/' at "));
}

TEST_F(Configured, FindingsInForeignHeadersAreHidden) {
  for (const char *header : {"ours/r.cuh", "theirs/r.cuh"})
    folder.write(header, "__device__ inline void HEADER(float *a, int n) {\n"
                         "  a[threadIdx.x * n] = 0;\n}\n");
  folder.write("src/a.cu", "#define HEADER one\n"
                           "#include \"../ours/r.cuh\"\n"
                           "#undef HEADER\n"
                           "#define HEADER two\n"
                           "#include \"../theirs/r.cuh\"\n"
                           "__global__ void k(float *a, float *b, int n) {\n"
                           "  one(a, n); two(b, n);\n}\n");
  auto files = [&] {
    std::string out = check({source}).out;
    return std::pair(llvm::StringRef(out).contains("ours/r.cuh:2"),
                     llvm::StringRef(out).contains("theirs/r.cuh:2"));
  };
  EXPECT_EQ(files(), std::pair(true, true));
  write("headers: [ours/]\n");
  EXPECT_EQ(files(), std::pair(true, false));
  write("skip: theirs\n");
  EXPECT_EQ(files(), std::pair(true, false));
  write("headers: []\n");
  EXPECT_EQ(files(), std::pair(false, false));
}

TEST_F(Configured, TheNearestConfigurationApplies) {
  write("checks: {strided-global-access: off}\nskip: [old/]\n");
  EXPECT_EQ(check({source}).code, 0);
  folder.write("src/.warplint.yaml", "checks: {register-spill: off}\n");
  EXPECT_EQ(check({source}).code, 1);
  folder.write("src/.warplint.yaml",
               "inherit: true\nchecks: {register-spill: off}\n");
  EXPECT_EQ(check({source}).code, 0);
  folder.write("src/old/b.cu", strided);
  // As in .gitignore, a name without a folder means any of that name below.
  EXPECT_THAT(check({folder / "src/old"}).err,
              HasSubstr("but what a configuration skips"));
  // Sources of one run, each with its own.
  const std::string other = folder.write("lib/b.cu", strided);
  folder.write("lib/.warplint.yaml", "");
  Outcome outcome = check({folder.path});
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("lib/b.cu:2"), Not(HasSubstr("src/a.cu"))));
  EXPECT_EQ(check({"--config", folder / "src/.warplint.yaml", other}).code, 1);
  EXPECT_EQ(check({"--config", folder / ".warplint.yaml", other}).code, 0);
}

TEST_F(Configured, ArchitecturesComeFromTheFile) {
  write("architectures: [sm_80, sm_90]\n");
  Outcome outcome = runProgram({"config", source});
  EXPECT_THAT(outcome.out, HasSubstr("sm_80, sm_90 "));
  EXPECT_THAT(runProgram({"config", "--arch", "sm_75", source}).out,
              AllOf(HasSubstr("sm_75"), HasSubstr("command line"),
                    Not(HasSubstr("sm_80"))));
}

TEST_F(Configured, ConfigSaysWhereEachValueComesFrom) {
  write("inherit: true\n"
        "checks:\n"
        "  strided-global-access: {sectors: 16}\n"
        "  low-occupancy: likely\n"
        "blocks: {rows: 32x8}\n");
  Outcome outcome = runProgram(
      {"config", "--format", "json", "--check", "low-occupancy", source});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  auto json = llvm::json::parse(outcome.out);
  ASSERT_TRUE(bool(json)) << outcome.out;
  const llvm::json::Object &root = *json->getAsObject();
  EXPECT_EQ(root.getString("file"), source);
  EXPECT_EQ(root.getBoolean("skipped"), false);
  unsigned seen = 0;
  for (const llvm::json::Value &value : *root.getArray("checks")) {
    const llvm::json::Object &check = *value.getAsObject();
    auto kind = [&](const llvm::json::Object &of, const char *key) {
      return of.getObject(key)->getString("kind")->str();
    };
    if (check.getString("id") == "low-occupancy") {
      ++seen;
      EXPECT_EQ(check.getBoolean("on"), true);
      EXPECT_EQ(check.getString("level"), "likely");
      EXPECT_EQ(kind(check, "from"), "command line");
      EXPECT_EQ(check.getObject("levelFrom")->getInteger("line"), 4);
    } else if (check.getString("id") == "strided-global-access") {
      ++seen;
      EXPECT_EQ(check.getBoolean("on"), false);
      EXPECT_EQ(kind(check, "levelFrom"), "default");
      const llvm::json::Object &threshold = *check.getObject("threshold");
      EXPECT_EQ(threshold.getInteger("value"), 16);
      EXPECT_EQ(threshold.getObject("from")->getInteger("line"), 3);
    }
  }
  EXPECT_EQ(seen, 2u);
  Outcome text = runProgram({"config", source});
  EXPECT_THAT(text.out, AllOf(HasSubstr("low-occupancy"), HasSubstr("32x8"),
                              HasSubstr(".warplint.yaml:5")));
}

TEST_F(Configured, ConfigTakesOneFileThatExists) {
  EXPECT_THAT(runProgram({"config"}).err, HasSubstr("takes one file"));
  EXPECT_EQ(runProgram({"config", folder / "none.cu"}).code, 2);
  EXPECT_EQ(runProgram({"config", folder.path}).code, 0);
  EXPECT_THAT(runProgram({"config", "--no-config", source}).out,
              HasSubstr("src/a.cu: no .warplint.yaml\n"));
}

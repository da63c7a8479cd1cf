// Which precompiled headers are made for sources that are read together.
#include "source/attempts.h"
#include "source/clang_command.h"
#include "source/expected_headers.h"
#include "source/header_choice.h"
#include "source_on_disk.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::IsEmpty;
using testing::SizeIs;

namespace {

struct ExpectedHeaders : testing::Test {
  ExpectedHeaders() {
    source.kept = Store(source.path("kept"));
    for (const char *library : {"large", "other"}) {
      llvm::sys::fs::create_directories(source.path("system/") + library);
      writeFile(source.path("system/") + library + "/a.h",
                "#pragma once\n#include \"b.h\"\n");
      writeFile(source.path("system/") + library + "/b.h",
                "#pragma once\n" + std::string(3 << 20, '\n'));
    }
  }

  /// Sources that are read in one run, one for each text.
  void expect(std::vector<std::string> texts) {
    std::vector<Command> commands(texts.size(), source.command);
    std::vector<ParseRequest> requests;
    for (size_t i = 0; i < texts.size(); ++i) {
      commands[i].source = source.path("s" + std::to_string(i) + ".cu");
      writeFile(commands[i].source, texts[i]);
      requests.push_back({commands[i], source.translation, source.toolkit,
                          source.resourceDir, source.kept, source.buffers});
    }
    expectHeaders(requests);
  }

  /// The precompiled headers for the source that is read first.
  std::vector<UsableHeader> usable() {
    return HeaderChoice(source.request)
        .usable(attemptsFor(source.command, source.translation,
                            releaseOf(source.request))
                    .front()
                    .flags);
  }

  const std::string uses = "#include <large/a.h>\n",
                    other = "#include <other/a.h>\n";
  SourceOnDisk source{uses + other, {"-isystem", "system"}};
};

} // namespace

TEST_F(ExpectedHeaders, AreMadeForTheFirstOfThreeSources) {
  expect({uses, uses + other, uses});
  const std::vector<UsableHeader> first = usable();
  ASSERT_THAT(first, SizeIs(2));
  EXPECT_EQ(first[0].before.libraries, uses); // which most of them include
  EXPECT_EQ(first[1].before.libraries, "");
}

TEST_F(ExpectedHeaders, AreNotMadeForTwoSources) {
  expect({uses, uses});
  EXPECT_THAT(usable(), IsEmpty());
}

TEST_F(ExpectedHeaders, OfAllSourcesAreMadeWhereNoLibraryIsUsed) {
  expect({"int a;\n", "int b;\n", "int c;\n"});
  EXPECT_THAT(usable(), SizeIs(1));
}

// A later run knows from its sources what they have read.
TEST_F(ExpectedHeaders, AreLookedForOnce) {
  expect({"int a;\n", "int b;\n", "int c;\n"});
  expect({uses, uses, uses});
  EXPECT_THAT(usable(), SizeIs(1));
}

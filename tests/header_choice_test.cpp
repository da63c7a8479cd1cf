// Which precompiled headers a source is parsed with.
#include "source/clang_command.h"
#include "source/header_choice.h"
#include "source/parse.h"
#include "source_on_disk.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

namespace {

struct Choice : testing::Test {
  Choice() { source.kept = Store(source.path("kept")); }

  /// As another process chooses.
  std::vector<UsableHeader> usable(bool mayMake = true) {
    return HeaderChoice(source.request).usable({}, mayMake);
  }

  /// The same with the flags that a parse tries first.
  std::vector<UsableHeader> usableToParse() {
    return HeaderChoice(source.request)
        .usable(attemptsFor(source.command, source.translation,
                            releaseOf(source.request))
                    .front()
                    .flags);
  }

  /// Parses the source; returns the precompiled libraries that were used.
  std::string read() {
    auto parsed = parse(source.command, source.translation, source.toolkit,
                        source.resourceDir, source.kept, source.buffers);
    EXPECT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
    return parsed ? (*parsed)->libraries : "";
  }

  /// Headers that are worth precompiling.
  void writeLibrary() {
    llvm::sys::fs::create_directories(source.path("system/large"));
    const std::string large(3 << 20, '\n');
    writeFile(source.path("system/large/a.h"),
              "#pragma once\nint of_a();\n" + large);
    writeFile(source.path("system/large/b.h"), "#pragma once\nint of_b();\n");
  }

  SourceOnDisk source{"#include <vector>\n#include <complex>\n",
                      {"-isystem", "system"}};
};

} // namespace

// It takes longer than one source gains by it.
TEST_F(Choice, OneIsMadeForTheSecondSource) {
  EXPECT_THAT(usable(), IsEmpty());
  EXPECT_THAT(usable(/*mayMake=*/false), IsEmpty());
  const std::vector<UsableHeader> second = usable();
  ASSERT_THAT(second, SizeIs(1));
  EXPECT_TRUE(llvm::sys::fs::exists(second[0].before.header));
  EXPECT_THAT(usable(/*mayMake=*/false), SizeIs(1));
  EXPECT_EQ(HeaderChoice(source.request).cached({}, ""),
            second[0].before.header);
}

// A source with errors is read with flags that few others need.
TEST_F(Choice, OneForTheFlagsOfAnAttemptIsMadeForItsSecondSource) {
  usable();
  EXPECT_THAT(usable(), SizeIs(1));
  const std::vector<std::string> attempt{"-foffload-implicit-host-device-templates"};
  EXPECT_THAT(HeaderChoice(source.request).usable(attempt), IsEmpty());
  EXPECT_THAT(HeaderChoice(source.request).usable(attempt), SizeIs(1));
}

TEST_F(Choice, TheTextOfAnEditorIsReadAgainAndAgain) {
  source.buffers[source.command.source] = "int a;\n";
  EXPECT_THAT(usable(), SizeIs(1));
}

TEST_F(Choice, ItLacksWhatTheSourceIncludesBeyondIt) {
  usable();
  const std::vector<UsableHeader> second = usable();
  ASSERT_THAT(second, SizeIs(1));
  EXPECT_THAT(second[0].lacks, ElementsAre("complex"));
  EXPECT_EQ(second[0].before.libraries, "");
}

TEST_F(Choice, WhatTwoSourcesReadOfALibraryIsPrecompiled) {
  writeLibrary();
  writeFile(source.command.source, "#include <vector>\n#include <large/a.h>\n");
  usableToParse();
  read(); // with the headers of all sources, which the second one makes
  writeFile(source.command.source, "#include <large/b.h>\n#include <vector>\n");
  const std::vector<UsableHeader> third = usableToParse();
  ASSERT_THAT(third, SizeIs(2));
  EXPECT_EQ(third[0].before.libraries, "#include <large/a.h>\n");
  EXPECT_THAT(third[0].lacks, ElementsAre("large/b.h"));
  EXPECT_EQ(third[1].before.libraries, "");
  // One that uses no header of the library is not given any.
  writeFile(source.command.source, "#include <complex>\n");
  EXPECT_THAT(usableToParse(), SizeIs(1));
}

// Its macro would change what the library declares.
TEST_F(Choice, ASourceThatChangesALibraryReadsItItself) {
  writeLibrary();
  writeFile(source.command.source, "#include <large/a.h>\n");
  usableToParse();
  read();
  writeFile(source.command.source, "#define of_a of_b\n#include <large/a.h>\n");
  ASSERT_THAT(usableToParse(), SizeIs(2));
  EXPECT_EQ(read(), "");
  EXPECT_THAT(usableToParse(), SizeIs(1));
  writeFile(source.path("other.cu"), "#include <large/a.h>\n");
  source.command.source = source.path("other.cu");
  EXPECT_THAT(usableToParse(), SizeIs(2));
  EXPECT_EQ(read(), "#include <large/a.h>\n");
}

TEST_F(Choice, ALimitLeavesThemOut) {
  usable();
  HeaderChoice choice(source.request);
  choice.setLimit(HeaderChoice::Limit::WithoutLibraries);
  const std::vector<UsableHeader> base = choice.usable({});
  ASSERT_THAT(base, SizeIs(1));
  EXPECT_THAT(base[0].lacks, IsEmpty());
  choice.setLimit(HeaderChoice::Limit::None);
  EXPECT_THAT(choice.usable({}), IsEmpty());
}

TEST_F(Choice, WithoutAFolderThereIsNone) {
  source.kept = Store();
  source.buffers[source.command.source] = "int a;\n";
  EXPECT_THAT(usable(), IsEmpty());
}

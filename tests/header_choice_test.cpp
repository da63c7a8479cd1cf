// Which precompiled headers a source is parsed with.
#include "source/header_choice.h"
#include "source_on_disk.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::IsEmpty;
using testing::SizeIs;

namespace {

struct Choice : testing::Test {
  Choice() { source.kept = Store(source.path("kept")); }

  /// As another process chooses.
  std::vector<UsableHeader> usable(bool mayMake = true) {
    return HeaderChoice(source.request).usable({}, mayMake);
  }

  SourceOnDisk source{"#include <vector>\n#include <complex>\n"};
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

TEST_F(Choice, TheTextOfAnEditorIsReadAgainAndAgain) {
  source.buffers[source.command.source] = "int a;\n";
  EXPECT_THAT(usable(), SizeIs(1));
}

TEST_F(Choice, ItLacksWhatTheSourceIncludesBeyondIt) {
  usable();
  const std::vector<UsableHeader> second = usable();
  ASSERT_THAT(second, SizeIs(1));
  EXPECT_EQ(second[0].lacks, "#include <complex>\n");
  EXPECT_EQ(second[0].before.libraries, "");
}

TEST_F(Choice, ALimitLeavesThemOut) {
  usable();
  HeaderChoice choice(source.request);
  choice.setLimit(HeaderChoice::Limit::WithoutLibraries);
  const std::vector<UsableHeader> base = choice.usable({});
  ASSERT_THAT(base, SizeIs(1));
  EXPECT_EQ(base[0].lacks, "");
  choice.setLimit(HeaderChoice::Limit::None);
  EXPECT_THAT(choice.usable({}), IsEmpty());
}

TEST_F(Choice, WithoutAFolderThereIsNone) {
  source.kept = Store();
  source.buffers[source.command.source] = "int a;\n";
  EXPECT_THAT(usable(), IsEmpty());
}

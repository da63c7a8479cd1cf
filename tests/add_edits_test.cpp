// Which findings of a source get an edit.
#include "fix_runs.h"

using namespace warplint;
using testing::HasSubstr;

namespace {

class AddEdits : public FixRun {};

TEST_F(AddEdits, NoFileOutsideOfTheProjectIsWritten) {
  InputFolder other;
  const std::string header = other.write("tile.cuh", transpose);
  const std::string file =
      folder.write("a.cu", "#include \"" + header + "\"\n");
  run({file, "--fix", "--unsafe", "--check", "shared-bank-conflict"});
  EXPECT_EQ(readFile(header), transpose);
}

TEST_F(AddEdits, TheEditsAreInTheFormats) {
  const std::string file = folder.write("a.cu", transpose);
  const std::string check = "shared-bank-conflict",
                    yaml = folder / "fixes.yaml";
  Outcome sarif = run({file, "--format", "sarif", "--check", check});
  EXPECT_THAT(sarif.out, HasSubstr("\"insertedContent\""));
  Outcome markdown = run({file, "--format", "markdown", "--check", check});
  EXPECT_THAT(markdown.out,
              HasSubstr("```suggestion\n  __shared__ float tile[32][32 + "
                        "1];\n```"));
  Outcome text = run({file, "--export-fixes", yaml, "--check", check});
  EXPECT_THAT(text.out, HasSubstr("edit (safe, unproven): line 3"));
  EXPECT_THAT(readFile(yaml), HasSubstr("ReplacementText: \" + 1\""));
}

} // namespace

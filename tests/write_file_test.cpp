// A report that is half written would be read as a whole one.
#include "input_folder.h"
#include "nvcc.h"
#include "os/write_file.h"
#include <csignal>
#include <gmock/gmock.h>
#include <sys/resource.h>

using namespace llvm;
using namespace warplint;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

std::string errorOf(const std::string &file, StringRef text) {
  return toString(
      warplint::writeFile(file, [&](raw_ostream &out) { out << text; }));
}

unsigned filesIn(const std::string &folder) {
  unsigned files = 0;
  for (const auto &entry : std::filesystem::directory_iterator(folder))
    files += entry.is_regular_file();
  return files;
}

} // namespace

TEST(WriteFile, AReaderSeesTheOldTextUntilTheNewOneIsWhole) {
  InputFolder folder;
  const std::string file = folder.write("report", "old");
  cantFail(warplint::writeFile(file, [&](raw_ostream &out) {
    out << "new";
    out.flush();
    EXPECT_EQ(readFile(file), "old");
  }));
  EXPECT_EQ(readFile(file), "new");
  EXPECT_EQ(filesIn(folder.path), 1u);
}

// A stream whose error is not read ends the program.
TEST(WriteFile, AFullDiskLeavesTheOldText) {
  InputFolder folder;
  const std::string file = folder.write("report", "old");
  rlimit former, small = {4096, 4096};
  getrlimit(RLIMIT_FSIZE, &former);
  small.rlim_max = former.rlim_max;
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string error = errorOf(file, std::string(1 << 16, 'x'));
  setrlimit(RLIMIT_FSIZE, &former);
  signal(SIGXFSZ, SIG_DFL);
  EXPECT_THAT(error, StartsWith("'" + file + "' cannot be written: "));
  EXPECT_EQ(readFile(file), "old");
  EXPECT_EQ(filesIn(folder.path), 1u) << "the new text stays beside the old";
}

TEST(WriteFile, ADeviceIsWrittenTo) {
  EXPECT_EQ(errorOf("/dev/null", "x"), "");
  EXPECT_THAT(errorOf("/dev/full", "x"), HasSubstr("No space left on device"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST(WriteFile, AFolderThatIsNotThereIsNamed) {
  InputFolder folder;
  EXPECT_EQ(errorOf(folder / "none/report", "x"),
            "'" + folder / "none/report" +
                "' cannot be written: No such file or directory");
}

#include "cache/store.h"
#include "input_folder.h"
#include "llvm/Support/MemoryBuffer.h"
#include <csignal>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace warplint;

namespace {

std::string contentsOf(const std::string &path) {
  return (*llvm::MemoryBuffer::getFile(path))->getBuffer().str();
}

/// The only file of a store.
std::string onlyFile(const std::string &folder) {
  std::error_code error;
  for (llvm::sys::fs::directory_iterator entry(folder, error), end;
       entry != end; entry.increment(error))
    return entry->path();
  return "";
}

} // namespace

TEST(Store, ReturnsWhatWasPut) {
  InputFolder folder;
  const Store store(folder / "cache/deep");
  EXPECT_FALSE(store.get("a"));
  for (const std::string &record :
       {std::string(), std::string("x"), std::string(1 << 20, 'y'),
        std::string("\0\n", 2)}) {
    store.put("a", record);
    EXPECT_EQ(store.get("a"), record);
  }
  EXPECT_FALSE(store.get("b"));
}

// A power failure or a flipped bit must not change findings.
TEST(Store, ADamagedRecordIsMissing) {
  InputFolder folder;
  const Store store(folder / "cache");
  store.put("a", std::string(1000, 'x'));
  const std::string file = onlyFile(store.folder()), whole = contentsOf(file);
  for (size_t size = 0; size < whole.size(); ++size) {
    folder.write("cache/" + llvm::sys::path::filename(file).str(),
                 llvm::StringRef(whole).take_front(size));
    EXPECT_FALSE(store.get("a")) << size;
    std::string changed = whole;
    changed[size] ^= 4;
    folder.write("cache/" + llvm::sys::path::filename(file).str(), changed);
    EXPECT_FALSE(store.get("a")) << size;
  }
}

TEST(Store, AFolderThatCannotBeWrittenStoresNothing) {
  InputFolder folder;
  folder.write("file");
  for (const std::string &where : {std::string(), folder / "file/cache"}) {
    const Store store(where);
    store.put("a", "x");
    EXPECT_FALSE(store.get("a"));
    EXPECT_EQ(store.size().records, 0u);
  }
}

TEST(Store, IsCountedAndCleared) {
  InputFolder folder;
  const Store store(folder / "cache");
  store.put("a", "x");
  store.put("b", "y");
  folder.write("cache/mine.txt", "the user's own");
  EXPECT_EQ(store.size().records, 2u);
  EXPECT_EQ(store.clear().records, 2u);
  EXPECT_FALSE(store.get("a"));
  EXPECT_EQ(contentsOf(folder / "cache/mine.txt"), "the user's own");
}

// A stream whose error is not read ends the program.
TEST(Store, AFullDiskIsNoError) {
  InputFolder folder;
  const Store store(folder / "cache");
  std::string noise(1 << 16, '\0'); // which cannot be compressed
  for (size_t i = 0; i < noise.size(); ++i)
    noise[i] = char((i * i * 2654435761u) >> 13);
  rlimit former, small = {4096, 4096};
  getrlimit(RLIMIT_FSIZE, &former);
  small.rlim_max = former.rlim_max;
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  store.put("a", noise);
  setrlimit(RLIMIT_FSIZE, &former);
  signal(SIGXFSZ, SIG_DFL);
  EXPECT_FALSE(store.get("a"));
  EXPECT_EQ(onlyFile(store.folder()), ""); // nothing half written either
}

TEST(Key, AdjacentWordsAreSeparated) {
  EXPECT_NE(Key("k").add("ab").add("c").text(),
            Key("k").add("a").add("bc").text());
  EXPECT_NE(Key("k").add("a").text(), Key("ka").text());
  EXPECT_EQ(Key("k").add("a").add(1u).text(), Key("k").add("a").add(1u).text());
  EXPECT_NE(Key("k").add(std::vector<std::string>{"a", "b"}).text(),
            Key("k").add(std::vector<std::string>{"ab"}).text());
}

// A cache that others write to would stop a run for ever.
TEST(Store, APipeInThePlaceOfARecordIsAMissAndReplaced) {
  InputFolder folder;
  const Store store(folder / "cache");
  store.put("a", "x");
  const std::string file = onlyFile(folder / "cache");
  llvm::sys::fs::remove(file);
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  EXPECT_FALSE(store.get("a"));
  store.put("a", "y");
  EXPECT_EQ(store.get("a"), "y");
}

// Tests that git tells what it is asked and starts nothing that the
// repository's configuration names.
#include "run/git.h"
#include "input_folder.h"
#include "llvm/Support/FileSystem.h"
#include <gmock/gmock.h>

using namespace warplint;
using testing::HasSubstr;

namespace {

struct Repository : InputFolder {
  Repository() {
    std::filesystem::remove_all(path + "/.git");
    git({"init", "-q", "."});
    write("a.cu", "int a;\n");
    git({"add", "."});
    git({"-c", "user.name=a", "-c", "user.email=a", "commit", "-qm", "first"});
  }

  std::string git(const std::vector<std::string> &words) {
    Scratch scratch = cantFail(Scratch::create());
    auto text = Git(scratch, path).run(words);
    return text ? *text : "error: " + llvm::toString(text.takeError());
  }
};

TEST(Git, TellsWhatItIsAsked) {
  Repository repository;
  repository.write("a.cu", "int b;\n");
  EXPECT_THAT(repository.git({"diff", "HEAD"}), HasSubstr("+int b;"));
  EXPECT_THAT(repository.git({"rev-parse", "--verify", "nothing"}),
              HasSubstr("error: fatal: Needed a single revision"));
  Scratch scratch = cantFail(Scratch::create());
  EXPECT_EQ(cantFail(Git(scratch, repository.path)
                         .line({"log", "--format=%s%n%an", "-1"})),
            "first");
}

// A filter is a shell command; '.git/config' comes with a repository that is
// unpacked, and so does that of a bare one among a clone's files.
TEST(Git, ARepositorysFiltersAreNotRun) {
  Repository repository;
  repository.write(".gitattributes", "*.cu filter=of.x filter=of.x\n");
  repository.write("a.cu", "int b;\n");
  for (const char *kind : {"clean", "smudge", "process"})
    repository.git({"config", std::string("filter.of.x.") + kind,
                    "touch '" + repository.path + "/ran'; cat"});
  repository.git({"config", "filter.of.x.required", "true"});
  EXPECT_THAT(repository.git({"diff", "HEAD"}), HasSubstr("+int b;"));
  EXPECT_THAT(repository.git({"archive", "--format=tar", "HEAD"}),
              HasSubstr("int a;"));
  EXPECT_FALSE(llvm::sys::fs::exists(repository.path + "/ran"));
}

TEST(Git, ABareRepositoryAmongOtherFilesIsNone) {
  Repository repository;
  repository.git({"init", "-q", "--bare", "inner"});
  Scratch scratch = cantFail(Scratch::create());
  auto text =
      Git(scratch, repository.path + "/inner").run({"rev-parse", "--git-dir"});
  EXPECT_THAT(text ? *text : llvm::toString(text.takeError()),
              HasSubstr("cannot use bare repository"));
}

} // namespace

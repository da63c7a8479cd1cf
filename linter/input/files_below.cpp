#include "input/files_below.h"
#include "input/database.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace warplint {

std::string projectAround(const Command &command) {
  if (!command.project.empty())
    return command.project;
  const std::string own = sys::path::parent_path(command.source).str();
  const std::string repository = projectOf(own);
  if (repository != own || sys::fs::exists(own + "/.git"))
    return repository;
  SmallString<256> home;
  sys::path::home_directory(home);
  for (const std::string &folder : {command.directory, command.folder})
    if (!folder.empty() && folder != home && isBelow(command.source, folder))
      return folder;
  return own;
}

bool forEachFileBelow(
    StringRef folder,
    function_ref<void(const sys::fs::directory_entry &)> visit) {
  constexpr unsigned most = 50'000;
  unsigned seen = 0;
  std::error_code error;
  sys::fs::recursive_directory_iterator entry(folder, error,
                                              /*follow_symlinks=*/false),
      end;
  for (; entry != end && !error; entry.increment(error)) {
    if (++seen > most)
      return false;
    if (sys::path::filename(entry->path()).starts_with("."))
      entry.no_push();
    else if (entry->type() == sys::fs::file_type::regular_file)
      visit(*entry);
  }
  return !error;
}

bool FilesBelow::allow(const std::string &file) {
  auto [known, isNew] = known_.try_emplace(file, false);
  if (!isNew)
    return known->second;
  const std::string real = canonicalPath(file);
  known->second = !sys::fs::exists(real) ||
                  (sys::fs::is_regular_file(real) &&
                   any_of(folders_, [&](const std::string &folder) {
                     return isBelow(real, folder);
                   }));
  return known->second;
}

} // namespace warplint

#include "fixes/project_files.h"
#include "base/folders.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace warplint {

std::string projectOf(const Command &command) {
  if (!command.project.empty())
    return command.project;
  const std::string own = folderOf(command.source);
  for (StringRef folder = own; !folder.empty();
       folder = sys::path::parent_path(folder))
    if (sys::fs::exists(folder + "/.git") ||
        sys::fs::exists(folder + "/.warplint.yaml"))
      return folder.str();
  return own;
}

/// Returns true if the first lines say that a program wrote the text, or if
/// line markers lead to what it was made of.
static bool isGenerated(StringRef text) {
  constexpr size_t shown = 2000;
  const std::string head = text.take_front(shown).lower();
  for (StringRef word : {"@generated", "do not edit", "do not modify",
                         "automatically generated", "auto-generated"})
    if (StringRef(head).contains(word))
      return true;
  for (StringRef rest = text; !rest.empty();) {
    StringRef line;
    std::tie(line, rest) = rest.split('\n');
    line = line.ltrim();
    if (line.consume_front("#") && line.ltrim().starts_with("line "))
      return true;
  }
  return false;
}

bool mayChange(const std::string &file, StringRef text,
               const std::string &project) {
  SmallString<256> real, root;
  if (sys::fs::real_path(file, real) || sys::fs::real_path(project, root) ||
      !sys::fs::is_regular_file(real) ||
      sys::fs::access(real, sys::fs::AccessMode::Write))
    return false;
  sys::path::append(root, ""); // ends in a separator
  return real.starts_with(root) && !isGenerated(text);
}

} // namespace warplint

#include "nvcc/read_by_nvcc.h"
#include "base/regular_file.h"
#include "input/include_graph.h"
#include "input/search_flags.h"
#include "input/trusted_programs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Regex.h"
#include <set>

using namespace llvm;

namespace warplint {
namespace {

/// The program of that name, in a folder of PATH if it is a bare name.
std::string programAt(StringRef name, StringRef directory) {
  if (sys::path::filename(name) != name)
    return plainPathIn(directory, name);
  return programNamed(name);
}

/// Returns the programs that -ccbin names, or nvcc's default.
std::vector<std::string> hostCompilers(ArrayRef<std::string> arguments,
                                       StringRef directory) {
  std::string name = sys::Process::GetEnv("NVCC_CCBIN").value_or("gcc");
  for (size_t i = 0; i < arguments.size(); ++i) {
    auto [flag, value] = StringRef(arguments[i]).split('=');
    if (flag.ltrim('-') != "ccbin" && flag.ltrim('-') != "compiler-bindir")
      continue;
    name = !value.empty()             ? value.str()
           : i + 1 < arguments.size() ? arguments[i + 1]
                                      : "";
  }
  const std::string path = programAt(name, directory);
  if (!sys::fs::is_directory(path))
    return {path};
  return {path + "/gcc", path + "/g++"};
}

/// nvcc's own parts, beside the program itself and in the toolkit, since the
/// program may be a script that starts the toolkit's.
std::vector<std::string> partsOf(StringRef nvcc, const Toolkit &toolkit) {
  std::vector<std::string> parts = {nvcc.str()};
  std::set<std::string> folders;
  SmallString<256> real;
  if (!sys::fs::real_path(nvcc, real))
    folders.insert(sys::path::parent_path(real).str());
  if (!sys::fs::real_path(toolkit.root + "/bin", real))
    folders.insert(real.str().str());
  for (const std::string &folder : folders)
    for (const char *part : {"/nvcc", "/nvcc.profile", "/cudafe++", "/ptxas",
                             "/fatbinary", "/nvdisasm", "/../nvvm/bin/cicc",
                             "/../nvvm/libdevice/libdevice.10.bc"})
      parts.push_back(folder + part);
  return parts;
}

/// The names that `__has_include` asks for in a text, with their first bracket.
std::set<std::string> namesAskedFor(StringRef text) {
  static const Regex asks(
      "__has_include(_next)?[ \t]*\\([ \t]*([<\"])([^>\"\n]+)");
  std::set<std::string> names;
  SmallVector<StringRef> parts;
  for (; asks.match(text, &parts);
       text = text.substr(parts[0].end() - text.begin()))
    names.insert((parts[2] + parts[3]).str());
  return names;
}

/// The folders that nvcc searches, in its own words and in those for the host
/// compiler.
std::vector<std::string> searched(ArrayRef<std::string> arguments,
                                  const Toolkit &toolkit, StringRef directory) {
  std::vector<std::string> words;
  for (StringRef word : arguments) {
    for (StringRef passesOn : {"-Xcompiler", "--compiler-options"})
      if (word.consume_front(passesOn))
        word.consume_front("=");
    for (StringRef name : {"--include-path", "--system-include"})
      if (word.consume_front(name)) {
        words.push_back("-I");
        word.consume_front("=");
      }
    if (!word.empty())
      words.push_back(word.str());
  }
  const IncludeFolders folders = includeFolders(directory, words);
  std::vector<std::string> all = {toolkit.include, "/usr/local/include",
                                  "/usr/include"};
  for (const auto *group : {&folders.quoted, &folders.project, &folders.system})
    append_range(all, *group);
  return all;
}

} // namespace

std::vector<std::string> alsoDecides(ArrayRef<std::string> read,
                                     ArrayRef<std::string> judgingArguments,
                                     const Toolkit &toolkit,
                                     const std::string &directory) {
  std::vector<std::string> result = partsOf(judgingArguments.front(), toolkit);
  append_range(result, hostCompilers(judgingArguments, directory));
  const std::vector<std::string> folders =
      searched(judgingArguments, toolkit, directory);
  for (const std::string &file : read) {
    // Libraries ask for hundreds of names, which come with the system.
    if (StringRef(file).starts_with("/usr/") ||
        StringRef(file).starts_with(toolkit.root))
      continue;
    auto text = readRegularFile(file);
    if (!text)
      continue;
    for (StringRef name : namesAskedFor((*text)->getBuffer())) {
      const bool isQuoted = name.consume_front("\"");
      if (!isQuoted)
        name.consume_front("<");
      else
        result.push_back(pathIn(sys::path::parent_path(file), name));
      for (const std::string &folder : folders)
        result.push_back(pathIn(folder, name));
    }
  }
  return result;
}

} // namespace warplint

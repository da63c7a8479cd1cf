#include "input/toolkit.h"
#include "base/parse_json.h"
#include "base/real_path.h"
#include "base/regular_file.h"
#include "input/compiler.h"
#include "input/trusted_programs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include <utility>

namespace warplint {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static std::string joined(llvm::StringRef folder, const llvm::Twine &rest) {
  llvm::SmallString<256> name(folder);
  path::append(name, rest);
  return name.str().str();
}

static std::string textOf(llvm::StringRef file) {
  auto buffer = readRegularFile(file);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

std::string includeFolder(llvm::StringRef root) {
  for (llvm::StringRef place :
       {"include", "targets/x86_64-linux/include", "targets/sbsa-linux/include",
        "targets/aarch64-linux/include"})
    if (fs::exists(joined(root, place + "/cuda.h")) &&
        fs::exists(joined(root, place + "/cuda_runtime.h")))
      return joined(root, place);
  return "";
}

/// The output of a program; empty if it fails. Includes standard error, where
/// nvcc --dryrun writes.
static std::string outputOf(llvm::StringRef program,
                            llvm::ArrayRef<llvm::StringRef> flags) {
  llvm::SmallString<128> file;
  if (fs::createTemporaryFile("warplint-nvcc", "txt", file))
    return "";
  llvm::SmallVector<llvm::StringRef, 8> words{program};
  words.append(flags.begin(), flags.end());
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""), file.str(),
                                                file.str()};
  int code = llvm::sys::ExecuteAndWait(program, words, std::nullopt, redirects,
                                       /*SecondsToWait=*/20);
  std::string text = code == 0 ? textOf(file) : "";
  fs::remove(file);
  return text;
}

/// Reads versions such as "13.0.88", also with more or fewer parts.
static void readRelease(llvm::StringRef text, Toolkit &toolkit) {
  unsigned major = 0, minor = 0, build = 0;
  if (text.consumeInteger(10, major))
    return;
  if (text.consume_front(".") && !text.consumeInteger(10, minor) &&
      text.consume_front("."))
    text.consumeInteger(10, build);
  toolkit.major = major;
  toolkit.minor = minor;
  toolkit.build = build;
}

/// CUDA_VERSION in cuda.h: 12040 is 12.4.
static void readHeaderRelease(llvm::StringRef include, Toolkit &toolkit) {
  auto buffer = readRegularFile(joined(include, "cuda.h"));
  if (!buffer)
    return;
  llvm::StringRef text = (*buffer)->getBuffer();
  llvm::StringRef define = "#define CUDA_VERSION ";
  size_t place = text.find(define);
  unsigned number = 0;
  if (place == llvm::StringRef::npos ||
      text.substr(place + define.size()).ltrim().consumeInteger(10, number))
    return;
  toolkit.major = number / 1000;
  toolkit.minor = number % 1000 / 10;
}

/// Python wheels leave nvidia_cuda_nvcc-13.0.88.dist-info in the folder above
/// the root, or beside the root.
static std::string releaseFromWheels(llvm::StringRef root) {
  std::string parent = path::parent_path(root).str();
  for (const std::string &place : {joined(root, "dist-info"), root.str(),
                                   parent, path::parent_path(parent).str()}) {
    std::error_code error;
    for (fs::directory_iterator entry(place, error), end;
         !error && entry != end; entry.increment(error)) {
      llvm::StringRef name = path::filename(entry->path());
      if (name.consume_front("nvidia_cuda_nvcc") &&
          name.consume_back(".dist-info"))
        return name.substr(name.find('-') + 1).str();
    }
  }
  return "";
}

/// The compiler's release gives __CUDACC_VER_BUILD__; the headers' release can
/// differ. Tries files before it runs nvcc.
static void readCompilerRelease(Toolkit &toolkit) {
  if (auto json = parseJson(textOf(joined(toolkit.root, "version.json"))))
    if (auto *all = json->getAsObject())
      if (auto *nvcc = all->getObject("cuda_nvcc"))
        if (auto version = nvcc->getString("version"))
          return readRelease(*version, toolkit);
  // Until CUDA 10: "CUDA Version 10.2.89".
  std::string text = textOf(joined(toolkit.root, "version.txt"));
  llvm::StringRef line = text;
  if (line.consume_front("CUDA Version "))
    return readRelease(line, toolkit);
  std::string wheel = releaseFromWheels(toolkit.root);
  if (!wheel.empty())
    return readRelease(wheel, toolkit);
  if (toolkit.nvcc.empty())
    return;
  // "Cuda compilation tools, release 13.0, V13.0.88"
  text = outputOf(toolkit.nvcc, {"--version"});
  size_t place = text.find(", V");
  if (place != std::string::npos)
    readRelease(llvm::StringRef(text).substr(place + 3), toolkit);
}

static std::optional<Toolkit> toolkitAt(llvm::StringRef root,
                                        llvm::StringRef knownNvcc = "") {
  if (root.empty())
    return std::nullopt;
  Toolkit toolkit;
  toolkit.root = root.str();
  toolkit.include = includeFolder(root);
  if (toolkit.include.empty())
    return std::nullopt;
  if (std::string cccl = joined(toolkit.include, "cccl");
      fs::is_directory(cccl))
    toolkit.cccl = std::move(cccl);
  std::string nvcc =
      knownNvcc.empty() ? joined(root, "bin/nvcc") : knownNvcc.str();
  if (fs::can_execute(nvcc))
    toolkit.nvcc = nvcc;
  readHeaderRelease(toolkit.include, toolkit);
  readCompilerRelease(toolkit);
  return toolkit;
}

/// The program that a wrapper script (`exec /opt/cuda/bin/nvcc "$@"`) runs.
static std::string scriptTarget(llvm::StringRef script) {
  std::string text = textOf(script);
  if (!llvm::StringRef(text).starts_with("#!"))
    return "";
  for (const std::string &word : splitCommandLine(text))
    if (path::is_absolute(word) && compilerNamed(word) == Compiler::Nvcc &&
        fs::can_execute(word) && realPath(word) != realPath(script))
      return word;
  return "";
}

/// The folder above bin/nvcc if it has the headers; for an nvcc elsewhere
/// (distributions, HPC SDK, scripts) the folder that nvcc reports.
static std::optional<Toolkit> toolkitOfNvcc(llvm::StringRef nvcc) {
  // A script may run another script; the limit ends circles.
  std::string program = nvcc.str();
  for (int step = 0; step < 4; ++step) {
    // /opt/cuda/bin/nvcc with a link /opt/cuda: prefers the user's spelling if
    // it leads to the headers.
    for (const std::string &name : {program, realPath(program)})
      if (path::filename(path::parent_path(name)) == "bin")
        if (auto found =
                toolkitAt(path::parent_path(path::parent_path(name)), name))
          return found;
    std::string target = scriptTarget(program);
    if (target.empty())
      break;
    program = target;
  }
  std::string text =
      outputOf(nvcc, {"--dryrun", "-E", "-x", "cu", "/dev/null"});
  size_t place = text.find(" TOP=");
  if (place == std::string::npos)
    return std::nullopt;
  llvm::StringRef top = llvm::StringRef(text).substr(place + 5);
  top = top.take_until([](char letter) { return letter == '\n'; }).trim();
  return toolkitAt(realPath(top), nvcc);
}

static std::string environment(llvm::StringRef name) {
  return llvm::sys::Process::GetEnv(name).value_or("");
}

static std::string within(const Command &command, llvm::StringRef name) {
  llvm::SmallString<256> result(name);
  path::make_absolute(command.directory, result);
  path::remove_dots(result);
  return result.str().str();
}

/// The path of an nvcc, or a root; empty if the command names none.
struct NamedToolkit {
  bool isNvcc = false;
  std::string path = {};
};

static NamedToolkit namedBy(const Command &command) {
  if (command.arguments.empty())
    return {};
  const std::string &program =
      command.arguments[compilerIndex(command.arguments)];
  switch (compilerNamed(program)) {
  case Compiler::Nvcc:
    return {true,
            path::parent_path(program).empty() ? "" : within(command, program)};
  case Compiler::NvccWrapper:
    // The script reads this variable too.
    return {false, environment("CUDA_ROOT")};
  case Compiler::Clang:
  case Compiler::Other:
    break;
  }
  NamedToolkit named;
  for (size_t i = 0; i < command.arguments.size(); ++i) {
    llvm::StringRef word = command.arguments[i];
    if (word.consume_front("--cuda-path="))
      named.path = within(command, word);
    else if (word == "--cuda-path" && i + 1 < command.arguments.size())
      named.path = within(command, command.arguments[i + 1]);
  }
  return named;
}

/// The newest of NVIDIA's wheels in the Python environment that the program is
/// installed in: `pip install 'warplint[nvcc]'`. From CUDA 13 on, the wheels of
/// a release share the folder nvidia/cu13.
static std::optional<Toolkit> toolkitOfWheels(llvm::StringRef program) {
  const llvm::StringRef prefix = path::parent_path(path::parent_path(program));
  std::vector<std::string> packages = {prefix.str()}; // pip's --target
  std::error_code error;
  for (llvm::StringRef lib : {"lib", "lib64"})
    for (fs::directory_iterator entry(joined(prefix, lib), error), end;
         !error && entry != end; entry.increment(error))
      if (path::filename(entry->path()).starts_with("python3"))
        for (llvm::StringRef folder : {"site-packages", "dist-packages"})
          packages.push_back(joined(entry->path(), folder));
  std::map<unsigned, std::string> roots; // by release
  for (const std::string &folder : packages)
    for (fs::directory_iterator entry(joined(folder, "nvidia"), error), end;
         !error && entry != end; entry.increment(error)) {
      llvm::StringRef name = path::filename(entry->path());
      unsigned release = 0;
      if (name.consume_front("cu") && !name.getAsInteger(10, release))
        roots.try_emplace(release, entry->path());
    }
  for (const auto &[release, root] : llvm::reverse(roots))
    if (auto found = toolkitAt(root))
      return found;
  return std::nullopt;
}

static std::optional<Toolkit> toolkitNamed(const NamedToolkit &named,
                                           const std::string &cudaPath,
                                           const std::string &program) {
  if (named.isNvcc && fs::can_execute(named.path))
    if (auto found = toolkitOfNvcc(named.path))
      return found;
  if (!named.isNvcc)
    if (auto found = toolkitAt(named.path))
      return found;
  for (const std::string &root :
       {cudaPath, environment("CUDA_PATH"), environment("CUDA_HOME")})
    if (auto found = toolkitAt(root))
      return found;
  std::string nvcc = programNamed("nvcc");
  if (!nvcc.empty())
    if (auto found = toolkitOfNvcc(nvcc))
      return found;
  if (auto found = toolkitOfWheels(program))
    return found;
  return toolkitAt("/usr/local/cuda");
}

/// The headers of a refused toolkit are not read either: the nvcc that takes
/// its place may be of another release.
bool ToolkitSearch::isRefused(const Command &command, llvm::StringRef nvcc) {
  if (!trusted_ || command.isTrusted || !fs::can_execute(nvcc) ||
      !trusted_->find(nvcc, "/").empty())
    return false;
  refused_.insert(nvcc.str());
  return true;
}

std::optional<Toolkit> ToolkitSearch::of(const Command &command) {
  NamedToolkit named = namedBy(command);
  std::lock_guard<std::mutex> lock(mutex_);
  if (!named.path.empty() &&
      isRefused(command,
                named.isNvcc ? named.path : joined(named.path, "bin/nvcc")))
    named = {};
  auto [place, isNew] = found_.try_emplace({named.isNvcc, named.path});
  if (isNew)
    place->second = toolkitNamed(named, cudaPath_, program_);
  return place->second;
}

} // namespace warplint

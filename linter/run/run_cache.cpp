#include "run/run_cache.h"
#include "cache/record.h"
#include "input/trusted_programs.h"
#include "nvcc/compile.h"
#include "run/built_object.h"
#include "run/compile_sources.h"
#include "run/read_sources.h"
#include "run/record_fields.h"
#include "source/headers_in_use.h"
#include "clang/Basic/Version.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

namespace warplint {

/// The environment variables and programs that compilers depend on.
static std::string environment() {
  Key key("environment");
  for (const char *name :
       {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "NVCC_CCBIN"})
    key.add(llvm::sys::Process::GetEnv(name).value_or(""));
  // nvcc's default host compiler.
  return key.add(programNamed("gcc")).text();
}

RunCache::RunCache(const Options &options, const std::string &resourceDir,
                   llvm::StringRef instrument)
    : compiling_(options.compiling), resourceDir_(resourceDir),
      instrument_(instrument.str()),
      // Unsaved files of an editor change too often to be worth storing.
      store_(options.sources.buffers.empty() ? storeOf(options.cache)
                                             : Store()),
      lists_(std::make_shared<FileLists>(store_)) {
  if (!store_.isEnabled())
    return;
  store_.prune();
  program_ =
      lists_->stateOf(llvm::sys::fs::getMainExecutable(nullptr, nullptr));
  if (!program_.empty())
    program_ += CLANG_VERSION_STRING + environment();
  if (const std::string nvdisasm = programNamed("nvdisasm");
      compiling_.judge && !nvdisasm.empty())
    nvdisasm_ = lists_->stateOf(nvdisasm);
}

static void addToolkit(const std::optional<Toolkit> &toolkit, FileLists &files,
                       Key &key) {
  if (!toolkit) {
    key.add("no toolkit");
    return;
  }
  key.add(toolkit->root).add(toolkit->include).add(toolkit->nvcc);
  key.add(toolkit->major).add(toolkit->minor).add(toolkit->build);
  if (!toolkit->nvcc.empty())
    key.add(files.stateOf(toolkit->nvcc));
}

/// The precompiled header in use depends on folders, not on files that are
/// read.
std::string RunCache::precompiledHeaderOf(const Work &work,
                                          const std::string &libraries) {
  const Translation &flags = work.translation;
  const std::string key = Key("flags")
                              .add(work.command.directory)
                              .add(flags.clang)
                              .add(newestArchitecture(flags.architectures))
                              .add(work.toolkit ? work.toolkit->root : "")
                              .add(flags.forHost)
                              .add(libraries)
                              .text();
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (auto found = precompiledHeaders_.find(key);
        found != precompiledHeaders_.end())
      return found->second;
  }
  std::string header =
      llvm::sys::path::filename(
          cachedPrecompiledHeader(work.command, flags, work.toolkit,
                                  resourceDir_, store_, libraries))
          .str();
  if (header.empty()) // it may be made later
    return header;
  std::lock_guard<std::mutex> lock(mutex_);
  return precompiledHeaders_.try_emplace(key, std::move(header)).first->second;
}

std::string RunCache::commandKey(const Work &work) {
  const Translation &flags = work.translation;
  Key key("command");
  key.add(program_).add(resourceDir_).add(work.command.source);
  key.add(work.command.directory).add(work.arguments).add(flags.clang);
  key.add(flags.architectures).add(flags.forHost).add(flags.layoutRight);
  key.add(work.command.isBare).add(instrument_);
  addToolkit(work.toolkit, *lists_, key);
  return key.text();
}

std::string RunCache::keyOf(const Work &work, llvm::StringRef command,
                            const CachedRead &read, FileStates::Look look) {
  Key key("reading");
  key.add(command);
  if (read.libraries)
    key.add(precompiledHeaderOf(work, *read.libraries));
  auto system = lists_->state(read.system);
  auto own = system ? lists_->stateOfAll(read.own, look) : std::nullopt;
  return own ? key.add(*system).add(*own).text() : "";
}

RunCache::CachedOutline RunCache::outline(const Work &work) {
  if (!isOn())
    return {};
  const std::string command = commandKey(work);
  std::optional<std::string> bytes = store_.get(command);
  auto last = bytes ? fromRecord<CachedRead>(*bytes) : std::nullopt;
  if (!last)
    return {};
  std::string key = keyOf(work, command, *last, FileStates::Look::Once);
  if (key.empty())
    return {};
  if (key != last->key) { // the files may be those of an earlier run
    auto former = model(key);
    if (!former)
      return {std::move(key), std::nullopt};
    last->key = key;
    last->outline = std::move(former->outline);
    store_.put(command, toRecord(*last));
  }
  return {std::move(key), std::move(last->outline)};
}

std::optional<SourceModel> RunCache::model(llvm::StringRef key) const {
  auto bytes = store_.get(Key("model").add(key).text());
  return bytes ? fromRecord<SourceModel>(*bytes) : std::nullopt;
}

std::string RunCache::store(const Work &work, const SourceModel &model,
                            llvm::StringRef record,
                            llvm::ArrayRef<std::string> asked) {
  if (!isOn() || asked.empty())
    return "";
  // Sources share one list of the headers of the toolkit and the system, which
  // are thousands, and of what Clang looks for beside them for each source: the
  // distribution, other compilers, files in the place of the shim's.
  constexpr llvm::StringLiteral ofSystem[] = {
      "/usr", "/etc/", "/lib", "/opt/rh", "/include", "/warplint-shim/"};
  std::vector<std::string> system, own;
  for (const std::string &path : asked) {
    llvm::StringRef name(path);
    if (name.starts_with(store_.folder()))
      continue; // the precompiled header, which the key names
    const bool isSystem =
        llvm::any_of(ofSystem,
                     [&](auto folder) { return name.starts_with(folder); }) ||
        name.starts_with(resourceDir_) ||
        (work.toolkit && name.starts_with(work.toolkit->root));
    (isSystem ? system : own).push_back(path);
  }
  const std::string command = commandKey(work);
  CachedRead last{lists_->put(system), std::move(own), model.libraries, "",
                  model.outline};
  last.key = keyOf(work, command, last, FileStates::Look::Again);
  if (last.key.empty())
    return "";
  // Readers look up the command first, so its record is written last.
  store_.put(Key("model").add(last.key).text(), record);
  store_.put(command, toRecord(last));
  return last.key;
}

std::optional<llvm::sys::TimePoint<>> RunCache::newestRead(const Work &work) {
  if (!work.model.asked.empty())
    return newestOf(work.model.asked);
  auto bytes = store_.get(commandKey(work));
  auto last = bytes ? fromRecord<CachedRead>(*bytes) : std::nullopt;
  if (!last || last->key != work.key)
    return std::nullopt;
  auto system = lists_->newest(last->system);
  return system ? std::optional(std::max(*system, newestOf(last->own)))
                : std::nullopt;
}

/// Adds the files that nvcc read when the source was compiled, if it was.
/// Returns false if they changed during this run.
bool RunCache::addCompiled(const Work &work, Key &key) {
  std::vector<std::string> architectures = work.translation.architectures;
  if (architectures.empty())
    architectures.push_back("");
  for (const std::string &architecture : architectures) {
    auto state = lists_->stateOfNoted(keyOfReadByNvcc(work.key, architecture));
    if (!state)
      return false;
    key.add(*state);
  }
  return true;
}

std::string RunCache::lintedKey(const Work &work,
                                llvm::ArrayRef<Launch> elsewhere,
                                bool asBuilt) {
  if (work.key.empty())
    return "";
  Key key("linted");
  key.add(work.key).add(asBuilt).add(compiling_.trusted);
  key.add(compiling_.judge ? "" : compiling_.whyNotJudged);
  key.add(nvdisasm_);
  if (compiling_.judge && !addCompiled(work, key))
    return "";
  // The object of a launcher's own build is made from these files.
  if (compiling_.judge && !asBuilt) {
    const std::string object = lists_->stateOf(builtObject(work));
    if (object.empty())
      return "";
    key.add(object);
  }
  key.add(elsewhere.empty() ? "" : toRecord(elsewhere.vec()));
  // The callers of the functions around them are in any file of the project.
  const bool areCalled =
      llvm::any_of(work.model.outline.launches, [](const Launch &launch) {
        return launch.fromCaller.has_value();
      });
  key.add(areCalled ? toRecord(work.launches) : "");
  const Settings &settings = *work.settings;
  for (const CheckSettings &check : settings.checks) {
    key.add(check.check->info.id).add(check.on.value);
    key.add(check.wantsOpinions);
    key.add(check.threshold ? check.threshold->value + 1u : 0u);
  }
  for (const Setting<KernelBlock> &block : settings.blocks) {
    key.add(block.value.pattern).add(block.value.block);
    key.add(block.from.file).add(block.from.line);
    key.add(block.from.onCommandLine);
  }
  return key.text();
}

std::optional<Linted> RunCache::linted(llvm::StringRef key) const {
  if (key.empty())
    return std::nullopt;
  auto bytes = store_.get(key);
  return bytes ? fromRecord<Linted>(*bytes) : std::nullopt;
}

void RunCache::store(llvm::StringRef key, const Linted &linted) const {
  if (!key.empty() && !linted.compile.byChance)
    store_.put(key, toRecord(linted));
}

std::string RunCache::callsKey(llvm::ArrayRef<std::string> files,
                               const CallsByFunction &asked) const {
  const std::string statuses = isOn() ? lists_->statusesOf(files) : "";
  if (statuses.empty())
    return "";
  Key key("calls");
  key.add(program_).add(statuses);
  for (const auto &[function, calls] : asked)
    key.add(function.name).add(function.parameters).add(function.source);
  return key.text();
}

std::optional<CallsByFunction> RunCache::calls(llvm::StringRef key) const {
  if (key.empty())
    return std::nullopt;
  auto bytes = Store(store_.folder()).get(key); // inodes differ by machine
  return bytes ? fromRecord<CallsByFunction>(*bytes) : std::nullopt;
}

void RunCache::store(llvm::StringRef key, const CallsByFunction &calls) const {
  if (!key.empty())
    Store(store_.folder()).put(key, toRecord(calls));
}

} // namespace warplint

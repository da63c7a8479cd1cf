#include "run/run_cache.h"
#include "cache/record.h"
#include "nvcc/compile.h"
#include "source/parse.h"
#include "clang/Basic/Version.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

namespace warplint {

/// What compilers take from the environment.
static std::string environment() {
  Key key("environment");
  for (const char *name :
       {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "NVCC_CCBIN"})
    key.add(llvm::sys::Process::GetEnv(name).value_or(""));
  // The host compiler that nvcc takes, unless it is told another.
  auto gcc = llvm::sys::findProgramByName("gcc");
  return key.add(gcc ? *gcc : "").text();
}

RunCache::RunCache(const Options &options, const std::string &resourceDir,
                   llvm::StringRef instrument)
    : options_(options), resourceDir_(resourceDir),
      instrument_(instrument.str()),
      // What an editor holds is on no disk, and different a moment later.
      store_(options.buffers.empty() ? storeOf(options) : Store()),
      lists_(std::make_shared<FileLists>(store_)) {
  if (!store_.isEnabled())
    return;
  store_.prune();
  program_ = lists_->stateOfProgram(
      llvm::sys::fs::getMainExecutable(nullptr, nullptr));
  if (!program_.empty())
    program_ += CLANG_VERSION_STRING + environment();
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
    key.add(files.stateOfProgram(toolkit->nvcc));
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
    if (auto known = precompiledHeaders_.find(key);
        known != precompiledHeaders_.end())
      return known->second;
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
                            const LastReading &last) {
  Key key("reading");
  key.add(command);
  if (last.libraries)
    key.add(precompiledHeaderOf(work, *last.libraries));
  auto system = lists_->state(last.system);
  auto own = system ? lists_->stateOfAll(last.own) : std::nullopt;
  return own ? key.add(*system).add(*own).text() : "";
}

RunCache::Known RunCache::reading(const Work &work) {
  if (!keeps())
    return {};
  const std::string command = commandKey(work);
  std::optional<std::string> bytes = store_.get(command);
  auto last = bytes ? fromRecord<LastReading>(*bytes) : std::nullopt;
  if (!last)
    return {};
  std::string key = keyOf(work, command, *last);
  if (key.empty())
    return {};
  if (key != last->key) { // it may be what it was before the last reading
    auto former = model(key);
    if (!former)
      return {std::move(key), std::nullopt};
    last->key = key;
    last->outline = outlineOf(*former);
    store_.put(command, toRecord(*last));
  }
  return {std::move(key), std::move(last->outline)};
}

std::optional<SourceModel> RunCache::model(llvm::StringRef readingKey) const {
  auto bytes = store_.get(Key("model").add(readingKey).text());
  return bytes ? fromRecord<SourceModel>(*bytes) : std::nullopt;
}

std::string RunCache::keep(const Work &work, const SourceModel &model) {
  if (!keeps() || model.asked.empty())
    return "";
  // Thousands of sources read the same headers of the toolkit and the system.
  std::vector<std::string> system, own;
  for (const std::string &path : model.asked) {
    llvm::StringRef name(path);
    if (name.starts_with(store_.folder()))
      continue; // the precompiled header, which the key names
    const bool isSystem =
        name.starts_with("/usr/") || name.starts_with(resourceDir_) ||
        (work.toolkit && name.starts_with(work.toolkit->root));
    (isSystem ? system : own).push_back(path);
  }
  const std::string command = commandKey(work);
  LastReading last{lists_->put(system), std::move(own), model.libraries, "",
                   outlineOf(model)};
  last.key = keyOf(work, command, last);
  if (last.key.empty())
    return "";
  // What is looked for first is written last: it comes with all the rest.
  store_.put(Key("model").add(last.key).text(), toRecord(model));
  store_.put(command, toRecord(last));
  return last.key;
}

/// What nvcc has read of the source, if it has been compiled. False if that
/// cannot be told.
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
  key.add(work.key).add(asBuilt);
  key.add(options_.judge ? "" : options_.whyNotJudged);
  if (options_.judge && !addCompiled(work, key))
    return "";
  key.add(elsewhere.empty() ? "" : toRecord(elsewhere.vec()));
  const Settings &settings = *work.settings;
  for (const CheckSettings &check : settings.checks) {
    key.add(check.check->info.id).add(check.on.value);
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

void RunCache::keep(llvm::StringRef key, const Linted &linted) const {
  if (!key.empty() && !linted.compile.byChance)
    store_.put(key, toRecord(linted));
}

} // namespace warplint

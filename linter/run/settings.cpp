#include "run/settings.h"
#include "base/failure.h"
#include "base/regular_file.h"
#include "base/suggest.h"
#include "base/validate.h"
#include "findings/useless_allow.h"
#include "findings/worse_kernel.h"
#include "input/name_pattern.h"
#include "run/block_shape.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace warplint {

namespace path = llvm::sys::path;

std::vector<const Check *> Settings::enabled() const {
  std::vector<const Check *> result;
  for (const CheckSettings &settings : checks)
    if (settings.on.value)
      result.push_back(settings.check);
  return result;
}

static const CheckSettings *settingsOf(const Finding &finding,
                                       llvm::ArrayRef<CheckSettings> checks) {
  const CheckSettings *found =
      llvm::find_if(checks, [&](const CheckSettings &settings) {
        return settings.check->info.id == finding.check;
      });
  return found == checks.end() ? nullptr : found;
}

bool Settings::wants(const Finding &finding) const {
  const CheckSettings *settings = settingsOf(finding, checks);
  return !settings || finding.level != Level::Opinion ||
         settings->check->info.level == Level::Opinion ||
         settings->wantsOpinions;
}

Level Settings::levelOf(const Finding &finding) const {
  const CheckSettings *settings = settingsOf(finding, checks);
  return settings && !settings->level.from.file.empty() ? settings->level.value
                                                        : finding.level;
}

bool Settings::asksCompiledCode() const {
  return llvm::any_of(enabled(), [](const Check *check) {
    return check->inspectCompiled != nullptr;
  });
}

Tuning Settings::tuning() const {
  Tuning result;
  for (const CheckSettings &settings : checks)
    if (settings.threshold)
      result[settings.check->info.threshold] = settings.threshold->value;
  return result;
}

std::optional<Level> Settings::uselessAllows() const {
  for (const CheckSettings &settings : checks)
    if (settings.check == &uselessAllow() && settings.on.value)
      return settings.level.value;
  return std::nullopt;
}

std::optional<KernelShape> Settings::blockOf(const Kernel &kernel) const {
  for (const Setting<KernelBlock> &block : blocks)
    if (matchesName(block.value.pattern, kernel.name))
      return KernelShape{shapeOf(block.value.block),
                         ShapeSource::Option,
                         {block.from.file, block.from.line}};
  return std::nullopt;
}

static const PathSetting *matching(llvm::ArrayRef<PathSetting> patterns,
                                   llvm::StringRef file) {
  const PathSetting *found =
      llvm::find_if(patterns, [&](const PathSetting &pattern) {
        return matchesPath(pattern.value, path::parent_path(pattern.from.file),
                           file);
      });
  return found == patterns.end() ? nullptr : found;
}

const PathSetting *Settings::skips(llvm::StringRef file) const {
  return matching(skip, file);
}

bool Settings::reportsIn(llvm::StringRef file, llvm::StringRef source) const {
  return file == source ||
         (!skips(file) && (!headers || matching(*headers, file)));
}

llvm::Error unknownCheck(const std::string &id) {
  std::vector<std::string> ids;
  for (const Check &check : checks())
    ids.emplace_back(check.info.id);
  std::string near = nearest(id, ids);
  return failure(
      "there is no check '" + id + "'" +
      (near.empty() ? "; 'warplint checks' lists them" : didYouMean(near)));
}

namespace {

const Origin commandLine{"", 0, true};

/// All checks that can be configured, by id.
std::vector<const Check *> configurableChecks() {
  std::vector<const Check *> result;
  for (const Check &check : checks())
    result.push_back(&check);
  result.push_back(&uselessAllow());
  result.push_back(&worseKernel());
  return result;
}

std::vector<ConfigurableCheck> configurable() {
  std::vector<ConfigurableCheck> result;
  for (const Check *check : configurableChecks()) {
    ConfigurableCheck one{std::string(check->info.id), "", 0, 0};
    if (const Threshold *threshold = check->info.threshold) {
      one.threshold = threshold->name;
      one.low = threshold->low;
      one.high = threshold->high;
    }
    result.push_back(std::move(one));
  }
  return result;
}

std::optional<Level> levelOf(llvm::StringRef word) {
  for (Level level : {Level::Certain, Level::Likely, Level::Opinion})
    if (word == spelling(level))
      return level;
  return std::nullopt;
}

/// A level in a file also enables the check; "off" disables it.
void applyWords(const CheckWords &words, const std::string &file,
                std::vector<CheckSettings> &checks) {
  for (CheckSettings &settings : checks) {
    const bool isAll = words.id == Config::allChecks;
    if (!isAll && words.id != settings.check->info.id)
      continue;
    if (words.level) {
      const Origin from{file, words.level->line};
      settings.on = {words.level->value != "off", from};
      settings.wantsOpinions = settings.on.value;
      if (auto level = levelOf(words.level->value))
        settings.level = {*level, from};
    }
    if (words.threshold)
      settings.threshold = {words.threshold->value,
                            {file, words.threshold->line}};
  }
}

void applyConfig(const Config &config, Settings &settings) {
  // Settings of all checks apply first, wherever they stand in the file.
  for (bool ofAll : {true, false})
    for (const CheckWords &words : config.checks)
      if ((words.id == Config::allChecks) == ofAll)
        applyWords(words, config.file, settings.checks);
  if (config.architectures)
    settings.architectures = {config.architectures->value,
                              {config.file, config.architectures->line}};
  if (config.leastShare)
    settings.leastShare = {config.leastShare->value,
                           {config.file, config.leastShare->line}};
  auto at = [&](auto &said) {
    return Setting<std::decay_t<decltype(said.value)>>{
        said.value, {config.file, said.line}};
  };
  std::vector<Setting<KernelBlock>> blocks;
  for (const auto &said : config.blocks)
    blocks.push_back(at(said));
  settings.blocks.insert(settings.blocks.begin(), blocks.begin(), blocks.end());
  for (const auto &said : config.skip)
    settings.skip.push_back(at(said));
  if (!config.headers)
    return;
  settings.headers.emplace();
  for (const auto &said : *config.headers)
    settings.headers->push_back(at(said));
}

/// `--all` enables checks that are off by default, but not those that a file
/// turns off.
llvm::Error applyOptions(const SettingOptions &options, Settings &settings) {
  for (CheckSettings &check : settings.checks) {
    const bool isDefault = check.on.from.file.empty();
    if (options.allChecks && isDefault && !check.on.value)
      check.on = {true, commandLine};
    check.wantsOpinions |=
        options.allChecks ||
        llvm::is_contained(options.enabled, check.check->info.id);
    if (!options.enabled.empty() && check.check != &uselessAllow())
      check.on = {llvm::is_contained(options.enabled, check.check->info.id),
                  commandLine};
  }
  for (const std::string &id : options.enabled)
    if (!findCheck(id))
      return unknownCheck(id);
  if (!options.architectures.empty())
    settings.architectures = {options.architectures, commandLine};
  if (options.leastShare)
    settings.leastShare = {*options.leastShare, commandLine};
  if (!options.block.empty())
    settings.blocks = {{{"*", options.block}, commandLine}};
  return llvm::Error::success();
}

Settings defaults() {
  Settings settings;
  for (const Check *check : configurableChecks()) {
    const CheckInfo &info = check->info;
    CheckSettings one{check, {info.level != Level::Opinion}, {info.level}, {}};
    if (check == &uselessAllow())
      one.on.value = true;
    if (info.threshold)
      one.threshold = Setting<unsigned>{info.threshold->value};
    settings.checks.push_back(std::move(one));
  }
  return settings;
}

} // namespace

llvm::Expected<std::shared_ptr<const Config>>
Configurations::read(llvm::StringRef file) {
  auto [place, isNew] = read_.try_emplace(file.str());
  if (!isNew)
    return place->second;
  auto text = readRegularFile(file);
  if (!text)
    return failure("'" + file +
                   "' cannot be read: " + text.getError().message());
  auto config = readConfig(file, (*text)->getBuffer(), configurable());
  if (!config)
    return config.takeError();
  place->second = std::make_shared<const Config>(std::move(*config));
  return place->second;
}

/// Fails if a configuration has another spelling of the suffix: it would be
/// ignored in silence.
static llvm::Error expectNoOtherName(llvm::StringRef folder) {
  llvm::SmallString<256> file(folder);
  path::append(file, ".warplint.yml");
  if (!llvm::sys::fs::exists(file))
    return llvm::Error::success();
  return failure("'" + file.str() +
                 "' is not read: a configuration is called '" + configName +
                 "'");
}

llvm::Expected<Configurations::Chain>
Configurations::chainOf(llvm::StringRef folder) {
  Chain chain;
  if (!options_.useConfig)
    return chain;
  if (!options_.config.empty()) {
    llvm::SmallString<256> file(options_.config);
    llvm::sys::fs::make_absolute(file);
    path::remove_dots(file, true);
    auto config = read(file);
    if (!config)
      return config.takeError();
    return Chain{*config};
  }
  for (; !folder.empty(); folder = path::parent_path(folder)) {
    llvm::SmallString<256> file(folder);
    path::append(file, configName);
    if (llvm::Error error = expectNoOtherName(folder))
      return error;
    if (!llvm::sys::fs::exists(file))
      continue;
    auto config = read(file);
    if (!config)
      return config.takeError();
    chain.push_back(*config);
    if (!(*config)->inherit)
      break;
  }
  return chain;
}

llvm::Expected<std::shared_ptr<const Settings>>
Configurations::of(llvm::StringRef file) {
  const std::string folder = path::parent_path(file).str();
  auto [place, isNew] = settings_.try_emplace(folder);
  if (!isNew && place->second)
    return place->second;
  auto chain = chainOf(folder);
  if (!chain)
    return chain.takeError();
  Settings settings = defaults();
  for (const auto &config : llvm::reverse(*chain))
    applyConfig(*config, settings);
  for (const auto &config : *chain)
    settings.files.push_back(config->file);
  if (llvm::Error error = applyOptions(options_, settings))
    return error;
  place->second = std::make_shared<const Settings>(std::move(settings));
  return place->second;
}

} // namespace warplint

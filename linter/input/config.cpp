#include "input/config.h"
#include "base/failure.h"
#include "base/suggest.h"
#include "base/validate.h"
#include "input/name_pattern.h"
#include "input/yaml.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace warplint {

namespace {

using llvm::Error;

/// Reads the parts of one file. Errors name their place.
class Reader {
public:
  Reader(llvm::StringRef file, llvm::ArrayRef<ConfigurableCheck> checks)
      : file_(file), checks_(checks) {
    config_.file = file.str();
  }

  llvm::Expected<Config> read(const YamlValue &root);

private:
  using Part = Error (Reader::*)(const YamlValue &);
  struct Key {
    const char *name;
    Part read;
  };
  static const Key keys[];

  Error inherit(const YamlValue &value);
  Error checks(const YamlValue &value);
  Error check(const YamlEntry &entry);
  Error level(const YamlValue &value, CheckWords &words);
  Error threshold(const YamlEntry &entry, const ConfigurableCheck *known,
                  CheckWords &words);
  Error architectures(const YamlValue &value);
  Error leastShare(const YamlValue &value);
  Error blocks(const YamlValue &value);
  Error skip(const YamlValue &value);
  Error headers(const YamlValue &value);
  llvm::Expected<std::vector<Said<std::string>>> texts(llvm::StringRef key,
                                                       const YamlValue &value);
  llvm::Expected<std::vector<Said<std::string>>> paths(llvm::StringRef key,
                                                       const YamlValue &value);

  template <typename Placed>
  Error fail(const Placed &at, const llvm::Twine &what) const {
    return failure(file_ + ":" + llvm::Twine(at.line) + ":" +
                   llvm::Twine(at.column) + ": " + what);
  }
  /// "'x' is no key here; did you mean 'y'?"
  template <typename Placed>
  Error unknown(const Placed &at, llvm::StringRef what, llvm::StringRef word,
                const std::vector<std::string> &known) const {
    std::string near = nearest(word, known);
    return fail(at, "'" + word + "' is " + what +
                        (near.empty() ? "; known are " + llvm::join(known, ", ")
                                      : didYouMean(near)));
  }
  template <typename Placed> Error at(const Placed &place, Error error) const {
    if (!error)
      return error;
    return fail(place, llvm::toString(std::move(error)));
  }

  llvm::StringRef file_;
  llvm::ArrayRef<ConfigurableCheck> checks_;
  Config config_;
};

const Reader::Key Reader::keys[] = {
    {"inherit", &Reader::inherit},
    {"checks", &Reader::checks},
    {"architectures", &Reader::architectures},
    {"min-share", &Reader::leastShare},
    {"blocks", &Reader::blocks},
    {"skip", &Reader::skip},
    {"headers", &Reader::headers},
};

llvm::Expected<Config> Reader::read(const YamlValue &root) {
  if (root.kind == YamlValue::Nothing)
    return config_;
  if (root.kind != YamlValue::Map)
    return fail(root, "a configuration is keys with their values, such as "
                      "'skip: [third_party/]'");
  for (const YamlEntry &entry : root.entries) {
    const Key *key = llvm::find_if(
        keys, [&](const Key &key) { return entry.key == key.name; });
    if (key == std::end(keys)) {
      std::vector<std::string> known;
      for (const Key &key : keys)
        known.emplace_back(key.name);
      return unknown(entry, "no key", entry.key, known);
    }
    // A key without a value counts as absent.
    if (entry.value.kind == YamlValue::Nothing)
      continue;
    if (Error error = (this->*key->read)(entry.value))
      return error;
  }
  return config_;
}

Error Reader::inherit(const YamlValue &value) {
  if (value.text != "true" && value.text != "false")
    return fail(value, "'inherit' is true or false");
  config_.inherit = value.text == "true";
  return Error::success();
}

Error Reader::checks(const YamlValue &value) {
  if (value.kind != YamlValue::Map)
    return fail(value, "'checks' has the ids of checks for keys, such as "
                       "'strided-global-access: off'");
  for (const YamlEntry &entry : value.entries)
    if (Error error = check(entry))
      return error;
  return Error::success();
}

Error Reader::check(const YamlEntry &entry) {
  const ConfigurableCheck *known =
      llvm::find_if(checks_, [&](const ConfigurableCheck &check) {
        return check.id == entry.key;
      });
  const bool isAll = entry.key == Config::allChecks;
  if (known == checks_.end() && !isAll) {
    std::vector<std::string> ids;
    for (const ConfigurableCheck &check : checks_)
      ids.push_back(check.id);
    std::string near = nearest(entry.key, ids);
    return fail(entry, "there is no check '" + entry.key + "'" +
                           (near.empty() ? "; 'warplint checks' lists them"
                                         : didYouMean(near)));
  }
  CheckWords words;
  words.id = entry.key;
  if (entry.value.kind == YamlValue::Map && !isAll) {
    for (const YamlEntry &inner : entry.value.entries)
      if (Error error = inner.key == "level" ? level(inner.value, words)
                                             : threshold(inner, known, words))
        return error;
  } else if (Error error = level(entry.value, words)) {
    return error;
  }
  config_.checks.push_back(std::move(words));
  return Error::success();
}

Error Reader::level(const YamlValue &value, CheckWords &words) {
  std::vector<std::string> known = {"off", "on"};
  if (words.id != Config::allChecks)
    known.insert(known.end(), {"opinion", "likely", "certain"});
  if (value.kind != YamlValue::Text)
    return fail(value,
                "'" + words.id + "' is one of " + llvm::join(known, ", "));
  if (!llvm::is_contained(known, value.text))
    return unknown(value, "no level", value.text, known);
  words.level = {value.text, value.line};
  return Error::success();
}

Error Reader::threshold(const YamlEntry &entry, const ConfigurableCheck *known,
                        CheckWords &words) {
  if (known->threshold.empty() || entry.key != known->threshold) {
    std::vector<std::string> keys = {"level"};
    if (!known->threshold.empty())
      keys.push_back(known->threshold);
    return unknown(entry, "no key of '" + words.id + "'", entry.key, keys);
  }
  unsigned number = 0;
  const YamlValue &value = entry.value;
  if (value.kind != YamlValue::Text ||
      llvm::StringRef(value.text).getAsInteger(10, number) ||
      number < known->low || number > known->high)
    return fail(value, "'" + entry.key + "' is a whole number from " +
                           llvm::Twine(known->low) + " to " +
                           llvm::Twine(known->high));
  words.threshold = {number, value.line};
  return Error::success();
}

/// A list of texts, or a single text.
llvm::Expected<std::vector<Said<std::string>>>
Reader::texts(llvm::StringRef key, const YamlValue &value) {
  std::vector<Said<std::string>> result;
  if (value.kind == YamlValue::Text)
    result.push_back({value.text, value.line});
  else if (value.kind != YamlValue::List)
    return fail(value, "'" + key + "' is a list");
  for (const YamlValue &item : value.items) {
    if (item.kind != YamlValue::Text || item.text.empty())
      return fail(item, "'" + key + "' is a list of texts");
    result.push_back({item.text, item.line});
  }
  return result;
}

Error Reader::architectures(const YamlValue &value) {
  auto names = texts("architectures", value);
  if (!names)
    return names.takeError();
  Said<std::vector<std::string>> said{{}, value.line};
  for (Said<std::string> &name : *names)
    said.value.push_back(std::move(name.value));
  if (Error error = checkArchitectures("architectures", said.value))
    return at(value, std::move(error));
  if (!said.value.empty())
    config_.architectures = std::move(said);
  return Error::success();
}

Error Reader::leastShare(const YamlValue &value) {
  auto share = leastShareOf("min-share", value.text);
  if (!share)
    return at(value, share.takeError());
  config_.leastShare = {*share, value.line};
  return Error::success();
}

Error Reader::blocks(const YamlValue &value) {
  if (value.kind != YamlValue::Map)
    return fail(value, "'blocks' has the names of kernels for keys, such as "
                       "'\"gather*\": 32x8'");
  for (const YamlEntry &entry : value.entries) {
    if (Error error = checkNamePattern(entry.key))
      return fail(entry, "'" + entry.key + "' names no kernels: " +
                             llvm::toString(std::move(error)));
    if (Error error = checkBlock(
            "block", entry.value.text.empty() ? "nothing" : entry.value.text))
      return at(entry, std::move(error));
    config_.blocks.push_back({{entry.key, entry.value.text}, entry.line});
  }
  return Error::success();
}

llvm::Expected<std::vector<Said<std::string>>>
Reader::paths(llvm::StringRef key, const YamlValue &value) {
  auto patterns = texts(key, value);
  if (!patterns)
    return patterns;
  for (const Said<std::string> &pattern : *patterns)
    if (Error error = checkPathPattern(pattern.value))
      return fail(value, "'" + pattern.value + "' names no paths: " +
                             llvm::toString(std::move(error)));
  return patterns;
}

Error Reader::skip(const YamlValue &value) {
  auto patterns = paths("skip", value);
  if (!patterns)
    return patterns.takeError();
  config_.skip = std::move(*patterns);
  return Error::success();
}

Error Reader::headers(const YamlValue &value) {
  auto patterns = paths("headers", value);
  if (!patterns)
    return patterns.takeError();
  config_.headers = std::move(*patterns);
  return Error::success();
}

} // namespace

llvm::Expected<Config> readConfig(llvm::StringRef file, llvm::StringRef text,
                                  llvm::ArrayRef<ConfigurableCheck> checks) {
  auto root = readYaml(file, text);
  if (!root)
    return root.takeError();
  return Reader(file, checks).read(*root);
}

} // namespace warplint

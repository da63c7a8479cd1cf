#include "input/yaml.h"
#include "base/failure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"

namespace warplint {

namespace {

namespace yaml = llvm::yaml;

std::string where(llvm::StringRef file, int line, int column) {
  return (file + ":" + llvm::Twine(line) + ":" + llvm::Twine(column) + ": ")
      .str();
}

class Reader {
public:
  Reader(llvm::StringRef file, llvm::StringRef text)
      : stream_(llvm::MemoryBufferRef(text, file), sources_,
                /*ShowColors=*/false) {
    sources_.setDiagHandler(
        [](const llvm::SMDiagnostic &said, void *reader) {
          auto &failure = static_cast<Reader *>(reader)->failure_;
          if (failure.empty())
            failure = where(said.getFilename(), said.getLineNo(),
                            said.getColumnNo() + 1) +
                      said.getMessage().str();
        },
        this);
    file_ = file;
  }

  llvm::Expected<YamlValue> read() {
    YamlValue result;
    unsigned documents = 0;
    for (yaml::Document &document : stream_) {
      yaml::Node *root = document.getRoot();
      if (root && ++documents > 1)
        fail(*root, "a second document; there is one in a configuration");
      if (!root || isOver())
        break;
      result = value(*root, 0);
      if (isOver())
        break;
    }
    if (isOver())
      return failure(failure_.empty() ? file_ + ": it is no YAML" : failure_);
    return result;
  }

private:
  bool isOver() { return !failure_.empty() || stream_.failed(); }

  std::pair<unsigned, unsigned> placeOf(const yaml::Node &node) {
    llvm::SMLoc start = node.getSourceRange().Start;
    return start.isValid() ? sources_.getLineAndColumn(start)
                           : std::pair(0u, 0u);
  }

  /// An absent value has no place of its own.
  static void placeAt(unsigned line, unsigned column, YamlValue &value) {
    if (value.kind == YamlValue::Nothing)
      std::tie(value.line, value.column) = std::pair(line, column);
  }

  void fail(const yaml::Node &node, const llvm::Twine &what) {
    auto [line, column] = placeOf(node);
    if (failure_.empty())
      failure_ = where(file_, line, column) + what.str();
  }

  YamlValue value(yaml::Node &node, unsigned depth) {
    constexpr unsigned deepest = 8;
    YamlValue result;
    std::tie(result.line, result.column) = placeOf(node);
    if (depth > deepest) {
      fail(node, "nothing is nested as deep as this");
    } else if (auto *scalar = llvm::dyn_cast<yaml::ScalarNode>(&node)) {
      llvm::SmallString<64> storage;
      result.kind = YamlValue::Text;
      result.text = scalar->getValue(storage).str();
    } else if (auto *list = llvm::dyn_cast<yaml::SequenceNode>(&node)) {
      result.kind = YamlValue::List;
      for (yaml::Node &item : *list) {
        result.items.push_back(value(item, depth + 1));
        placeAt(result.line, result.column, result.items.back());
        if (isOver())
          break;
      }
    } else if (auto *map = llvm::dyn_cast<yaml::MappingNode>(&node)) {
      result.kind = YamlValue::Map;
      llvm::StringSet<> keys;
      for (yaml::KeyValueNode &entry : *map) {
        addEntry(entry, result, keys, depth);
        if (isOver())
          break;
      }
    } else if (!llvm::isa<yaml::NullNode>(node)) {
      fail(node, "aliases and blocks of text have no meaning here");
    }
    return result;
  }

  void addEntry(yaml::KeyValueNode &entry, YamlValue &map,
                llvm::StringSet<> &keys, unsigned depth) {
    yaml::Node *node = entry.getKey();
    auto *key = llvm::dyn_cast_or_null<yaml::ScalarNode>(node);
    if (!key) {
      fail(node ? *node : entry, "a key is a word");
      return;
    }
    llvm::SmallString<64> storage;
    const std::string name = key->getValue(storage).str();
    if (!keys.insert(name).second)
      return fail(*key, "'" + name + "' is there a second time");
    auto [line, column] = placeOf(*key);
    yaml::Node *of = entry.getValue();
    if (!of || isOver())
      return;
    map.entries.push_back({name, line, column, value(*of, depth + 1)});
    placeAt(line, column, map.entries.back().value);
  }

  llvm::SourceMgr sources_;
  yaml::Stream stream_;
  std::string file_, failure_;
};

/// LLVM's reader takes a document that begins with a tab for an empty one, so
/// this rejects tabs.
llvm::Error expectNoTabs(llvm::StringRef file, llvm::StringRef text) {
  unsigned number = 0;
  for (llvm::StringRef line : llvm::split(text, '\n')) {
    ++number;
    const size_t tab = line.take_while(llvm::isSpace).find('\t');
    if (tab != llvm::StringRef::npos && !line.trim().empty() &&
        !line.ltrim().starts_with("#"))
      return failure(where(file, number, tab + 1) +
                     "a tab, where blanks tell what belongs together");
  }
  return llvm::Error::success();
}

} // namespace

/// In bytes; far more than users write.
constexpr size_t largestConfiguration = 1 << 20;

llvm::Expected<YamlValue> readYaml(llvm::StringRef file, llvm::StringRef text) {
  if (text.size() > largestConfiguration)
    return failure(where(file, 1, 1) + "a configuration of more than " +
                   llvm::Twine(largestConfiguration >> 20) + " MiB");
  if (llvm::Error error = expectNoTabs(file, text))
    return error;
  return Reader(file, text).read();
}

} // namespace warplint

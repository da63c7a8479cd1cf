#include "source/preamble.h"
#include "cache/record.h"
#include "source/precompiled_header.h"
#include "source/record_fields.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace warplint {

/// A hash of which of the files exist, and of their sizes and times of change.
static std::string stateOf(ArrayRef<std::string> files) {
  Key key("state of files");
  for (const std::string &file : files) {
    sys::fs::file_status status;
    if (sys::fs::status(file, status)) {
      key.add("none");
      continue;
    }
    key.add(uint64_t(status.type())).add(status.getUniqueID().getFile());
    if (status.type() == sys::fs::file_type::directory_file)
      continue; // its times change with files of no interest
    key.add(status.getSize());
    key.add(
        uint64_t(status.getLastModificationTime().time_since_epoch().count()));
  }
  return key.text();
}

Preamble::Preamble(const Store &kept, const Key &key)
    : kept_(kept.folder()), key_(key.text()) {
  const std::optional<std::string> bytes = kept_.get(key_);
  auto record = bytes ? fromRecord<PreambleRecord>(*bytes) : std::nullopt;
  if (!record || stateOf(record->asked) != record->state)
    return;
  record_ = std::move(*record);
  if (record_.made && (!isUndamaged(kept_, record_.made->file) ||
                       !isUndamaged(kept_, record_.made->base)))
    record_.made.reset();
}

bool Preamble::isWorthMaking() const {
  constexpr unsigned enough = 2;
  return record_.changes >= enough;
}

/// LLVM's cache pruning considers only files with this prefix.
std::string Preamble::file() const {
  SmallString<256> file(kept_.folder());
  sys::path::append(file,
                    "llvmcache-" + Key("preamble's file").add(key_).text());
  return file.str().str();
}

void Preamble::keep(MadePreamble made, std::vector<std::string> asked) {
  record_.asked = std::move(asked);
  record_.state = stateOf(record_.asked);
  record_.made = std::move(made);
  put();
}

void Preamble::wasRead(StringRef source, StringRef text,
                       std::vector<std::string> asked) {
  const std::string hash = Key("source").add(source).add(text).text();
  const std::string state = stateOf(asked);
  if (record_.asked != asked || record_.state != state)
    record_ = {std::move(asked), state, hash, 0, std::nullopt};
  else if (record_.text != hash)
    ++record_.changes;
  else
    return;
  record_.text = hash;
  put();
}

void Preamble::drop() {
  if (record_.made)
    sys::fs::remove(record_.made->file);
  record_ = {};
  put();
}

void Preamble::put() { kept_.put(key_, toRecord(record_)); }

} // namespace warplint

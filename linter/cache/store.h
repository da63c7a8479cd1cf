// Keys to records on disk, the cache of results between runs. Any number of
// processes may share a folder, and be killed at any time.
#pragma once
#include "cache/remote.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Endian.h"
#include <optional>
#include <string>

namespace warplint {

/// A name for a record: a hash of everything that it depends on.
class Key {
public:
  /// `kind` of record: "model".
  explicit Key(llvm::StringRef kind) { add(kind); }

  Key &add(llvm::StringRef text) {
    add(uint64_t(text.size()));
    bytes_ += text;
    return *this;
  }
  Key &add(const std::string &text) { return add(llvm::StringRef(text)); }
  Key &add(const char *text) { return add(llvm::StringRef(text)); }
  Key &add(uint64_t number) {
    char bytes[sizeof number];
    llvm::support::endian::write64le(bytes, number);
    bytes_.append(std::begin(bytes), std::end(bytes));
    return *this;
  }
  Key &add(llvm::ArrayRef<std::string> texts) {
    add(uint64_t(texts.size()));
    for (const std::string &text : texts)
      add(text);
    return *this;
  }
  /// 32 hexadecimal digits.
  std::string text() const;

private:
  /// Hashed together: hashing a short text costs as much as a long one.
  llvm::SmallString<1024> bytes_;
};

/// A hash of `bytes`, as 32 hexadecimal digits.
std::string contentHash(llvm::StringRef bytes);

/// $WARPLINT_CACHE_DIR, else the folder warplint of the user's cache folder;
/// empty if there is none.
std::string cacheFolder();

/// A hash of this program's file, since another version may find other things.
/// Empty if the file cannot be read.
std::string programHash();

class Store {
public:
  /// An empty `folder` stores nothing. `remote` is the URL of a server that
  /// `get` asks for records that are not in the folder, and that `put` sends
  /// records to; "": none.
  explicit Store(std::string folder = "", std::string remote = "");

  bool isEnabled() const { return !folder_.empty(); }
  const std::string &folder() const { return folder_; }

  /// The record, or nothing if there is none or it is damaged.
  std::optional<std::string> get(llvm::StringRef key) const;

  /// Writes atomically. Ignores a full disk and a folder that cannot be
  /// written: the next run computes the record again.
  void put(llvm::StringRef key, llvm::StringRef record) const;

  /// Counts all records in the folder, precompiled headers included.
  struct Size {
    uint64_t records = 0, bytes = 0;
  };
  Size size() const;
  /// Removes the records that `size` counts; returns those that it removed.
  Size clear() const;

  /// Once a day, removes records that were not used for 30 days, and the least
  /// recently used ones beyond 5 GiB.
  void prune() const;

private:
  std::string fileOf(llvm::StringRef key) const;
  void putHere(llvm::StringRef key, llvm::StringRef file) const;
  Size forEachRecord(llvm::function_ref<bool(const std::string &)> use) const;

  std::string folder_;
  Remote remote_;
};

} // namespace warplint

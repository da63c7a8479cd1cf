// Keys to records on disk: what one run has worked out and the next one need
// not. Any number of processes may share a folder, and be killed at any time.
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

/// Everything that a record depends on, as a name for it.
class Key {
public:
  /// What it is a key of: "model".
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
  /// Hashed at once: of many short texts each would cost as much as a long one.
  llvm::SmallString<1024> bytes_;
};

/// The contents of bytes, as 32 hexadecimal digits.
std::string contentHash(llvm::StringRef bytes);

/// $WARPLINT_CACHE_DIR, else the folder warplint of the user's cache folder;
/// empty if there is none.
std::string cacheFolder();

/// This program, by its contents: whatever has changed in it may be something
/// that it finds. Empty if they cannot be read.
std::string programHash();

class Store {
public:
  /// In no folder ("") nothing is kept. What is not in the folder may be on the
  /// server of `remote`, and goes there as well; "": there is none.
  explicit Store(std::string folder = "", std::string remote = "");

  bool keeps() const { return !folder_.empty(); }
  const std::string &folder() const { return folder_; }

  /// As it was put, or nothing: a record that is cut off or was changed is
  /// none.
  std::optional<std::string> get(llvm::StringRef key) const;

  /// Whole or not at all. A full disk or a folder that cannot be written is no
  /// failure: the next run works it out again.
  void put(llvm::StringRef key, llvm::StringRef record) const;

  /// All that is kept in the folder, parsed headers among it.
  struct Size {
    uint64_t records = 0, bytes = 0;
  };
  Size size() const;
  /// Removes what `size` counts; says what of it is gone.
  Size clear() const;

  /// Once a day, what was not used for 30 days goes, and beyond 5 GiB what was
  /// not used for longest.
  void prune() const;

private:
  std::string fileOf(llvm::StringRef key) const;
  void putHere(llvm::StringRef key, llvm::StringRef file) const;
  Size forEachRecord(llvm::function_ref<bool(const std::string &)> use) const;

  std::string folder_;
  Remote remote_;
};

} // namespace warplint

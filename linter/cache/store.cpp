#include "cache/store.h"
#include "base/regular_file.h"
#include "os/write_file.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace warplint {

/// LLVM's cache pruning considers files with this prefix only.
constexpr StringLiteral filePrefix = "llvmcache-";

std::string contentHash(StringRef bytes) {
  const auto digest = BLAKE3::hash<16>(arrayRefFromStringRef(bytes));
  return toHex(ArrayRef<uint8_t>(digest), /*LowerCase=*/true);
}

std::string Key::text() const { return contentHash(bytes_); }

namespace {

/// A file holds a checksum of the rest, the record's size, and the record,
/// compressed if that makes it smaller.
constexpr size_t sizeOffset = 8, dataOffset = 16;

uint64_t checksumOf(StringRef bytes) {
  return xxh3_64bits(arrayRefFromStringRef(bytes));
}

/// In bytes. Below this, decompressing takes longer than reading.
constexpr size_t worthCompressing = 1 << 14;

/// Larger than any record of a real source. A file that declares a larger one
/// is forged, and would exhaust the memory.
constexpr uint64_t mostBytes = uint64_t(256) << 20;

std::string packed(StringRef record) {
  SmallVector<uint8_t, 0> data;
  const ArrayRef<uint8_t> bytes = arrayRefFromStringRef(record);
  if (record.size() >= worthCompressing && compression::zstd::isAvailable())
    compression::zstd::compress(bytes, data, /*Level=*/1);
  if (data.empty() || data.size() >= bytes.size())
    data.assign(bytes.begin(), bytes.end());
  std::string file(dataOffset, '\0');
  support::endian::write64le(&file[sizeOffset], record.size());
  file += toStringRef(data);
  support::endian::write64le(
      &file[0], checksumOf(StringRef(file).drop_front(sizeOffset)));
  return file;
}

std::optional<std::string> unpacked(StringRef file) {
  if (file.size() < dataOffset)
    return std::nullopt;
  if (support::endian::read64le(file.data()) !=
      checksumOf(file.drop_front(sizeOffset)))
    return std::nullopt;
  const uint64_t size = support::endian::read64le(file.data() + sizeOffset);
  const StringRef data = file.drop_front(dataOffset);
  if (size > mostBytes)
    return std::nullopt;
  if (data.size() == size)
    return data.str();
  if (!compression::zstd::isAvailable())
    return std::nullopt;
  SmallVector<uint8_t, 0> record;
  if (Error error = compression::zstd::decompress(arrayRefFromStringRef(data),
                                                  record, size)) {
    consumeError(std::move(error));
    return std::nullopt;
  }
  return toStringRef(record).str();
}

} // namespace

Store::Store(std::string folder, std::string remote)
    : folder_(std::move(folder)), remote_(std::move(remote)) {
  if (!folder_.empty() && makeFolder(folder_))
    folder_.clear();
}

std::string Store::fileOf(StringRef key) const {
  SmallString<256> file(folder_);
  sys::path::append(file, filePrefix + key);
  return file.str().str();
}

std::optional<std::string> Store::get(StringRef key) const {
  if (!isEnabled())
    return std::nullopt;
  auto file = readRegularFile(fileOf(key), /*needsNullTerminator=*/false);
  if (auto record = file ? unpacked((*file)->getBuffer()) : std::nullopt)
    return record;
  auto bytes = remote_.get(key);
  auto record = bytes ? unpacked(*bytes) : std::nullopt;
  if (record)
    putHere(key, *bytes);
  return record;
}

void Store::putHere(StringRef key, StringRef file) const {
  consumeError(
      replaceFile(fileOf(key), [&](raw_ostream &out) { out << file; }));
}

void Store::put(StringRef key, StringRef record) const {
  if (!isEnabled() || record.size() > mostBytes)
    return;
  const std::string file = packed(record);
  putHere(key, file);
  remote_.put(key, file);
}

/// Counts the records for which `use` returns true.
Store::Size
Store::forEachRecord(function_ref<bool(const std::string &)> use) const {
  Size size;
  std::error_code error;
  for (sys::fs::directory_iterator entry(folder_, error), end;
       isEnabled() && !error && entry != end; entry.increment(error)) {
    uint64_t bytes = 0;
    if (!sys::path::filename(entry->path()).starts_with(filePrefix) ||
        sys::fs::file_size(entry->path(), bytes) || !use(entry->path()))
      continue;
    ++size.records;
    size.bytes += bytes;
  }
  return size;
}

Store::Size Store::size() const {
  return forEachRecord([](const std::string &) { return true; });
}

Store::Size Store::clear() const {
  return forEachRecord(
      [](const std::string &file) { return !sys::fs::remove(file); });
}

void Store::prune() const {
  if (!isEnabled())
    return;
  CachePruningPolicy policy;
  policy.Interval = std::chrono::hours(24);
  policy.Expiration = std::chrono::hours(24 * 30);
  policy.MaxSizeBytes = uint64_t(5) << 30;
  pruneCache(folder_, policy);
}

std::string programHash() {
  auto self = MemoryBuffer::getFile(
      sys::fs::getMainExecutable(nullptr, nullptr), /*IsText=*/false,
      /*RequiresNullTerminator=*/false);
  return self ? contentHash((*self)->getBuffer()) : "";
}

std::string cacheFolder() {
  if (std::optional<std::string> told =
          sys::Process::GetEnv("WARPLINT_CACHE_DIR"))
    return *told;
  SmallString<256> folder;
  if (!sys::path::cache_directory(folder))
    return "";
  sys::path::append(folder, "warplint");
  return folder.str().str();
}

} // namespace warplint

// Defines the templates of cache/record.h for the files that instantiate them,
// each room's records.cpp. Cereal asks for the names of types, so only these
// files are compiled with -frtti.
#pragma once
#include "cache/record.h"
#include <algorithm>
#include <cereal/cereal.hpp>
#include <cereal/types/array.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/set.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>

namespace warplint {

class RecordOutput
    : public cereal::OutputArchive<RecordOutput,
                                   cereal::AllowEmptyClassElision> {
public:
  RecordOutput() : OutputArchive(this) {}
  void saveBinary(const void *data, size_t size) {
    bytes.append(static_cast<const char *>(data), size);
  }
  std::string bytes;
};

template <typename T>
std::enable_if_t<std::is_arithmetic_v<T>> save(RecordOutput &output,
                                               const T &value) {
  output.saveBinary(&value, sizeof value);
}
template <typename T>
void save(RecordOutput &output, const cereal::BinaryData<T> &data) {
  output.saveBinary(data.data, data.size);
}
template <typename T>
void save(RecordOutput &output, const cereal::SizeTag<T> &tag) {
  output(tag.size);
}

template <typename T>
void save(RecordOutput &output, const cereal::NameValuePair<T> &pair) {
  output(pair.value);
}

/// Reads what RecordOutput wrote, from bytes that may be forged. Fails on a
/// size that the bytes left cannot hold, before anything is allocated for it,
/// and on a bool that is neither 0 nor 1.
class RecordInput
    : public cereal::InputArchive<RecordInput, cereal::AllowEmptyClassElision> {
public:
  explicit RecordInput(llvm::StringRef bytes)
      : InputArchive(this), left_(bytes) {}

  void loadBinary(void *data, size_t size) {
    if (size > left_.size())
      throw cereal::Exception("the record is cut off");
    std::copy_n(left_.data(), size, static_cast<char *>(data));
    left_ = left_.drop_front(size);
  }
  /// Each element of a container takes a byte at least.
  void expectElements(uint64_t count) const {
    if (count > left_.size())
      throw cereal::Exception("the record has no room for its elements");
  }
  /// Counts an element of a container, which may take many times the bytes that
  /// a forged record spends on it.
  void takeMemory(size_t bytes) {
    if (bytes > memoryLeft_)
      throw cereal::Exception("the record stands for too much memory");
    memoryLeft_ -= bytes;
  }
  bool isAtEnd() const { return left_.empty(); }

private:
  llvm::StringRef left_;
  size_t memoryLeft_ = size_t(1) << 30;
};

template <typename T>
std::enable_if_t<std::is_arithmetic_v<T>> load(RecordInput &input, T &value) {
  if constexpr (std::is_same_v<T, bool>) {
    unsigned char byte = 0;
    input.loadBinary(&byte, 1);
    if (byte > 1)
      throw cereal::Exception("the record has a bool that is none");
    value = byte;
  } else {
    input.loadBinary(&value, sizeof value);
  }
}
template <typename T>
void load(RecordInput &input, cereal::BinaryData<T> &data) {
  input.loadBinary(data.data, data.size);
}
template <typename T> void load(RecordInput &input, cereal::SizeTag<T> &tag) {
  input(tag.size);
  input.expectElements(tag.size);
}

template <typename T>
void load(RecordInput &input, cereal::NameValuePair<T> &pair) {
  input(pair.value);
}

/// The default for values without indexes.
template <typename T> bool isSound(const T &) { return true; }

template <typename T> std::string toRecord(const T &value) {
  RecordOutput output;
  output(value);
  return std::move(output.bytes);
}

template <typename T> std::optional<T> fromRecord(llvm::StringRef bytes) {
  try {
    RecordInput input(bytes);
    T value;
    input(value);
    if (!input.isAtEnd() || !isSound(value))
      return std::nullopt;
    return value;
  } catch (const std::exception &) {
    return std::nullopt;
  }
}

#define WARPLINT_RECORD(...)                                                   \
  template std::string toRecord(const __VA_ARGS__ &);                          \
  template std::optional<__VA_ARGS__> fromRecord(llvm::StringRef)

} // namespace warplint

CEREAL_SETUP_ARCHIVE_TRAITS(warplint::RecordInput, warplint::RecordOutput)

namespace cereal {
/// Element by element, so that memory grows with the bytes that are there: an
/// element in memory may take many times the bytes of a forged one.
template <class T, class A>
std::enable_if_t<!std::is_arithmetic_v<T>> load(warplint::RecordInput &input,
                                                std::vector<T, A> &vector) {
  size_type size;
  input(make_size_tag(size));
  vector.clear();
  for (size_type i = 0; i < size; ++i) {
    input.takeMemory(sizeof(T));
    input(vector.emplace_back());
  }
}

template <class T, class A>
std::enable_if_t<std::is_arithmetic_v<T>> load(warplint::RecordInput &input,
                                               std::vector<T, A> &vector) {
  size_type size;
  input(make_size_tag(size));
  input.takeMemory(size * sizeof(T));
  vector.resize(size);
  input(binary_data(vector.data(), size * sizeof(T)));
}

/// The bytes of a node of a tree beside its value.
inline constexpr size_t nodeBytes = 32;

template <class K, class C, class A>
void load(warplint::RecordInput &input, std::set<K, C, A> &set) {
  size_type size;
  input(make_size_tag(size));
  set.clear();
  for (size_type i = 0; i < size; ++i) {
    input.takeMemory(sizeof(K) + nodeBytes);
    K key;
    input(key);
    set.insert(set.end(), std::move(key));
  }
}

template <class K, class V, class C, class A>
void load(warplint::RecordInput &input, std::map<K, V, C, A> &map) {
  size_type size;
  input(make_size_tag(size));
  map.clear();
  for (size_type i = 0; i < size; ++i) {
    input.takeMemory(sizeof(K) + sizeof(V) + nodeBytes);
    K key;
    V value;
    input(make_map_item(key, value));
    map.emplace_hint(map.end(), std::move(key), std::move(value));
  }
}
} // namespace cereal

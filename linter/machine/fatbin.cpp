#include "machine/fatbin.h"
#include "base/failure.h"
#include "machine/cubin.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"
#include <lz4.h>

using namespace llvm;
using support::endian::read16le;
using support::endian::read32le;
using support::endian::read64le;

namespace warplint {
namespace {

constexpr uint32_t magic = 0xba55ed50;
constexpr size_t headSize = 16;      ///< of a fat binary
constexpr size_t entryHeadSize = 64; ///< at least; more may follow
enum Kind : uint16_t { Ptx = 1, Cubin = 2, NvvmIr = 8 };
enum Flag : uint64_t {
  Lz4 = 0x2000,
  Zstd = 0x8000,
  ArchitectureSpecific = 0x100000, // sm_90a
  FamilySpecific = 0x200000,       // sm_100f
};

/// Limit of the unpacked size that an entry may declare: larger than any real
/// cubin, and beyond the compression ratio of compilers' output. Larger
/// declared sizes mean a corrupt file; honouring them would exhaust memory.
constexpr uint64_t mostBytes = 1 << 30, mostRatio = 1000;

/// The header of one entry, as far as it is understood.
struct Entry {
  uint16_t kind;
  uint64_t packedSize; ///< 0 if it is not compressed
  uint32_t architecture;
  uint64_t flags, unpackedSize;
  StringRef payload;

  std::string architectureName() const {
    return (kind == Ptx      ? "compute_"
            : kind == NvvmIr ? "lto_"
                             : "sm_") +
           std::to_string(architecture) +
           (flags & ArchitectureSpecific ? "a"
            : flags & FamilySpecific     ? "f"
                                         : "");
  }
};

/// Removes the next entry from `bytes`; nothing if it is incomplete.
std::optional<Entry> takeEntry(StringRef &bytes) {
  if (bytes.size() < entryHeadSize)
    return std::nullopt;
  const char *head = bytes.data();
  uint64_t headSize = read32le(head + 4), size = read64le(head + 8);
  if (headSize < entryHeadSize || headSize > bytes.size() ||
      size > bytes.size() - headSize)
    return std::nullopt;
  Entry entry{read16le(head),      read32le(head + 16), read32le(head + 28),
              read64le(head + 40), read64le(head + 56), {}};
  entry.payload = bytes.substr(headSize, size);
  bytes = bytes.drop_front(headSize + size);
  return entry;
}

Expected<std::string> unpack(const Entry &entry) {
  if (!(entry.flags & (Lz4 | Zstd)))
    return entry.payload.str();
  if (entry.packedSize > entry.payload.size() ||
      entry.unpackedSize > mostBytes ||
      entry.unpackedSize / mostRatio > entry.packedSize)
    return failure("has sizes that cannot be");
  StringRef packed = entry.payload.take_front(entry.packedSize);
  if (entry.flags & Zstd) {
    if (!compression::zstd::isAvailable())
      return failure("is compressed by zstd, and this LLVM was built "
                     "without it");
    SmallVector<uint8_t, 0> bytes;
    if (Error error = compression::zstd::decompress(
            arrayRefFromStringRef(packed), bytes, entry.unpackedSize)) {
      consumeError(std::move(error));
      return failure("cannot be decompressed");
    }
    return toStringRef(bytes).str();
  }
  std::string bytes(entry.unpackedSize, '\0');
  int size = LZ4_decompress_safe(packed.data(), bytes.data(), packed.size(),
                                 bytes.size());
  if (size < 0)
    return failure("cannot be decompressed");
  bytes.resize(size);
  return bytes;
}

class Collector {
public:
  DeviceImages result;

  /// One file, or one member of an archive.
  Error addFile(MemoryBufferRef file, StringRef member);

private:
  Error addCubin(MemoryBufferRef file, StringRef member);
  Error addHostFile(MemoryBufferRef file, StringRef member);
  Error addArchive(MemoryBufferRef file);
  void addFatBinaries(StringRef bytes, StringRef where, StringRef member);
  void addEntry(const Entry &entry, StringRef where, StringRef member);
  void notRead(const Twine &sentence) {
    result.notRead.push_back(sentence.str());
  }
};

void Collector::addEntry(const Entry &entry, StringRef where,
                         StringRef member) {
  std::string architecture = entry.architectureName();
  if (entry.kind == NvvmIr)
    return notRead("'" + where + "' holds " + architecture +
                   ", which becomes machine code when it is linked");
  if (entry.kind != Ptx && entry.kind != Cubin)
    return notRead("'" + where + "' holds code for " + architecture +
                   " of kind " + Twine(entry.kind) + ", which is not known");
  Expected<std::string> bytes = unpack(entry);
  if (!bytes)
    return notRead("the code for " + architecture + " in '" + where + "' " +
                   toString(bytes.takeError()));
  DeviceImage image;
  image.isPtx = entry.kind == Ptx;
  image.architecture = std::move(architecture);
  image.member = member.str();
  image.bytes = std::move(*bytes);
  if (image.isPtx) // padded to eight bytes
    image.bytes.resize(StringRef(image.bytes).rtrim('\0').size());
  result.images.push_back(std::move(image));
}

/// Reads `bytes`: consecutive fat binaries with zeros between them.
void Collector::addFatBinaries(StringRef bytes, StringRef where,
                               StringRef member) {
  while (!(bytes = bytes.ltrim('\0')).empty()) {
    if (bytes.size() < headSize || read32le(bytes.data()) != magic)
      return notRead("'" + where +
                     "' holds something else among its fat "
                     "binaries; what follows it is not read");
    uint64_t size = read64le(bytes.data() + 8);
    size_t start = read16le(bytes.data() + 6);
    bool isWhole = start >= headSize && start <= bytes.size() &&
                   size <= bytes.size() - start;
    StringRef entries =
        isWhole ? bytes.substr(start, size) : bytes.drop_front(headSize);
    bytes = isWhole ? bytes.drop_front(start + size) : "";
    while (!entries.empty()) {
      std::optional<Entry> entry = takeEntry(entries);
      if (!entry) {
        isWhole = false;
        break;
      }
      addEntry(*entry, where, member);
    }
    if (!isWhole)
      notRead("a fat binary of '" + where + "' is cut off or damaged");
  }
}

Error Collector::addCubin(MemoryBufferRef file, StringRef member) {
  Expected<std::string> architecture = architectureOfCubin(file);
  if (!architecture)
    return architecture.takeError();
  result.images.push_back({/*isPtx=*/false, std::move(*architecture),
                           member.str(), file.getBuffer().str()});
  return Error::success();
}

Error Collector::addHostFile(MemoryBufferRef file, StringRef member) {
  StringRef name = file.getBufferIdentifier();
  using Elf = object::ELFFile<object::ELF64LE>;
  auto damaged = [&](Error error) {
    return failure("'" + name + "' is damaged: " + toString(std::move(error)));
  };
  Expected<Elf> elf = Elf::create(file.getBuffer());
  if (!elf)
    return damaged(elf.takeError());
  auto sections = elf->sections();
  if (!sections)
    return damaged(sections.takeError());
  for (const auto &section : *sections) {
    Expected<StringRef> title = elf->getSectionName(section);
    if (!title) {
      consumeError(title.takeError());
      continue;
    }
    if (*title != ".nv_fatbin" && *title != "__nv_relfatbin")
      continue;
    auto bytes = elf->getSectionContents(section);
    if (bytes)
      addFatBinaries(toStringRef(*bytes), name, member);
    else {
      consumeError(bytes.takeError());
      notRead("the section " + *title + " of '" + name + "' is cut off");
    }
  }
  return Error::success();
}

/// Returns true if an archive member that is not read deserves a message.
bool holdsCode(file_magic kind) {
  return is_contained(
      {file_magic::elf, file_magic::elf_relocatable, file_magic::elf_executable,
       file_magic::elf_shared_object, file_magic::cuda_fatbinary,
       file_magic::coff_object, file_magic::macho_object},
      file_magic::Impl(kind));
}

Error Collector::addArchive(MemoryBufferRef file) {
  StringRef name = file.getBufferIdentifier();
  auto archive = object::Archive::create(file);
  if (!archive)
    return failure("'" + name +
                   "' is a damaged archive: " + toString(archive.takeError()));
  if ((*archive)->isThin())
    return failure("'" + name +
                   "' is a thin archive, which only "
                   "names its members; they can be read themselves");
  Error error = Error::success();
  for (const object::Archive::Child &child : (*archive)->children(error)) {
    Expected<StringRef> member = child.getName();
    Expected<StringRef> bytes = child.getBuffer();
    if (!member || !bytes) {
      notRead("a member of '" + name + "' is damaged");
      consumeError(member.takeError());
      consumeError(bytes.takeError());
      continue;
    }
    // LLVM does not check the last member's size.
    if (bytes->end() > file.getBufferEnd()) {
      notRead("the member '" + *member + "' of '" + name + "' is cut off");
      break;
    }
    if (!holdsCode(identify_magic(*bytes)))
      continue; // text, for example
    std::string path = (name + "(" + *member + ")").str();
    if (Error broken = addFile({*bytes, path}, *member))
      notRead(toString(std::move(broken)));
  }
  if (error)
    notRead("'" + name +
            "' is a damaged archive: " + toString(std::move(error)));
  return Error::success();
}

bool isCubin(StringRef bytes) {
  return bytes.size() >= 20 &&
         read16le(bytes.data() + offsetof(ELF::Elf64_Ehdr, e_machine)) ==
             ELF::EM_CUDA;
}

Error Collector::addFile(MemoryBufferRef file, StringRef member) {
  StringRef bytes = file.getBuffer(), name = file.getBufferIdentifier();
  file_magic kind = identify_magic(bytes);
  switch (kind) {
  case file_magic::elf:
  case file_magic::elf_relocatable:
  case file_magic::elf_executable:
  case file_magic::elf_shared_object:
    if (isCubin(bytes))
      return addCubin(file, member);
    if (bytes.size() <= ELF::EI_DATA ||
        bytes[ELF::EI_CLASS] != ELF::ELFCLASS64 ||
        bytes[ELF::EI_DATA] != ELF::ELFDATA2LSB)
      return failure("'" + name +
                     "' is an ELF file of another kind "
                     "than 64-bit little-endian, which is not read");
    return addHostFile(file, member);
  case file_magic::archive:
    return addArchive(file);
  case file_magic::coff_object:
  case file_magic::coff_import_library:
  case file_magic::pecoff_executable:
    return failure("'" + name + "' is a Windows file, which is not read");
  case file_magic::cuda_fatbinary:
    addFatBinaries(bytes, name, member);
    return Error::success();
  default:
    break;
  }
  if (kind >= file_magic::macho_object &&
      kind <= file_magic::macho_universal_binary)
    return failure("'" + name + "' is a macOS file, which is not read");
  return failure("'" + name +
                 "' is no object, archive, library, "
                 "executable, fat binary or cubin");
}

} // namespace

Expected<DeviceImages> readDeviceImages(MemoryBufferRef file) {
  Collector collector;
  if (Error error = collector.addFile(file, ""))
    return error;
  return std::move(collector.result);
}

} // namespace warplint

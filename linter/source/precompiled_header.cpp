#include "source/precompiled_header.h"
#include "base/regular_file.h"
#include "os/signals.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/LockFileManager.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <mutex>

using namespace llvm;

namespace warplint {

static std::string hashKey(StringRef file) {
  return Key("precompiled header hash").add(sys::path::filename(file)).text();
}

/// Empty if the file cannot be read.
static std::string hashOf(StringRef file) {
  auto bytes = readRegularFile(file, /*needsNullTerminator=*/false);
  return bytes ? contentHash((*bytes)->getBuffer()) : "";
}

std::optional<bool> makeFile(const Store &kept, StringRef file,
                             function_ref<bool(StringRef)> make) {
  auto made = [&] {
    DeferredSignals here; // LLVM registers the file just after creating it
    return sys::fs::TempFile::create(file + "-%%%%%%%%");
  }();
  if (!made) {
    consumeError(made.takeError());
    return std::nullopt;
  }
  const bool isMade = make(made->TmpName);
  if (isMade)
    Store(kept.folder()).put(hashKey(file), hashOf(made->TmpName));
  Error error = isMade ? made->keep(file) : made->discard();
  const bool isKept = isMade && !error;
  consumeError(std::move(error));
  return isKept;
}

bool isUndamaged(const Store &kept, StringRef file) {
  // Hashed once in each process, as long as nobody replaces it.
  static std::mutex one;
  static std::map<std::string, std::pair<sys::TimePoint<>, uint64_t>> verified;
  sys::fs::file_status status;
  if (sys::fs::status(file, status))
    return false;
  const std::pair<sys::TimePoint<>, uint64_t> state(
      status.getLastModificationTime(), status.getSize());
  std::lock_guard<std::mutex> lock(one);
  if (auto known = verified.find(file.str());
      known != verified.end() && known->second == state)
    return true;
  const auto hash = Store(kept.folder()).get(hashKey(file));
  if (!hash || *hash != hashOf(file))
    return false;
  verified[file.str()] = state;
  return true;
}

namespace {

enum class Kind {
  Fixed,
  Macro,   ///< -D, -U
  Folder,  ///< -I and its like
  Include, ///< -include: read after the precompiled header
  Macros   ///< -imacros: read before it, so none can be used
};

struct UserFlag {
  Kind kind = Kind::Fixed;
  std::vector<std::string> words;
  std::string value; ///< a macro's name, a folder's absolute path
};

bool isInToolkit(const PrecompiledHeaderRequest &request, StringRef folder) {
  return !request.toolkit.empty() && folder.starts_with(request.toolkit);
}

bool holdsAny(const PrecompiledHeaderRequest &request, StringRef folder) {
  return any_of(request.headers, [&](StringRef header) {
    SmallString<256> path(folder);
    sys::path::append(path, header);
    return sys::fs::exists(path);
  });
}

/// A compiler's macro, such as the one that `--extended-lambda` defines.
bool isReserved(StringRef macro) { return macro.starts_with("__"); }

std::vector<UserFlag> split(const PrecompiledHeaderRequest &request) {
  struct Spelling {
    StringLiteral name;
    Kind kind;
  };
  static constexpr Spelling spellings[] = {
      {"-include", Kind::Include}, {"-imacros", Kind::Macros},
      {"-isystem", Kind::Folder},  {"-idirafter", Kind::Folder},
      {"-iquote", Kind::Folder},   {"-I", Kind::Folder},
      {"-D", Kind::Macro},         {"-U", Kind::Macro}};
  std::vector<UserFlag> flags;
  for (size_t i = 0; i < request.user.size(); ++i) {
    UserFlag &flag = flags.emplace_back();
    flag.words = {request.user[i]};
    StringRef value = request.user[i];
    const auto *spelling = find_if(spellings, [&](const Spelling &one) {
      return value.consume_front(one.name);
    });
    if (spelling == std::end(spellings))
      continue;
    flag.kind = spelling->kind;
    if (value.empty() && i + 1 < request.user.size()) {
      flag.words.push_back(request.user[++i]);
      value = flag.words.back();
    }
    SmallString<256> path(value);
    if (flag.kind == Kind::Macro)
      path = value.split('=').first.split('(').first;
    else
      sys::path::make_absolute(request.directory, path);
    flag.value = path.str().str();
    // A relative name means another file in another folder.
    if (flag.kind == Kind::Folder)
      flag.words = {spelling->name.str(), flag.value};
    // A flag that certainly changes the header is part of it from the start: no
    // header is made in vain to find that out.
    if (flag.kind == Kind::Folder
            ? isInToolkit(request, flag.value) || holdsAny(request, flag.value)
            : flag.kind == Kind::Macro && isReserved(flag.value))
      flag.kind = Kind::Fixed;
  }
  return flags;
}

/// The names that a precompiled header depends on, sorted. Shared with other
/// machines by the process that made the header.
class KeptNames {
public:
  /// Returns false if no process has made this header or tried to.
  bool read(const Store &kept, StringRef file) {
    names_.clear();
    std::optional<std::string> text = kept.get(namesKey(file));
    if (!text)
      return false;
    text_ = std::move(*text);
    for (StringRef name : llvm::split(text_, '\n'))
      if (!name.empty())
        names_.push_back(name);
    return true;
  }
  /// Written last: a header with names is complete. A header that cannot be
  /// made has no names and is not tried again on this machine.
  static void write(const Store &kept, StringRef file,
                    const PrecompiledHeaderNames &names) {
    std::string text;
    for (const std::string &name : names)
      text += name + '\n';
    if (names.empty())
      Store(kept.folder()).put(namesKey(file), text);
    else
      kept.put(namesKey(file), text);
  }
  bool any() const { return !names_.empty(); }
  bool has(StringRef name) const { return llvm::binary_search(names_, name); }

private:
  static std::string namesKey(StringRef file) {
    return Key("precompiled header names")
        .add(sys::path::filename(file))
        .text();
  }

  std::string text_;
  std::vector<StringRef> names_;
};

bool mayChange(const UserFlag &flag, const KeptNames &names) {
  if (flag.kind == Kind::Macro)
    return names.has(flag.value);
  if (flag.kind != Kind::Folder)
    return false;
  std::error_code error;
  for (sys::fs::directory_iterator entry(flag.value, error), end;
       !error && entry != end; entry.increment(error)) {
    std::string name = ("<" + sys::path::filename(entry->path())).str();
    if (sys::fs::is_directory(entry->path()))
      name += "/";
    if (names.has(name))
      return true;
  }
  return false;
}

/// LLVM's cache pruning considers only files with this prefix.
std::string fileFor(const PrecompiledHeaderRequest &request,
                    const std::vector<std::string> &flags) {
  MD5 hash;
  hash.update(request.version);
  for (const std::string &flag : flags) {
    hash.update(flag);
    hash.update(StringRef("\0", 1));
  }
  MD5::MD5Result result;
  hash.final(result);
  SmallString<256> file(request.kept.folder());
  sys::path::append(file, "llvmcache-" + result.digest());
  return file.str().str();
}

void makeOne(const Store &kept, StringRef file,
             const std::vector<std::string> &flags,
             MakePrecompiledHeader make) {
  PrecompiledHeaderNames names;
  const std::optional<bool> isMade = makeFile(
      kept, file, [&](StringRef now) { return make(flags, now, names); });
  if (isMade)
    KeptNames::write(kept, file, *isMade ? names : PrecompiledHeaderNames());
}

enum class State { IsThere, IsBeingMade, CannotBe };

/// A process that died on another machine leaves its lock behind.
void dropOldLock(StringRef file, LockFileManager &lock) {
  // Parsing the header takes a second or two.
  constexpr std::chrono::minutes longest(5);
  sys::fs::file_status status;
  if (!sys::fs::status(file + ".lock", status) &&
      status.getLastModificationTime() + longest <
          std::chrono::system_clock::now())
    consumeError(errorCodeToError(lock.unsafeMaybeUnlock()));
}

/// One of several processes makes the header. The others do not wait: in that
/// time, each reads a source or two without it.
State findOrMake(const Store &kept, StringRef file,
                 const std::vector<std::string> &flags,
                 MakePrecompiledHeader make, KeptNames &names) {
  auto known = [&] { return names.any() ? State::IsThere : State::CannotBe; };
  const bool isTried = names.read(kept, file);
  if (!make || (isTried && (!names.any() || isUndamaged(kept, file))))
    return known();
  LockFileManager lock(file);
  Expected<bool> isOurs = lock.tryLock();
  if (!isOurs) {
    consumeError(isOurs.takeError());
    return State::CannotBe;
  }
  if (!*isOurs) {
    dropOldLock(file, lock);
    return State::IsBeingMade;
  }
  // Another process may have made it since the first look. A header without its
  // names (a run was interrupted, the folder was pruned) is unusable, and so is
  // a damaged one.
  if (!names.read(kept, file) || !isUndamaged(kept, file))
    makeOne(kept, file, flags, make);
  names.read(kept, file);
  return known();
}

} // namespace

std::string precompiledHeaderFor(const PrecompiledHeaderRequest &request,
                                 MakePrecompiledHeader make) {
  if (!request.kept.isEnabled())
    return "";
  std::vector<UserFlag> flags = split(request);
  std::vector<bool> isIn;
  if (any_of(flags, [](auto &flag) { return flag.kind == Kind::Macros; }))
    return "";
  for (const UserFlag &flag : flags)
    isIn.push_back(flag.kind == Kind::Fixed);
  // Defining a macro may make other macros matter; more than one round is rare.
  constexpr int iterations = 4;
  for (int iteration = 0; iteration < iterations; ++iteration) {
    std::vector<std::string> chosen = request.fixed;
    for (size_t i = 0; i < flags.size(); ++i)
      if (isIn[i])
        append_range(chosen, flags[i].words);
    const std::string file = fileFor(request, chosen);
    KeptNames names;
    const State state = findOrMake(request.kept, file, chosen, make, names);
    if (state == State::IsBeingMade)
      return "";
    if (state == State::CannotBe) {
      // A header may exist only in one of the user's folders.
      bool isAll = true;
      for (size_t i = 0; i < flags.size(); ++i)
        isAll &= isIn[i] || flags[i].kind == Kind::Include;
      if (isAll)
        return "";
      for (size_t i = 0; i < flags.size(); ++i)
        isIn[i] = flags[i].kind != Kind::Include;
      continue;
    }
    bool isWhole = true;
    for (size_t i = 0; i < flags.size(); ++i)
      if (!isIn[i] && mayChange(flags[i], names)) {
        isIn[i] = true;
        isWhole = false;
      }
    if (isWhole)
      return file;
  }
  return "";
}

static std::string wantedKey(const PrecompiledHeaderRequest &request) {
  return Key("wanted")
      .add(request.version)
      .add(request.directory)
      .add(request.fixed)
      .add(request.user)
      .text();
}

bool isWanted(const PrecompiledHeaderRequest &request) {
  return request.kept.get(wantedKey(request)).has_value();
}

void want(const PrecompiledHeaderRequest &request) {
  request.kept.put(wantedKey(request), "");
}

std::vector<std::string>
notInPrecompiledHeader(const Store &kept, StringRef file,
                       std::vector<std::string> names) {
  KeptNames its;
  if (!names.empty() && its.read(kept, file))
    llvm::erase_if(names, [&](StringRef name) { return its.has(name); });
  return names;
}

void dropPrecompiledHeader(StringRef file) { sys::fs::remove(file); }

size_t countIncludes(const std::vector<std::string> &flags) {
  const Store nowhere;
  PrecompiledHeaderRequest request{nowhere, "", "", {}, flags, ""};
  return count_if(split(request), [](const UserFlag &flag) {
    return flag.kind == Kind::Include;
  });
}

} // namespace warplint

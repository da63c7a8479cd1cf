#include "cache/remote.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <atomic>
#include <curl/curl.h>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace warplint {

namespace {

/// The version of its interface since 2006.
constexpr const char *libcurl = "libcurl.so.4";

/// Shared with the forks of this process: a server that does not answer one of
/// them is asked by none.
struct Failure {
  std::atomic<bool> isBegun = false, isDisabled = false, isTold = false;
  char why[256] = "";
};

Failure &failureOfAll() {
  static Failure &shared = []() -> Failure & {
    void *page = mmap(nullptr, sizeof(Failure), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return page == MAP_FAILED ? *new Failure : *new (page) Failure;
  }();
  return shared;
}

/// Made before any fork.
Failure &failure = failureOfAll();
const pid_t firstProcess = getpid();

/// The forks have no standard error.
bool isDisabled() {
  if (!failure.isDisabled)
    return false;
  if (getpid() == firstProcess && !failure.isTold.exchange(true))
    llvm::errs() << "warplint: the remote cache is not used: " << failure.why
                 << '\n';
  return true;
}

void disable(const llvm::Twine &why) {
  if (!failure.isBegun.exchange(true)) {
    std::string text = why.str();
    text.resize(std::min(text.size(), sizeof failure.why - 1));
    std::copy(text.begin(), text.end(), failure.why);
    failure.isDisabled = true;
  }
  isDisabled();
}

/// Loaded at the first request: with its thirty dependencies, loading it takes
/// longer than the rest of the program's start.
class Curl {
public:
  /// Null if it cannot be loaded.
  static const Curl *get() {
    static const Curl curl;
    return curl.isThere_ ? &curl : nullptr;
  }

  decltype(&curl_easy_init) init;
  decltype(&curl_easy_cleanup) cleanup;
  decltype(&curl_easy_reset) reset;
  decltype(&curl_easy_setopt) setopt;
  decltype(&curl_easy_perform) perform;
  decltype(&curl_easy_getinfo) getinfo;
  decltype(&curl_easy_strerror) strerror;

private:
  Curl() {
    auto library = llvm::sys::DynamicLibrary::getPermanentLibrary(libcurl);
    auto find = [&](auto &function, const char *name) {
      function = reinterpret_cast<std::decay_t<decltype(function)>>(
          library.getAddressOfSymbol(name));
      return function != nullptr;
    };
    decltype(&curl_global_init) start;
    isThere_ =
        library.isValid() && find(start, "curl_global_init") &&
        find(init, "curl_easy_init") && find(cleanup, "curl_easy_cleanup") &&
        find(reset, "curl_easy_reset") && find(setopt, "curl_easy_setopt") &&
        find(perform, "curl_easy_perform") &&
        find(getinfo, "curl_easy_getinfo") &&
        find(strerror, "curl_easy_strerror") &&
        start(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  }

  bool isThere_;
};

/// For one record, packed, or for an error page. An endless answer would
/// exhaust the memory, once for each thread.
constexpr size_t mostBytes = size_t(64) << 20;

/// A connection that stays open; there is one for each thread.
class Connection {
public:
  Connection() : curl_(Curl::get()), handle_(curl_ ? curl_->init() : nullptr) {}
  ~Connection() {
    if (handle_)
      curl_->cleanup(handle_);
  }
  Connection(const Connection &) = delete;

  /// The HTTP status; 0 if there is none.
  long perform(const std::string &url, const llvm::StringRef *upload,
               std::string &answer) {
    if (!handle_) {
      disable(llvm::Twine(libcurl) + " cannot be loaded");
      return 0;
    }
    curl_->reset(handle_); // keeps the connection
    curl_->setopt(handle_, CURLOPT_URL, url.c_str());
    curl_->setopt(handle_, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_->setopt(handle_, CURLOPT_NOSIGNAL, 1L);
    curl_->setopt(handle_, CURLOPT_NETRC, long(CURL_NETRC_OPTIONAL));
    // Waiting longer for a cache than for the work itself helps nobody.
    curl_->setopt(handle_, CURLOPT_CONNECTTIMEOUT_MS, 2000L);
    curl_->setopt(handle_, CURLOPT_TIMEOUT_MS, 30000L);
    curl_->setopt(handle_, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(mostBytes));
    // Silence for this many seconds.
    curl_->setopt(handle_, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_->setopt(handle_, CURLOPT_LOW_SPEED_TIME, 5L);
    curl_->setopt(handle_, CURLOPT_NOPROGRESS, 0L);
    curl_->setopt(handle_, CURLOPT_XFERINFOFUNCTION, &Connection::mayStop);
    curl_->setopt(handle_, CURLOPT_WRITEFUNCTION, &Connection::append);
    curl_->setopt(handle_, CURLOPT_WRITEDATA, &answer);
    llvm::StringRef rest;
    if (upload) {
      rest = *upload;
      curl_->setopt(handle_, CURLOPT_UPLOAD, 1L);
      curl_->setopt(handle_, CURLOPT_READFUNCTION, &Connection::give);
      curl_->setopt(handle_, CURLOPT_READDATA, &rest);
      curl_->setopt(handle_, CURLOPT_INFILESIZE_LARGE,
                    curl_off_t(upload->size()));
    }
    const CURLcode code = curl_->perform(handle_);
    // Curl itself compares only with the length that the server declares.
    if (code == CURLE_FILESIZE_EXCEEDED || code == CURLE_WRITE_ERROR) {
      disable("it answers with more than " + llvm::Twine(mostBytes >> 20) +
              " MiB");
      return 0;
    }
    if (code != CURLE_OK) {
      disable(curl_->strerror(code));
      return 0;
    }
    long status = 0;
    curl_->getinfo(handle_, CURLINFO_RESPONSE_CODE, &status);
    return status;
  }

private:
  /// Called about once a second: does not wait for a server that has failed.
  static int mayStop(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    return failure.isDisabled;
  }

  static size_t append(const char *bytes, size_t one, size_t count, void *to) {
    auto &answer = *static_cast<std::string *>(to);
    if (one * count > mostBytes - answer.size())
      return 0; // ends the request
    answer.append(bytes, one * count);
    return one * count;
  }

  static size_t give(char *to, size_t one, size_t count, void *from) {
    auto &left = *static_cast<llvm::StringRef *>(from);
    const llvm::StringRef part = left.take_front(one * count);
    std::copy(part.begin(), part.end(), to);
    left = left.drop_front(part.size());
    return part.size();
  }

  const Curl *const curl_;
  CURL *const handle_;
};

Connection &connection() {
  static thread_local Connection one;
  return one;
}

/// A server that refuses one request is likely to refuse all.
void disableFor(long status) { disable("it answers " + llvm::Twine(status)); }

} // namespace

std::optional<std::string> Remote::get(llvm::StringRef name) const {
  if (url_.empty() || isDisabled())
    return std::nullopt;
  std::string answer;
  const long status =
      connection().perform(url_ + "/" + name.str(), nullptr, answer);
  if (status == 200)
    return answer;
  if (status && status != 404 && status != 410)
    disableFor(status);
  return std::nullopt;
}

void Remote::put(llvm::StringRef name, llvm::StringRef bytes) const {
  if (url_.empty() || isDisabled() || bytes.size() > mostBytes)
    return;
  std::string answer;
  const long status =
      connection().perform(url_ + "/" + name.str(), &bytes, answer);
  if (status >= 400)
    disableFor(status);
}

} // namespace warplint

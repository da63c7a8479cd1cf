#include "kept/remote.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <curl/curl.h>
#include <memory>

namespace warplint {

namespace {

std::atomic<bool> isGone = false;

/// One connection for each thread, which stays open.
class Connection {
public:
  Connection() {
    static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
    if (started == CURLE_OK)
      curl_.reset(curl_easy_init());
  }

  /// The status of HTTP; 0 if there was none.
  long perform(const std::string &url, const llvm::StringRef *upload,
               std::string &answer) {
    if (!curl_)
      return 0;
    CURL *curl = curl_.get();
    curl_easy_reset(curl); // but for the connection
    curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_NETRC, long(CURL_NETRC_OPTIONAL));
    // A linter that waits for a cache is worse than none.
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, 2000L);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, 30000L);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &Connection::append);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &answer);
    llvm::StringRef rest;
    if (upload) {
      rest = *upload;
      curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
      curl_easy_setopt(curl, CURLOPT_READFUNCTION, &Connection::give);
      curl_easy_setopt(curl, CURLOPT_READDATA, &rest);
      curl_easy_setopt(curl, CURLOPT_INFILESIZE_LARGE,
                       curl_off_t(upload->size()));
    }
    const CURLcode code = curl_easy_perform(curl);
    if (code != CURLE_OK) {
      if (!isGone.exchange(true))
        llvm::errs() << "warplint: the remote cache is not used: "
                     << curl_easy_strerror(code) << '\n';
      return 0;
    }
    long status = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    return status;
  }

private:
  struct Cleanup {
    void operator()(CURL *curl) const { curl_easy_cleanup(curl); }
  };

  static size_t append(const char *bytes, size_t one, size_t count, void *to) {
    static_cast<std::string *>(to)->append(bytes, one * count);
    return one * count;
  }

  static size_t give(char *to, size_t one, size_t count, void *from) {
    auto &left = *static_cast<llvm::StringRef *>(from);
    const llvm::StringRef part = left.take_front(one * count);
    std::copy(part.begin(), part.end(), to);
    left = left.drop_front(part.size());
    return part.size();
  }

  std::unique_ptr<CURL, Cleanup> curl_;
};

Connection &connection() {
  static thread_local Connection one;
  return one;
}

/// A server that refuses has its reasons, which do not change with the record.
void sayRefused(long status) {
  if (!isGone.exchange(true))
    llvm::errs() << "warplint: the remote cache is not used: it answers "
                 << status << '\n';
}

} // namespace

std::optional<std::string> Remote::get(llvm::StringRef name) const {
  if (url_.empty() || isGone)
    return std::nullopt;
  std::string answer;
  const long status =
      connection().perform(url_ + "/" + name.str(), nullptr, answer);
  if (status == 200)
    return answer;
  if (status && status != 404 && status != 410)
    sayRefused(status);
  return std::nullopt;
}

void Remote::put(llvm::StringRef name, llvm::StringRef bytes) const {
  if (url_.empty() || isGone)
    return;
  std::string answer;
  const long status =
      connection().perform(url_ + "/" + name.str(), &bytes, answer);
  if (status >= 400)
    sayRefused(status);
}

} // namespace warplint

#include "view/view_page.h"

#include <xxhash.h>
#include <zlib.h>

#include <cstdio>
#include <vector>

#include "gvbind/base/mend_utf8.h"
#include "gvbind/error.h"
#include "io/base64.h"
#include "report/html_text.h"
#include "view/embedded.h"

namespace gvbind {

namespace {

std::vector<std::uint8_t> deflated(std::span<const std::uint8_t> data) {
  const auto data_size = static_cast<uLong>(data.size());
  uLongf size = compressBound(data_size);
  std::vector<std::uint8_t> out(size);
  if (compress2(out.data(), &size, data.data(), data_size, Z_DEFAULT_COMPRESSION) != Z_OK)
    throw Error(ErrorKind::resource, "too little memory to compress the data of a page");
  out.resize(size);
  return out;
}

/// Scripts and styles without this nonce do not run. It is a hash of the data: no name in them can
/// contain their own hash.
std::string nonce_of(std::span<const std::uint8_t> data) {
  const XXH128_hash_t hash = XXH3_128bits(data.data(), data.size());
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return text;
}

/// More for the Content-Security-Policy: WebAssembly, and a worker from the page's own data.
constexpr const char* binding_policy = " 'wasm-unsafe-eval'; worker-src blob:";

}  // namespace

std::string view_page(const std::string& title, std::span<const std::uint8_t> data, Binds binds) {
  return fill_template(embedded::view_html, {{"title", escape_html(mend_utf8(title))},
                                             {"nonce", nonce_of(data)},
                                             {"worker", binds == Binds::yes ? binding_policy : ""},
                                             {"style", std::string(embedded::view_css)},
                                             {"script", std::string(embedded::view_js)},
                                             {"data", base64(deflated(data))}});
}

}  // namespace gvbind

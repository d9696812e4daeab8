#include "cli/network_input.h"

#include <filesystem>
#include <system_error>

#include "assets/document.h"
#include "assets/file_io.h"
#include "cli/option_values.h"
#include "common/content_hash.h"
#include "gvbind/error.h"
#include "gvbind/fitted/network_file.h"
#include "gvbind/fitted/pair_features.h"

namespace gvbind {

NetworkInput read_network(const std::string& flag, const std::string& path,
                          const std::vector<std::string>& words) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    std::string names;
    for (const std::string& word : words) names += (names.empty() ? "" : ", ") + word;
    throw Error(ErrorKind::usage, flag + ": '" + path + "' is not one of " + names +
                                      ", and no file of this name is there" +
                                      nearest_name_hint(path, words));
  }
  return naming(path, [&] {
    const std::vector<std::uint8_t> bytes = read_file(path);
    NetworkFile file = decode_network(bytes, pair_feature_count);
    return NetworkInput{std::make_shared<PairNetwork>(std::move(file.network)),
                        content_of(bytes).hash};
  });
}

}  // namespace gvbind

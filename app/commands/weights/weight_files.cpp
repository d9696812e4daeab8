#include "commands/weights/weight_files.h"

#include <array>
#include <charconv>

#include "gvbind/base/path_text.h"
#include "gvbind/error.h"
#include "io/file_io.h"

namespace gvbind {

WeightFormat weight_format(const std::filesystem::path& path, const std::string& flag) {
  const std::string extension = lower_extension(path);
  if (extension == "json") return WeightFormat::json;
  if (extension == "csv") return WeightFormat::csv;
  if (extension == "npz") return WeightFormat::npz;
  throw Error(ErrorKind::usage,
              flag + ": '" + path_text(path) + "' is no file of weights; use .json, .csv or .npz");
}

std::string encode_weights(const WeightTable& table, WeightFormat format) {
  switch (format) {
    case WeightFormat::csv:
      return weights_csv(table);
    case WeightFormat::npz:
      return weights_npz(table);
    default:
      return weights_json(table);
  }
}

WeightTable decode_weights(const std::vector<std::uint8_t>& bytes, WeightFormat format) {
  switch (format) {
    case WeightFormat::csv:
      return read_weights_csv(bytes);
    case WeightFormat::npz:
      return read_weights_npz(bytes);
    default:
      return read_weights_json(bytes);
  }
}

std::string float_text(float value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

}  // namespace gvbind

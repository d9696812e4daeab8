#include "commands/weights/npy_array.h"

#include <Eigen/Core>
#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <regex>

#include "gvbind/error.h"

namespace gvbind {

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view npy_magic = "\x93NUMPY";

[[noreturn]] void refuse_npy(const std::string& why) { throw Error(ErrorKind::input, why); }

template <typename Value>
Value value_at(std::string_view bytes) {
  Value value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

/// The header is padded so that the data starts at a multiple of 64 bytes.
std::string npy_file(const std::string& type, std::size_t rows, std::size_t columns,
                     std::string_view data) {
  const std::string shape =
      "(" + std::to_string(rows) + "," + (columns == 0 ? "" : " " + std::to_string(columns)) + ")";
  std::string header =
      "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
  constexpr std::size_t before = npy_magic.size() + 4, alignment = 64;
  header.resize((before + header.size() + 1 + alignment - 1) / alignment * alignment - before, ' ');
  header.back() = '\n';
  std::string file(npy_magic);
  file +=
      {'\1', '\0', static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
  return (file += header).append(data);
}

template <typename Value>
std::string npy_values(const char* type, const std::vector<Value>& values, std::size_t columns) {
  return npy_file(type, columns == 0 ? 0 : values.size() / columns, columns,
                  {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value)});
}

void append_utf8(char32_t c, std::string& text) {
  if (c < 0x80) {
    text += static_cast<char>(c);
    return;
  }
  const int tails = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  text += static_cast<char>((0xff00 >> (tails + 1) & 0xff) | c >> 6 * tails);
  for (int tail = tails - 1; tail >= 0; --tail)
    text += static_cast<char>(0x80 | (c >> 6 * tail & 0x3f));
}

/// Names are expected to be UTF-8; an invalid byte becomes the code point of its value.
std::u32string code_points(const std::string& text) {
  std::u32string points;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t size = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    char32_t c = size == 1 ? lead : lead & (0x7f >> size);
    for (std::size_t k = 1; k < size && i + k < text.size(); ++k)
      c = c << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3f);
    points += c;
    i += size;
  }
  return points;
}

}  // namespace

NpyArray::NpyArray(std::string_view file) {
  if (!file.starts_with(npy_magic) || file.size() < 12) refuse_npy("is no array of numpy's");
  const bool wide = file[6] >= 2;
  const std::size_t start = wide ? 12 : 10;
  const std::size_t size =
      wide ? value_at<std::uint32_t>(file.substr(8)) : value_at<std::uint16_t>(file.substr(8));
  if (size > file.size() - start) refuse_npy("is cut off");
  read_header(file.substr(start, size));
  data_ = file.substr(start + size);
  const std::size_t row_size = item_size_ * columns_;
  if (row_size > 0 && rows_ > std::numeric_limits<std::size_t>::max() / row_size)
    refuse_npy("claims to be larger than any memory");
  if (data_.size() < rows_ * row_size) refuse_npy("is cut off");
}

void NpyArray::read_header(std::string_view header) {
  const std::string text(header);
  std::smatch type, order, shape;
  if (!std::regex_search(text, type, std::regex("'descr': *'([<|=])([iufUS])([0-9]{1,6})'")) ||
      !std::regex_search(text, order, std::regex("'fortran_order': *(True|False)")))
    refuse_npy("is of a type that is not read; integers, floats and texts are");
  if (!std::regex_search(text, shape,
                         std::regex("'shape': *\\(([0-9]{1,12}),? *([0-9]{1,12})?,?\\)")))
    refuse_npy("has neither one nor two dimensions");
  kind_ = type.str(2)[0];
  item_size_ = std::stoul(type.str(3)) * (kind_ == 'U' ? 4 : 1);
  rows_ = std::stoul(shape.str(1));
  if (shape[2].matched) columns_ = std::stoul(shape.str(2));
  by_column_ = order.str(1) == "True";
  const bool sized =
      is_text() || (is_float() ? item_size_ == 2 || item_size_ == 4 || item_size_ == 8
                               : std::has_single_bit(item_size_) && item_size_ <= 8);
  if (rows_ > (1u << 28)) refuse_npy("claims to be larger than any mesh");
  if (!sized || columns_ > (1u << 20)) refuse_npy("is of a type that is not read");
}

std::string_view NpyArray::item(std::size_t row, std::size_t column) const {
  return data_.substr((by_column_ ? column * rows_ + row : row * columns_ + column) * item_size_,
                      item_size_);
}

double NpyArray::number(std::size_t row, std::size_t column) const {
  const std::string_view bytes = item(row, column);
  if (is_float() && item_size_ == 2) {
    const auto half = Eigen::half_impl::raw_uint16_to_half(value_at<std::uint16_t>(bytes));
    return static_cast<double>(Eigen::half_impl::half_to_float(half));
  }
  if (is_float())
    return item_size_ == 4 ? static_cast<double>(value_at<float>(bytes)) : value_at<double>(bytes);
  const bool is_signed = kind_ == 'i';
  switch (item_size_) {
    case 1:
      return is_signed ? value_at<std::int8_t>(bytes) : value_at<std::uint8_t>(bytes);
    case 2:
      return is_signed ? value_at<std::int16_t>(bytes) : value_at<std::uint16_t>(bytes);
    case 4:
      return is_signed ? static_cast<double>(value_at<std::int32_t>(bytes))
                       : static_cast<double>(value_at<std::uint32_t>(bytes));
    default:
      return is_signed ? static_cast<double>(value_at<std::int64_t>(bytes))
                       : static_cast<double>(value_at<std::uint64_t>(bytes));
  }
}

std::string NpyArray::text(std::size_t row) const {
  const std::string_view bytes = item(row, 0);
  std::string text;
  if (kind_ == 'S') {
    text = bytes;
  } else {
    for (std::size_t i = 0; i < bytes.size(); i += 4)
      append_utf8(std::min<char32_t>(value_at<char32_t>(bytes.substr(i)), 0x10ffff), text);
  }
  // Shorter texts are padded with zeros.
  return text.substr(0, text.find_last_not_of('\0') + 1);
}

std::string npy_texts(const std::vector<std::string>& texts) {
  std::size_t longest = 1;
  std::vector<std::u32string> points;
  for (const std::string& text : texts) {
    points.push_back(code_points(text));
    longest = std::max(longest, points.back().size());
  }
  std::string data;
  for (std::u32string& text : points) {
    text.resize(longest, U'\0');
    data.append(reinterpret_cast<const char*>(text.data()), longest * sizeof(char32_t));
  }
  return npy_file("<U" + std::to_string(longest), texts.size(), 0, data);
}

std::string npy_integers(const std::vector<std::int32_t>& values, std::size_t columns) {
  return npy_values("<i4", values, columns);
}

std::string npy_floats(const std::vector<float>& values, std::size_t columns) {
  return npy_values("<f4", values, columns);
}

}  // namespace gvbind

#pragma once

// Tested by tests/command/weights_test.py.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gvbind {

/// An array of one or two dimensions in the format of numpy.save. Values are read by row, for both
/// memory orders.
class NpyArray {
 public:
  /// Throws Error(input) for other files, unsupported number types, and truncated data.
  explicit NpyArray(std::string_view file);

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  bool is_text() const { return kind_ == 'U' || kind_ == 'S'; }
  bool is_integer() const { return kind_ == 'i' || kind_ == 'u'; }
  bool is_float() const { return kind_ == 'f'; }

  double number(std::size_t row, std::size_t column) const;  ///< integer or float
  std::string text(std::size_t row) const;                   ///< UTF-8

 private:
  void read_header(std::string_view header);
  std::string_view item(std::size_t row, std::size_t column) const;

  std::string_view data_;
  char kind_ = 0;
  std::size_t item_size_ = 0, rows_ = 0, columns_ = 1;
  bool by_column_ = false;
};

std::string npy_texts(const std::vector<std::string>& texts);
std::string npy_integers(const std::vector<std::int32_t>& values, std::size_t columns);
std::string npy_floats(const std::vector<float>& values, std::size_t columns);

}  // namespace gvbind

#pragma once

// Tested by tests/command/weights_test.py.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "commands/weights/weight_table.h"

namespace gvbind {

// Files of weights, as docs/weights_files.md has them. All write floats so that they read back as
// the same floats. Readers throw Error(input) without the path, with the line, mesh or row.

enum class WeightFormat { json, csv, npz };

/// By extension. Throws Error(usage) that names `flag` for another one.
WeightFormat weight_format(const std::filesystem::path& path, const std::string& flag);

std::string encode_weights(const WeightTable& table, WeightFormat format);
WeightTable decode_weights(const std::vector<std::uint8_t>& bytes, WeightFormat format);

std::string weights_json(const WeightTable& table);
WeightTable read_weights_json(const std::vector<std::uint8_t>& bytes);

/// "mesh,vertex,joint,weight", a line for each weight.
std::string weights_csv(const WeightTable& table);
WeightTable read_weights_csv(const std::vector<std::uint8_t>& bytes);

/// As numpy.savez writes it, not compressed; read with and without compression.
std::string weights_npz(const WeightTable& table);
WeightTable read_weights_npz(const std::vector<std::uint8_t>& bytes);

/// The shortest text that reads back as the same float.
std::string float_text(float value);

}  // namespace gvbind

#pragma once

// Tested by tests/command/weights_test.py.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "commands/weights/weight_table.h"

namespace gvbind {

// Weight files as described in docs/weights_files.md. Writers print floats so that they read back
// exactly. Readers throw Error(input) with the line, mesh or row, but without the path.

enum class WeightFormat { json, csv, npz };

/// By extension. Throws Error(usage), naming `flag`, for an unknown one.
WeightFormat weight_format(const std::filesystem::path& path, const std::string& flag);

std::string encode_weights(const WeightTable& table, WeightFormat format);
WeightTable decode_weights(const std::vector<std::uint8_t>& bytes, WeightFormat format);

std::string weights_json(const WeightTable& table);
WeightTable read_weights_json(const std::vector<std::uint8_t>& bytes);

/// "mesh,vertex,joint,weight", one line per weight.
std::string weights_csv(const WeightTable& table);
WeightTable read_weights_csv(const std::vector<std::uint8_t>& bytes);

/// As numpy.savez writes it, uncompressed. The reader also accepts compressed files.
std::string weights_npz(const WeightTable& table);
WeightTable read_weights_npz(const std::vector<std::uint8_t>& bytes);

/// The shortest text that reads back as the same float.
std::string float_text(float value);

}  // namespace gvbind

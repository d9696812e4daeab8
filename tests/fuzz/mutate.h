#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

/// Mutations that keep character files valid in their format, so that code behind the parsers is
/// reached. All are deterministic for a seed.
namespace gvbind::fuzz {

using Bytes = std::vector<std::uint8_t>;
using Random = std::minstd_rand;

/// Returns 0 .. count - 1.
std::size_t pick(Random& random, std::size_t count);

/// Numbers that often break code: NaN, infinity, zero, the largest and smallest values, and values
/// just outside the range of a type.
double odd_number(Random& random);
std::int64_t odd_integer(Random& random);

/// libFuzzer's own mutation of bytes, with its dictionary of compared values.
Bytes mutate_bytes(Bytes bytes, std::size_t room);

/// Replaces a number in a text, or repeats, removes or swaps lines.
Bytes mutate_text(Bytes bytes, std::size_t room, Random& random);

/// Mutates the JSON or the BIN chunk of a .glb and corrects the lengths, or the JSON of a .gltf.
Bytes mutate_gltf(Bytes bytes, std::size_t room, Random& random);

/// Mutates and rewrites the node tree of a binary file, or mutates the text of an ASCII file.
Bytes mutate_fbx(Bytes bytes, std::size_t room, Random& random);

/// Picks the mutation above that fits the bytes. For LLVMFuzzerCustomMutator: works in place in
/// `data`, which has `room` bytes, and returns the new size.
std::size_t mutate_character(std::uint8_t* data, std::size_t size, std::size_t room, unsigned seed);

}  // namespace gvbind::fuzz

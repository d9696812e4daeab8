#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

/// Changes of character files that leave them files of their format, so that what lies behind the
/// parsers is reached too. All are deterministic in their seed.
namespace gvbind::fuzz {

using Bytes = std::vector<std::uint8_t>;
using Random = std::minstd_rand;

/// 0 .. count - 1.
std::size_t pick(Random& random, std::size_t count);

/// Numbers at which code breaks: no number, none at all, the largest, the smallest, just past a
/// type's range.
double odd_number(Random& random);
std::int64_t odd_integer(Random& random);

/// libFuzzer's own changes of bytes, with its dictionary of values that were compared.
Bytes mutate_bytes(Bytes bytes, std::size_t room);

/// Replaces a number of a text, or repeats, removes or swaps lines.
Bytes mutate_text(Bytes bytes, std::size_t room, Random& random);

/// The JSON or the BIN chunk of a .glb, with the lengths made right; the JSON of a .gltf.
Bytes mutate_gltf(Bytes bytes, std::size_t room, Random& random);

/// The tree of nodes of a binary file, written anew; the text of an ASCII one.
Bytes mutate_fbx(Bytes bytes, std::size_t room, Random& random);

/// The one of the above that fits the bytes. For LLVMFuzzerCustomMutator: works in `data`, which
/// has `room` bytes, and returns the new size.
std::size_t mutate_character(std::uint8_t* data, std::size_t size, std::size_t room, unsigned seed);

}  // namespace gvbind::fuzz

#include "commands/weights/zip_entries.h"

#include <minizip/unzip.h>
#include <minizip/zip.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>

#include "gvbind/error.h"

namespace gvbind {

namespace {

/// A minizip file in memory.
struct MemoryFile {
  std::string bytes;
  std::uint64_t at = 0;
};

MemoryFile& memory_file(voidpf stream) { return *static_cast<MemoryFile*>(stream); }

voidpf open_memory(voidpf opaque, const void*, int) { return opaque; }

uLong read_memory(voidpf, voidpf stream, void* to, uLong size) {
  MemoryFile& file = memory_file(stream);
  const std::uint64_t left =
      file.bytes.size() - std::min<std::uint64_t>(file.at, file.bytes.size());
  const std::uint64_t count = std::min<std::uint64_t>(size, left);
  std::memcpy(to, file.bytes.data() + file.at, count);
  file.at += count;
  return static_cast<uLong>(count);
}

uLong write_memory(voidpf, voidpf stream, const void* from, uLong size) {
  MemoryFile& file = memory_file(stream);
  if (file.at + size > file.bytes.size()) file.bytes.resize(file.at + size);
  std::memcpy(file.bytes.data() + file.at, from, size);
  file.at += size;
  return size;
}

ZPOS64_T tell_memory(voidpf, voidpf stream) { return memory_file(stream).at; }

long seek_memory(voidpf, voidpf stream, ZPOS64_T offset, int origin) {
  MemoryFile& file = memory_file(stream);
  const std::uint64_t base = origin == ZLIB_FILEFUNC_SEEK_CUR   ? file.at
                             : origin == ZLIB_FILEFUNC_SEEK_END ? file.bytes.size()
                                                                : 0;
  if (base + offset > file.bytes.size()) return -1;
  file.at = base + offset;
  return 0;
}

int close_memory(voidpf, voidpf) { return 0; }
int no_error(voidpf, voidpf) { return 0; }

zlib_filefunc64_def functions_of(MemoryFile& file) {
  return {open_memory, read_memory,  write_memory, tell_memory,
          seek_memory, close_memory, no_error,     &file};
}

[[noreturn]] void refuse_zip(const std::string& why) { throw Error(ErrorKind::input, why); }

std::string read_entry(unzFile archive, const std::string& name, std::uint64_t size) {
  if (unzOpenCurrentFile(archive) != UNZ_OK)
    refuse_zip("'" + name + "' is packed in a way that is not supported");
  std::string content;
  // One byte more than the archive says, to meet an entry that is larger.
  const auto step = static_cast<unsigned>(std::min(std::uint64_t{1} << 20, size + 1));
  int count = 0;
  do {
    const std::size_t before = content.size();
    content.resize(before + step);
    count = unzReadCurrentFile(archive, content.data() + before, step);
    content.resize(before + static_cast<std::size_t>(std::max(count, 0)));
  } while (count > 0 && content.size() <= size);  // no further than the archive says
  const int closed = unzCloseCurrentFile(archive);
  if (count < 0 || closed != UNZ_OK || content.size() != size)
    refuse_zip("'" + name + "' is damaged");
  return content;
}

}  // namespace

std::string zip_of(const ZipEntries& entries) {
  MemoryFile file;
  zlib_filefunc64_def functions = functions_of(file);
  zipFile archive = zipOpen2_64("", APPEND_STATUS_CREATE, nullptr, &functions);
  zip_fileinfo info{};
  info.dosDate = (1u << 5 | 1u) << 16;  // 1980-01-01
  bool written = archive != nullptr;
  for (const auto& [name, content] : entries) {
    written =
        written && zipOpenNewFileInZip64(archive, name.c_str(), &info, nullptr, 0, nullptr, 0,
                                         nullptr, 0, 0, content.size() >= 0xffffffffu) == ZIP_OK;
    constexpr std::size_t step = std::size_t{1} << 30;  // minizip uses 32-bit sizes
    for (std::size_t at = 0; written && at < content.size(); at += step)
      written =
          zipWriteInFileInZip(archive, content.data() + at,
                              static_cast<unsigned>(std::min(step, content.size() - at))) == ZIP_OK;
    written = written && zipCloseFileInZip(archive) == ZIP_OK;
  }
  if (archive) written = zipClose(archive, nullptr) == ZIP_OK && written;
  if (!written) throw Error(ErrorKind::internal, "minizip could not make an archive in memory");
  return std::move(file.bytes);
}

ZipEntries read_zip(const std::vector<std::uint8_t>& bytes, std::uint64_t max_bytes) {
  MemoryFile file{std::string(bytes.begin(), bytes.end())};
  zlib_filefunc64_def functions = functions_of(file);
  const std::unique_ptr<void, int (*)(unzFile)> archive(unzOpen2_64("", &functions), unzClose);
  if (!archive) refuse_zip("is no .npz: no ZIP archive, or its end is missing");
  ZipEntries entries;
  for (int found = unzGoToFirstFile(archive.get()); found != UNZ_END_OF_LIST_OF_FILE;
       found = unzGoToNextFile(archive.get())) {
    unz_file_info64 info{};
    char name[512] = {};
    if (found != UNZ_OK || unzGetCurrentFileInfo64(archive.get(), &info, name, sizeof name - 1,
                                                   nullptr, 0, nullptr, 0) != UNZ_OK)
      refuse_zip("is damaged: its list of arrays cannot be read");
    if (info.uncompressed_size > max_bytes)
      refuse_zip("claims to hold more than gvbind reads from one archive");
    max_bytes -= info.uncompressed_size;
    entries.emplace_back(name, read_entry(archive.get(), name, info.uncompressed_size));
  }
  return entries;
}

}  // namespace gvbind

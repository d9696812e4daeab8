#pragma once

// Tested by tests/unit/bind/asset_root_test.cpp.

#include <assimp/DefaultIOSystem.h>

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "io/read_options.h"

namespace gvbind {

/// Gives Assimp read-only access to the document and to regular files under the root, and records
/// the names that it asks for: materials, animations, included files.
class ImportIoSystem : public Assimp::DefaultIOSystem {
 public:
  ImportIoSystem(std::filesystem::path document, AssetRoot root);
  // If it were inline, GCC 12 and the linker would drop the deleting destructor.
  ~ImportIoSystem() override;

  bool Exists(const char* name) const override;
  Assimp::IOStream* Open(const char* name, const char* mode) override;
  void Close(Assimp::IOStream* stream) override;

  /// The requested files under the root, existing or not, relative to the document's directory.
  std::vector<std::string> names() const;
  /// The material files of an OBJ that could not be opened, as above.
  const std::vector<std::string>& missing_materials() const { return missing_materials_; }
  /// The first requested file that exists outside the root, as the document names it; empty: none.
  const std::string& outside() const { return outside_; }

 private:
  bool is_document(const std::filesystem::path& name) const;
  bool may_open(const std::filesystem::path& name) const;
  /// As importers put it before names.
  std::string directory() const;
  std::string relative_name(const std::filesystem::path& name) const;
  void note_missing(const std::filesystem::path& name);
  /// The bytes of the document, in the form that its importer understands.
  std::vector<std::uint8_t> read_document() const;
  std::string with_plain_mtllib(std::string_view line) const;
  /// The path of a requested file, found as Windows tools do (gltf::named_file).
  std::filesystem::path place_of(const std::string& name) const;

  std::filesystem::path document_;
  AssetRoot root_;
  mutable std::set<std::string> names_;
  mutable std::string outside_;
  std::vector<std::string> missing_materials_;
};

}  // namespace gvbind

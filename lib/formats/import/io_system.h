#pragma once

// Tested by tests/unit/bind/asset_root_test.cpp.

#include <assimp/DefaultIOSystem.h>

#include <filesystem>
#include <set>
#include <string>
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
  /// The first requested file that exists outside the root, as the document names it; empty: none.
  const std::string& outside() const { return outside_; }

 private:
  bool is_document(const std::filesystem::path& name) const;
  bool may_open(const std::filesystem::path& name) const;
  /// The path of a requested file, found as Windows tools do (gltf::named_file).
  std::filesystem::path place_of(const std::string& name) const;

  std::filesystem::path document_;
  AssetRoot root_;
  mutable std::set<std::string> names_;
  mutable std::string outside_;
};

}  // namespace gvbind

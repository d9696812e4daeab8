#pragma once

// Tested by tests/unit/bind/asset_root_test.cpp.

#include <assimp/DefaultIOSystem.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "io/read_options.h"

namespace gvbind {

/// Gives Assimp the document and the regular files under the root, to read only, and notes what it
/// asks for: materials, animations, included files.
class ImportIoSystem : public Assimp::DefaultIOSystem {
 public:
  ImportIoSystem(std::filesystem::path document, AssetRoot root);
  // Inline, GCC 12 and the linker between them lose the one that frees.
  ~ImportIoSystem() override;

  bool Exists(const char* name) const override;
  Assimp::IOStream* Open(const char* name, const char* mode) override;
  void Close(Assimp::IOStream* stream) override;

  /// The files under the root that were asked for, there or not, from the document's directory.
  std::vector<std::string> names() const;
  /// The first that is there but lies outside the root, as the document names it; empty: none.
  const std::string& outside() const { return outside_; }

 private:
  bool is_document(const std::filesystem::path& name) const;
  bool may_open(const std::filesystem::path& name) const;
  /// Where the file lies that an importer asks for, found as Windows tools do (gltf::named_file).
  std::filesystem::path place_of(const std::string& name) const;

  std::filesystem::path document_;
  AssetRoot root_;
  mutable std::set<std::string> names_;
  mutable std::string outside_;
};

}  // namespace gvbind

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "gvbind/bind_skin.h"

namespace gvbind {

struct Scene;

struct AssetOptions {
  /// Files that the document names (buffers, images) must lie in its directory or in this one.
  /// Empty: only there.
  std::filesystem::path root = {};
  std::uint64_t max_memory = 0;  ///< bytes that reading may take; 0: no limit
};

/// A mesh of an asset, in the bind space of its skeleton.
struct AssetMesh {
  std::string name;
  std::vector<Eigen::Vector3d> positions;
  std::vector<Triangle> triangles;
};

/// Result of Asset::bind().
struct AssetBinding {
  std::vector<SkinWeights> weights;  ///< of each mesh; the influences are joints()
  BindStatistics statistics;
  Findings findings;
};

/// A glTF, VRM or FBX file kept whole, or another format that Assimp reads. Binding changes only
/// the skin.
class Asset {
 public:
  /// Throws Error: input (missing, damaged, unsupported), resource.
  static Asset read(const std::filesystem::path& file, const AssetOptions& options = {});

  std::vector<AssetMesh> meshes() const;
  std::vector<Joint> joints() const;

  /// Findings of reading.
  const Findings& findings() const;

  /// Gives an asset without joints those of another file. Throws Error: input, also where the asset
  /// has joints; cannot_bind where that file has none.
  void add_skeleton(const std::filesystem::path& file);

  /// Binds all meshes with a skin, or without one and without a joint above them, to the joints
  /// that deform, as `gvbind bind` does, and puts the skin into the asset. Throws Error as
  /// bind_skin(), and cannot_bind for all that the command refuses: no mesh, no joint, a skeleton
  /// of another size or beside the meshes.
  AssetBinding bind(const BindOptions& options = {}, const Monitor& monitor = {});

  /// Puts other weights into the asset: one SkinWeights per mesh, an empty one to keep the
  /// weights of a mesh. Throws Error(usage) where their counts are not those of the meshes, and
  /// for rows that are no weights: another joint, or a sum other than one.
  void set_weights(const std::vector<SkinWeights>& weights);

  enum class Overwrite { no, yes };

  /// Writes under a temporary name, reads that back, compares, and only then gives the file its
  /// name. The extension (.gltf, .glb, .vrm, .fbx) must be that of the format read; assets in other
  /// formats become .glb or .fbx. Throws Error: usage (extension), output.
  void write(const std::filesystem::path& file, Overwrite overwrite = Overwrite::no) const;

  /// For the package's own libraries.
  const Scene& scene() const;

  Asset(Asset&&) noexcept;
  Asset& operator=(Asset&&) noexcept;
  ~Asset();

 private:
  struct State;
  explicit Asset(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace gvbind

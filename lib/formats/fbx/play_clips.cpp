// Tested by tests/unit/formats/convert/compare_test.cpp.

#include <memory>
#include <optional>

#include "formats/fbx/animation.h"
#include "formats/fbx/read_scene.h"
#include "formats/fbx/read_source.h"
#include "formats/fbx/stack.h"

namespace gvbind {
namespace {

/// Owns everything that the source refers to, for as long as the clips are played.
struct FbxPlayer {
  std::shared_ptr<FbxDocument> document;
  ReadOptions options;
  DroppedFeatures losses = {};
  Findings findings = {};
  std::optional<FbxSource> source = {};
  std::vector<const FbxObject*> stacks = {};
  std::vector<std::vector<FbxMorphTarget>> morphs = {};  ///< by Model
  std::size_t read_clip = 0;
  std::optional<FbxStack> stack = {};  ///< for that clip
};

ScenePose pose_at(FbxPlayer& player, const NodeScene& scene, std::size_t clip, double seconds) {
  FbxSource& source = *player.source;
  if (!player.stack || player.read_clip != clip) {
    player.stack = read_stack(source.objects, source.links, player.stacks[clip]->id);
    player.read_clip = clip;
  }
  const FbxStack& stack = *player.stack;
  ScenePose out = rest_pose(scene);
  const std::vector<Transform> locals = clip_transforms(source, stack, seconds);
  std::copy(locals.begin(), locals.end(), out.locals.begin());
  for (std::size_t i = 0; i < player.morphs.size(); ++i)
    for (std::size_t m = 0; m < player.morphs[i].size() && m < out.morph_weights[i].size(); ++m) {
      const FbxMorphTarget& target = player.morphs[i][m];
      out.morph_weights[i][m] = morph_weight(target, percent_at(stack, target, seconds));
    }
  return out;
}

}  // namespace

PlayedScene play_clips(const std::shared_ptr<FbxDocument>& document, const ReadOptions& reading) {
  const auto player = std::make_shared<FbxPlayer>();
  player->document = document;
  player->options = with_root(reading, document->path);
  player->source.emplace(FbxSource{*document, player->options, true, player->losses,
                                   player->findings, objects_of(*document),
                                   property_links(*document)});
  FbxSource& source = *player->source;
  PlayedScene out;
  read_fbx_still(source, out.scene);
  player->stacks = animation_stacks(source.objects);
  out.clip_names = animation_names(source.objects);
  for (const FbxModel& model : source.models) {
    const FbxObject* geometry = source.objects.mesh_geometry(model.object->id);
    player->morphs.push_back(geometry ? morph_targets(source, geometry->id)
                                      : std::vector<FbxMorphTarget>());
  }
  const auto still = std::make_shared<NodeScene>();
  still->nodes = out.scene.nodes;
  out.pose = [player, still](std::size_t clip, double seconds) {
    return pose_at(*player, *still, clip, seconds);
  };
  return out;
}

}  // namespace gvbind

#include "formats/import/sound_scene.h"

#include <assimp/anim.h>
#include <assimp/material.h>
#include <assimp/mesh.h>
#include <assimp/scene.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "formats/import/assimp_nodes.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

bool is_finite(const aiVector3D& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}
bool is_finite(const aiQuaternion& q) {
  return std::isfinite(q.w) && std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z);
}
bool is_finite(const aiColor4D& c) {
  return std::isfinite(c.r) && std::isfinite(c.g) && std::isfinite(c.b) && std::isfinite(c.a);
}

/// Returns the number of keys left out.
template <typename Key>
std::uint32_t keep_sound_keys(Key* keys, unsigned& count) {
  unsigned kept = 0;
  for (unsigned k = 0; k < count; ++k) {
    const bool is_sound = std::isfinite(keys[k].mTime) && is_finite(keys[k].mValue) &&
                          (kept == 0 || keys[k].mTime >= keys[kept - 1].mTime);
    if (is_sound) keys[kept++] = keys[k];
  }
  const unsigned left_out = count - kept;
  count = kept;
  return left_out;
}

void mend_animation(aiAnimation& animation, UnsoundParts& out) {
  constexpr double usual_rate = 25.0;  // the default of Assimp's own tools
  if (!(animation.mTicksPerSecond > 0.0) || !std::isfinite(animation.mTicksPerSecond)) {
    animation.mTicksPerSecond = usual_rate;
    ++out.rates;
  }
  unsigned kept = 0;
  for (unsigned c = 0; c < animation.mNumChannels; ++c) {
    aiNodeAnim* channel = animation.mChannels[c];
    out.keys += keep_sound_keys(channel->mPositionKeys, channel->mNumPositionKeys) +
                keep_sound_keys(channel->mRotationKeys, channel->mNumRotationKeys) +
                keep_sound_keys(channel->mScalingKeys, channel->mNumScalingKeys);
    if (channel->mNumPositionKeys + channel->mNumRotationKeys + channel->mNumScalingKeys > 0)
      animation.mChannels[kept++] = channel;
    else
      delete channel;  // was owned by the animation
  }
  animation.mNumChannels = kept;
}

template <typename Vector>
bool all_finite(const Vector* values, unsigned count) {
  return !values ||
         std::all_of(values, values + count, [](const Vector& v) { return is_finite(v); });
}

/// Returns the number of values that were replaced.
template <typename Vector>
std::uint32_t replace_bad(Vector* values, unsigned count, const Vector& missing) {
  std::uint32_t bad = 0;
  for (unsigned v = 0; values && v < count; ++v) {
    if (is_finite(values[v])) continue;
    values[v] = missing;
    ++bad;
  }
  return bad;
}

void mend_mesh(aiMesh& mesh, UnsoundParts& out) {
  const unsigned count = mesh.mNumVertices;
  for (unsigned v = 0; v < count; ++v)
    if (!is_finite(mesh.mVertices[v]))
      throw Error(ErrorKind::input, "mesh '" + text_of(mesh.mName) + "': vertex " +
                                        std::to_string(v) + " is not finite");
  for (aiVector3D** directions : {&mesh.mNormals, &mesh.mTangents, &mesh.mBitangents}) {
    if (all_finite(*directions, count)) continue;
    delete[] * directions;  // was owned by the mesh
    *directions = nullptr;
    ++out.attributes;
  }
  for (aiVector3D* set : mesh.mTextureCoords)
    out.attributes += replace_bad(set, count, aiVector3D());
  for (aiColor4D* set : mesh.mColors)
    out.attributes += replace_bad(set, count, aiColor4D(1, 1, 1, 1));
  for (unsigned b = 0; b < mesh.mNumBones; ++b)
    for (unsigned w = 0; w < mesh.mBones[b]->mNumWeights; ++w) {
      float& weight = mesh.mBones[b]->mWeights[w].mWeight;
      if (std::isfinite(weight)) continue;
      weight = 0.0F;
      ++out.weights;
    }
}

template <typename Number>
bool holds_bad(const aiMaterialProperty& property) {
  for (unsigned at = 0; at + sizeof(Number) <= property.mDataLength; at += sizeof(Number)) {
    Number number{};
    std::memcpy(&number, property.mData + at, sizeof number);
    if (!std::isfinite(number)) return true;
  }
  return false;
}

void mend_material(aiMaterial& material, UnsoundParts& out) {
  for (unsigned p = material.mNumProperties; p-- > 0;) {
    const aiMaterialProperty& property = *material.mProperties[p];
    const bool is_bad = (property.mType == aiPTI_Float && holds_bad<float>(property)) ||
                        (property.mType == aiPTI_Double && holds_bad<double>(property));
    if (!is_bad) continue;
    const aiString key = property.mKey;
    material.RemoveProperty(key.data, property.mSemantic, property.mIndex);
    ++out.values;
  }
}

void mend_nodes(aiNode* root, UnsoundParts& out) {
  std::vector<aiNode*> open = {root};
  while (!open.empty()) {
    aiNode* node = open.back();
    open.pop_back();
    if (!affine(node->mTransformation).matrix().allFinite()) {
      node->mTransformation = aiMatrix4x4();
      ++out.transforms;
    }
    open.insert(open.end(), node->mChildren, node->mChildren + node->mNumChildren);
  }
}

}  // namespace

UnsoundParts make_sound(const aiScene& scene) {
  UnsoundParts out;
  for (unsigned a = 0; a < scene.mNumAnimations; ++a) mend_animation(*scene.mAnimations[a], out);
  for (unsigned m = 0; m < scene.mNumMeshes; ++m) mend_mesh(*scene.mMeshes[m], out);
  for (unsigned m = 0; m < scene.mNumMaterials; ++m) mend_material(*scene.mMaterials[m], out);
  mend_nodes(scene.mRootNode, out);
  return out;
}

}  // namespace gvbind

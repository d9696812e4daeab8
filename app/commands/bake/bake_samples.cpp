#include "commands/bake/bake_samples.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "character/selection.h"
#include "cli/option_values.h"
#include "formats/clip.h"
#include "formats/gltf/morphs.h"
#include "gvbind/base/parallel.h"
#include "gvbind/error.h"
#include "io/glob.h"

namespace gvbind {
namespace {

constexpr std::size_t max_samples = 1500;  // their Gram matrix can still be solved in seconds
constexpr double max_values = 1.5e8;       // floats: samples times coordinates

std::vector<SampledClip> chosen_clips(const PosedFile& file, const ChosenClips& chosen) {
  const std::string& glob = chosen.glob;
  const std::vector<std::string> names = clip_names(file.document);
  if (names.empty())
    throw Error(ErrorKind::cannot_bind,
                file.path +
                    ": holds no clip, and correctives are tracks of clips; --extremes 60 "
                    "adds one");
  std::vector<SampledClip> clips;
  bool found = false;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool matches = glob.empty() || names[i] == glob || matches_glob(glob, names[i]);
    if (matches || chosen.also == i) clips.push_back({i, names[i], {}, 0});
    found = found || matches;
  }
  if (!found)
    throw Error(ErrorKind::usage, "--clips: " + file.path + " has no animation '" + glob + "'" +
                                      nearest_name_hint(glob, names));
  return clips;
}

/// Sample times from the first to the last key of each clip, both included.
std::size_t set_times(const PosedFile& file, double rate, std::vector<SampledClip>& clips) {
  const auto& gltf = *std::get<std::shared_ptr<GltfDocument>>(file.document);
  std::size_t count = 0;
  for (SampledClip& clip : clips) {
    const double end = gltf::animation_end(gltf, clip.index);
    const double steps = std::ceil(end * rate - 1e-6);
    if (!(steps < 1e6))
      throw Error(ErrorKind::input,
                  file.path + ": clip '" + clip.name + "' lasts longer than can be sampled");
    clip.times.clear();
    clip.first = count;
    for (int i = 0; i <= static_cast<int>(steps); ++i)
      clip.times.push_back(steps > 0.0 ? end * i / steps : 0.0);
    count += clip.times.size();
  }
  return count;
}

}  // namespace

BakeSamples bake_samples(const PosedFile& file, const motion::PoseSurface& surface,
                         const PoseTarget& target, const ChosenClips& clips, double rate) {
  BakeSamples samples;
  samples.clips = chosen_clips(file, clips);
  std::size_t count = set_times(file, rate, samples.clips);
  const double values = 3.0 * static_cast<double>(std::max<std::size_t>(1, surface.vertex_count()));
  const auto most =
      static_cast<std::size_t>(std::max(2.0, std::min<double>(max_samples, max_values / values)));
  while (count > std::max(most, 2 * samples.clips.size())) {
    samples.thinned = true;
    rate *= 0.8;
    count = set_times(file, rate, samples.clips);
  }
  samples.poses.resize(count);
  samples.offsets.resize(count);
  parallel_each(samples.clips.size(), [&](std::size_t c) {
    const SampledClip& clip = samples.clips[c];
    for (std::size_t i = 0; i < clip.times.size(); ++i)
      samples.poses[clip.first + i] = naming(file.path, [&] {
        return clip_pose(file.document, file.scene, clip.index, clip.times[i]);
      });
  });
  parallel_each(count, [&](std::size_t s) {
    samples.offsets[s] = motion::rest_offsets(surface, samples.poses[s], target(samples.poses[s]));
  });
  return samples;
}

std::vector<ClipError> clip_errors(const BakeSamples& samples, const motion::PoseSurface& surface,
                                   const PoseTarget& target,
                                   const motion::Correctives* correctives) {
  const bool corrects = correctives && !correctives->shapes.empty();
  std::vector<double> sums(samples.poses.size(), 0.0), most(samples.poses.size(), 0.0);
  parallel_each(samples.poses.size(), [&](std::size_t s) {
    const std::vector<Eigen::Vector3d> goal = target(samples.poses[s]);
    const std::vector<Eigen::Vector3d> got =
        corrects ? motion::offset_positions(surface, samples.poses[s],
                                            motion::blended_offsets(*correctives, s))
                 : motion::linear_positions(surface, samples.poses[s]);
    for (std::size_t v = 0; v < goal.size(); ++v) {
      const double squared = (goal[v] - got[v]).squaredNorm();
      if (!std::isfinite(squared)) continue;
      sums[s] += squared;
      most[s] = std::max(most[s], squared);
    }
  });
  const double size = motion::size_of(surface);
  std::vector<ClipError> errors;
  for (const SampledClip& clip : samples.clips) {
    ClipError error;
    for (std::size_t i = 0; i < clip.times.size(); ++i) {
      error.rms += sums[clip.first + i];
      error.most = std::max(error.most, most[clip.first + i]);
    }
    const double values = static_cast<double>(clip.times.size() * surface.vertex_count());
    error.rms = values > 0.0 ? std::sqrt(error.rms / values) / size : 0.0;
    error.most = std::sqrt(error.most) / size;
    errors.push_back(error);
  }
  return errors;
}

}  // namespace gvbind

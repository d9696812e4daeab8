#include "commands/bind/like_files.h"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "fit/like.h"
#include "gvbind/base/parallel.h"
#include "gvbind/error.h"
#include "gvbind/fitted/default_network.h"

namespace gvbind {

namespace {

LikeFiles read_siblings(const BindSettings& settings, const FittedNetworks& networks) {
  const std::vector<std::string>& files = settings.like;
  const std::size_t vertices =
      std::clamp<std::size_t>(fit::all_like_vertices / files.size(), 60, fit::like_vertices);
  std::vector<fit::Sibling> siblings(files.size());
  for (std::size_t i = 0; i < files.size(); ++i)
    siblings[i] = fit::read_sibling(files[i], vertices, {settings.asset_root, 0});
  std::vector<FinishedMesh> meshes;
  for (fit::Sibling& sibling : siblings)
    std::ranges::move(sibling.meshes, std::back_inserter(meshes));
  return {fit::fit_like(siblings, networks).painted,
          std::make_shared<const std::vector<FinishedMesh>>(std::move(meshes))};
}

}  // namespace

LikeFiles read_like_files(const BindSettings& settings) {
  if (settings.like.empty()) return {};
  if (settings.options.weights != WeightRule::fitted)
    throw Error(ErrorKind::usage,
                "--like follows a character with fitted weights; leave out --weights or --preset");
  static std::mutex mutex;
  static std::pair<std::string, LikeFiles> last;
  std::string key = settings.network_hash + "\n" + settings.asset_root;
  for (std::size_t i = 0; i < settings.like.size(); ++i)
    key += "\n" + settings.like_hashes[i] + " " + settings.like[i];
  const std::scoped_lock lock(mutex);
  if (last.first != key) {
    const FittedNetworks& networks =
        settings.options.network ? *settings.options.network : default_networks();
    last = {key, read_siblings(settings, networks)};
  }
  return last.second;
}

}  // namespace gvbind

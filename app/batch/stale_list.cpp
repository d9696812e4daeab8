#include "batch/stale_list.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "common/content_hash.h"
#include "common/write_text.h"
#include "formats/document.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "io/file_io.h"
#include "report/batch_report.h"

namespace gvbind {

namespace {

constexpr const char* list_schema = "gvbind/stale/1";

bool is_up_to_date(const Verdict& verdict) {
  return verdict.act == Verdict::Act::pass || verdict.act == Verdict::Act::leave;
}

/// Pictures and refusals take next to no time, but they shall be spread as well.
double cost_of(const BatchAsset& asset, const Verdict& verdict) {
  return verdict.act == Verdict::Act::bind ? cost_of(asset) : 0.0;
}

StaleList list_of(const Json& json) {
  StaleList list;
  std::unordered_set<std::string> names;
  for (const Json& one : json.at("stale")) {
    ShardItem item{one.at("name").get<std::string>(), one.at("cost").get<double>()};
    if (!std::isfinite(item.cost) || item.cost < 0.0 || !names.insert(item.name).second)
      throw Json::other_error::create(501, "a name twice, or a cost that is none", &one);
    list.items.push_back(std::move(item));
  }
  return list;
}

int shard_by_name(const std::string& name, int count) {
  const std::string head = hash_of(name).substr(0, 8);
  return static_cast<int>(std::stoul(head, nullptr, 16) % static_cast<unsigned long>(count));
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 10;
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < most; ++i)
    text += (i == 0 ? "" : ", ") + names[i];
  return names.size() > most ? text + ", ..." : text;
}

}  // namespace

void write_stale_list(const std::string& path, const std::vector<BatchAsset>& assets,
                      const std::vector<Verdict>& verdicts) {
  Json stale = Json::array();
  std::unordered_map<std::string, std::size_t> place;
  for (std::size_t i = 0; i < assets.size(); ++i) {
    if (is_up_to_date(verdicts[i])) continue;
    const std::string name = mended_utf8(assets[i].name);
    const double cost = cost_of(assets[i], verdicts[i]);
    const auto [at, is_new] = place.emplace(name, stale.size());
    if (is_new)
      stale.push_back({{"name", name}, {"cost", cost}, {"why", verdicts[i].why}});
    else  // as names that are not UTF-8 may be: they go to one shard
      stale[at->second]["cost"] = stale[at->second]["cost"].get<double>() + cost;
  }
  const Json json = {{"schema", list_schema},
                     {"version", ReportTool::program_version()},
                     {"assets", assets.size()},
                     {"stale", stale}};
  write_text_file(json_text(json), path, true);
}

StaleList read_stale_list(const std::string& path) {
  const std::vector<std::uint8_t> bytes = naming(path, [&] { return read_file(path); });
  try {
    const Json json = Json::parse(bytes.begin(), bytes.end());
    if (json.at("schema") != list_schema)
      throw Json::other_error::create(501, "another schema", &json);
    const std::string version = json.at("version").get<std::string>();
    if (version != ReportTool::program_version())
      throw Error(ErrorKind::input, path + ": was written by gvbind " + version + ", and this is " +
                                        ReportTool::program_version() +
                                        "; all shards need one version");
    return list_of(json);
  } catch (const Json::exception&) {
    throw Error(ErrorKind::input, path + ": is no list of --save-stale, or a damaged one");
  }
}

std::vector<BatchAsset> split_by_list(std::vector<BatchAsset>& assets, const StaleList& list,
                                      const Shard& shard) {
  const std::vector<int> shards = assign_shards(list.items, shard.count);
  std::unordered_map<std::string, int> listed_shards;
  for (std::size_t i = 0; i < shards.size(); ++i)
    listed_shards.emplace(list.items[i].name, shards[i]);
  std::vector<BatchAsset> mine, others;
  for (BatchAsset& asset : assets) {
    const std::string name = mended_utf8(asset.name);
    const auto found = listed_shards.find(name);
    const int index =
        found != listed_shards.end() ? found->second : shard_by_name(name, shard.count);
    (index == shard.index - 1 ? mine : others).push_back(std::move(asset));
  }
  assets = std::move(mine);
  return others;
}

Findings compare_with_list(const std::string& path, const StaleList& list,
                           const std::vector<BatchAsset>& assets,
                           const std::vector<Verdict>& verdicts,
                           const std::vector<BatchAsset>& others, const Shard& shard) {
  std::unordered_set<std::string> names;
  for (const ShardItem& item : list.items) names.insert(item.name);
  std::vector<std::string> changed, gone;
  for (std::size_t i = 0; i < assets.size(); ++i)
    if (!is_up_to_date(verdicts[i]) && !names.contains(mended_utf8(assets[i].name)))
      changed.push_back(assets[i].name);
  Findings findings;
  const auto add = [&](const std::string& lead, const std::vector<std::string>& of, const char* one,
                       const char* more) {
    if (of.empty()) return;
    findings.push_back({Severity::warning, "stale-list-outdated",
                        path + ": " + lead + counted(of.size(), one, more) + ": " + listed(of),
                        ""});
  };
  add("lacks ", changed, "asset that has changed since it was written, and is bound now",
      "assets that have changed since it was written, and are bound now");
  if (shard.index != 1) return findings;
  std::unordered_set<std::string> known;
  for (const auto* part : {&assets, &others})
    for (const BatchAsset& asset : *part) known.insert(mended_utf8(asset.name));
  for (const ShardItem& item : list.items)
    if (!known.contains(item.name)) gone.push_back(item.name);
  add("lists ", gone, "asset that is gone now", "assets that are gone now");
  return findings;
}

}  // namespace gvbind

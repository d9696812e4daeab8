#include "report/html_page.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>
#include <vector>

#include "gvbind/base/utf8.h"
#include "io/base64.h"
#include "report/asset_lines.h"
#include "report/embedded.h"
#include "report/finding_kinds.h"
#include "report/html_text.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t findings_in_sight = 3;
constexpr std::string_view png_signature = "\x89PNG\r\n\x1a\n";

bool is_png(const std::string& bytes) {
  return bytes.size() > 24 && bytes.compare(0, png_signature.size(), png_signature) == 0;
}

/// Reads a big-endian number from a PNG header.
std::uint32_t png_number(const std::string& bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = at; i < at + 4; ++i)
    number = number << 8 | static_cast<unsigned char>(bytes[i]);
  return number;
}

std::string picture_html(const AssetEntry& asset, const PictureSource& source) {
  const std::string png = source ? source(asset) : std::string();
  if (!is_png(png)) return "<div class=\"no-picture\">no picture</div>";
  return "<img loading=\"lazy\" decoding=\"async\" width=\"" + std::to_string(png_number(png, 16)) +
         "\" height=\"" + std::to_string(png_number(png, 20)) + "\" alt=\"" +
         escape_html(asset.name) +
         ": weights in colors by joint, and a bent pose\" src=\"data:image/png;base64," +
         base64(std::string_view(png)) + "\">";
}

/// A link to a file, in which each character stands for itself.
std::string encoded_path(const std::string& path) {
  std::string text;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || std::string_view("-._~/").find(c) != std::string_view::npos) {
      text += c;
      continue;
    }
    char code[4];
    std::snprintf(code, sizeof code, "%%%02X", byte);
    text += code;
  }
  return text;
}

std::string linked_picture(const AssetEntry& asset, const PageOptions& options) {
  const std::string picture = picture_html(asset, options.picture);
  if (!options.link || asset.page.value_or("").empty()) return picture;
  // A first part with a colon would be read as a protocol.
  return "<a href=\"./" + encoded_path(options.link(asset)) + "\" title=\"Turn, play and bend " +
         escape_html(asset.name) + "\">" + picture + "</a>";
}

std::string seconds_text(double seconds) {
  char text[64];
  if (seconds < 60.0) {
    std::snprintf(text, sizeof text, "%.*f s", seconds < 10.0 ? 2 : 1, seconds);
  } else {
    const auto whole = static_cast<long long>(std::min(seconds, 1e12));
    if (whole < 3600)
      std::snprintf(text, sizeof text, "%lld min %02lld s", whole / 60, whole % 60);
    else
      std::snprintf(text, sizeof text, "%lld h %02lld min", whole / 3600, whole / 60 % 60);
  }
  return text;
}

std::string fact(const char* name, const std::string& value) {
  return std::string("<div><dt>") + name + "</dt><dd>" + escape_html(value) + "</dd></div>";
}

/// The measures of an asset that its entry has.
std::string facts_html(const AssetEntry& asset) {
  std::string html;
  if (asset.seconds) html += fact("time", seconds_text(*asset.seconds));
  if (const std::size_t vertices = bound_vertices(asset))
    html += fact("vertices", grouped(vertices));
  if (asset.joints && !asset.joints->empty()) {
    std::size_t used = 0;
    for (const JointEntry& joint : *asset.joints) used += joint.vertices.value_or(1) > 0;
    const std::size_t all = asset.joints->size();
    html += fact("joints", used == all ? grouped(used) : grouped(used) + " of " + grouped(all));
  }
  if (const std::size_t peak = asset.peak_bytes.value_or(0))
    html += fact("memory", grouped(std::max<std::size_t>(1, peak / 1000000)) + " MB");
  if (asset.device && !asset.device->empty()) html += fact("device", *asset.device);
  if (const std::string skin = skin_text(asset); !skin.empty()) html += fact("skin", skin);
  for (const ClipEntry& clip : asset.clips.value_or(std::vector<ClipEntry>{}))
    html += fact("clip", clip.name + ": " + clip_text(clip));
  return html;
}

std::string group_html(const FindingGroup& group) {
  const std::string level = severity_name(group.severity);
  std::string html = "<li class=\"" + level + "\"><span class=\"level\">" + level +
                     "</span> <span class=\"code\">" + escape_html(group.code) + "</span>";
  const std::size_t count = group.messages.size();
  if (count > 1) html += " <span class=\"times\">" + std::to_string(count) + " times</span>";
  html += "<p>" + escape_html(group.messages.front()) + "</p>";
  if (count > 1) {
    html += "<details><summary>" + std::to_string(count - 1) + " more</summary>";
    for (std::size_t i = 1; i < count; ++i) html += "<p>" + escape_html(group.messages[i]) + "</p>";
    html += "</details>";
  }
  return html + "</li>";
}

std::string findings_html(const Findings& findings) {
  const std::vector<FindingGroup> groups = group_findings(findings);
  if (groups.empty()) return "";
  std::string html = "<ul class=\"findings\">";
  for (std::size_t i = 0; i < std::min(groups.size(), findings_in_sight); ++i)
    html += group_html(groups[i]);
  html += "</ul>";
  if (groups.size() <= findings_in_sight) return html;
  const std::size_t rest = groups.size() - findings_in_sight;
  html += "<details><summary>" + std::to_string(rest) + (rest == 1 ? " more kind" : " more kinds") +
          " of findings</summary><ul class=\"findings\">";
  for (std::size_t i = findings_in_sight; i < groups.size(); ++i) html += group_html(groups[i]);
  return html + "</ul></details>";
}

std::string error_html(const AssetEntry& asset) {
  if (!asset.error) return "";
  return "<p class=\"failure\"><span class=\"level\">exit code " +
         std::to_string(asset.error->exit_code) + "</span> " + escape_html(asset.error->message) +
         "</p>";
}

std::string command_html(const AssetEntry& asset) {
  if (asset.command.empty()) return "";
  return "<div class=\"command\"><code tabindex=\"0\">" + escape_html(asset.command) +
         "</code><button type=\"button\" class=\"copy\" aria-label=\"Copy the command of " +
         escape_html(asset.name) + "\">Copy</button></div>";
}

std::string said_html(const AssetEntry& asset) {
  const std::string said = asset.stderr_text.value_or("");
  if (said.empty()) return "";
  return "<details><summary>stderr</summary><pre tabindex=\"0\">" + escape_html(said) +
         "</pre></details>";
}

/// Sort keys of the page; skins that were not checked sort below all others.
struct SkinOrder {
  double bleed = -1.0, stretch = -1.0, changed = -1.0;
  int verdict = -1;  ///< 2 worse, 1 equal, 0 better
};

SkinOrder skin_order(const AssetEntry& asset) {
  SkinOrder order;
  if (!asset.skin) return order;
  order.bleed = asset.skin->bleed;
  order.stretch = asset.skin->stretch;
  if (!asset.skin->comparison) return order;
  order.changed = asset.skin->comparison->changed;
  order.verdict = static_cast<int>(asset.skin->comparison->verdict);
  return order;
}

/// Labels beside the status: whether the asset makes the exit code 1, and how its skin compares.
std::string badges_html(const AssetEntry& asset) {
  const auto badge = [](const std::string& kind, const std::string& words) {
    return "<span class=\"badge " + kind + "\">" + words + "</span>";
  };
  std::string html;
  if (!asset.error && !failing_findings(asset).empty())
    html += badge("fails", "--fail-on " + name_of(asset.fail_on.value_or(Severity::error)));
  if (asset.skin && asset.skin->comparison) {
    const std::string verdict = name_of(asset.skin->comparison->verdict);
    html += badge(verdict, "judged " + verdict);
  }
  return html;
}

std::string card_html(const AssetEntry& asset, const PageOptions& options) {
  const StatusCount& status = *std::ranges::find(status_counts, asset.status, &StatusCount::status);
  const std::optional<Severity> worst = worst_finding(asset);
  const SkinOrder skin = skin_order(asset);
  return fill_template(embedded::card_html, {{"name", escape_html(asset.name)},
                                             {"status", name_of(asset.status)},
                                             {"status_words", status.words},
                                             {"severity", worst ? severity_name(*worst) : "none"},
                                             {"gravity", std::to_string(gravity_of(asset))},
                                             {"seconds", fixed(asset.seconds.value_or(0.0), 6)},
                                             {"bleed", fixed(skin.bleed, 6)},
                                             {"stretch", fixed(skin.stretch, 6)},
                                             {"changed", fixed(skin.changed, 6)},
                                             {"verdict", std::to_string(skin.verdict)},
                                             {"fails", failing_findings(asset).empty() ? "0" : "1"},
                                             {"badges", badges_html(asset)},
                                             {"picture", linked_picture(asset, options)},
                                             {"facts", facts_html(asset)},
                                             {"error", error_html(asset)},
                                             {"findings", findings_html(asset.findings)},
                                             {"command", command_html(asset)},
                                             {"said", said_html(asset)}});
}

std::string counts_html(const Report& report) {
  std::array<StatusCount, 5> counts = status_counts;
  // Failed and interrupted come first.
  std::rotate(counts.begin(), counts.begin() + 3, counts.end());
  std::string html;
  for (const StatusCount& count : counts) {
    const std::size_t total = report.*count.total;
    html += std::string("<button type=\"button\" aria-pressed=\"false\" data-status=\"") +
            name_of(count.status) + "\"" + (total == 0 ? " disabled" : "") + "><b>" +
            grouped(total) + "</b> " + count.words + "</button>";
  }
  return html;
}

const char* exit_code_words(int code) {
  switch (code) {
    case 0:
      return "all went well";
    case 1:
      return "findings";
    case 2:
      return "usage";
    case 3:
      return "input";
    case 4:
      return "cannot be bound";
    case 5:
      return "output";
    case 6:
      return "some failed";
    case 7:
      return "resource missing";
    case 8:
      return "time limit";
    case 130:
      return "interrupted";
    default:
      return "internal error";
  }
}

std::string subtitle_html(const Report& report) {
  std::string text = counted(report.assets.size(), "asset", "assets");
  if (!report.out.empty()) text += " · to " + report.out;
  if (report.seconds) text += " · " + seconds_text(*report.seconds);
  text +=
      " · exit code " + std::to_string(report.exit_code) + ", " + exit_code_words(report.exit_code);
  text += " · gvbind " + report.tool.version;
  if (report.shard)
    text += " · shard " + std::to_string(report.shard->index) + " of " +
            std::to_string(report.shard->count);
  if (report.dry_run) text += " · dry run, nothing was written";
  return escape_html(text);
}

bool lies_below(const fs::path& file, const fs::path& directory) {
  const auto [in_directory, in_file] =
      std::mismatch(directory.begin(), directory.end(), file.begin(), file.end());
  return in_directory == directory.end();
}

}  // namespace

std::string html_page(const Report& unchecked, const PageOptions& options) {
  Report report = unchecked;
  mend_utf8(report);
  std::string cards;
  for (const AssetEntry& asset : report.assets) cards += card_html(asset, options);
  return fill_template(embedded::page_html, {{"title", escape_html(options.title)},
                                             {"subtitle", subtitle_html(report)},
                                             {"style", std::string(embedded::page_css)},
                                             {"script", std::string(embedded::page_js)},
                                             {"counts", counts_html(report)},
                                             {"findings", findings_html(report.findings)},
                                             {"cards", std::move(cards)}});
}

std::function<std::string(const AssetEntry& asset)> links_from(const std::string& html,
                                                               const std::string& directory) {
  const fs::path to = fs::absolute(directory.empty() ? "." : directory);
  const fs::path from = fs::absolute(html).parent_path().lexically_normal();
  return [to, from](const AssetEntry& asset) {
    return (to / asset.page.value_or(""))
        .lexically_normal()
        .lexically_proximate(from)
        .generic_string();
  };
}

PictureSource pictures_below(const std::string& directory) {
  return [directory](const AssetEntry& asset) -> std::string {
    const std::string picture = asset.picture.value_or("");
    if (picture.empty()) return "";
    std::error_code failed;
    const fs::path base = fs::canonical(directory.empty() ? "." : directory, failed);
    if (failed) return "";
    const fs::path file = fs::canonical(base / picture, failed);
    if (failed || !lies_below(file, base) || !fs::is_regular_file(file, failed)) return "";
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream bytes;
    bytes << stream.rdbuf();
    return is_png(bytes.str()) ? std::move(bytes).str() : "";
  };
}

}  // namespace gvbind

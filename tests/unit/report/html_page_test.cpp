#include "report/html_page.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "gvbind/finding_codes.h"
#include "preview/preview.h"
#include "report/sample_report.h"
#include "support/scratch_folder.h"

namespace gvbind {
namespace {

namespace fs = std::filesystem;
using Catch::Contains;
using test::done_asset, test::failed_asset, test::sample_finding, test::report_of,
    test::ScratchFolder;

std::string small_png() { return preview::png_bytes({2, 1, {255, 0, 0, 0, 0, 255}}); }

std::size_t count_of(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++count;
  return count;
}

TEST_CASE("each asset has a card with its status and its numbers") {
  AssetEntry asset = done_asset("big");
  asset.seconds = 75.2;
  asset.meshes = {{"m", 1234567, 1, true, {}}};
  const std::string page = html_page(report_of({asset, failed_asset("bad", 3, "cut off")}));
  CHECK(count_of(page, "<article") == 2);
  CHECK_THAT(page, Contains("1,234,567"));
  CHECK_THAT(page, Contains("1 min 15 s"));
  CHECK_THAT(page, Contains("cut off"));
  CHECK_THAT(page, Contains("exit code 3"));
}

TEST_CASE("no text leaves its place in the page") {
  const std::string hostile =
      "</script><script>alert(1)</script>\"'><img src=x onerror=y>{{cards}}";
  AssetEntry asset = failed_asset(hostile, 3, hostile);
  asset.command = asset.input = asset.output = hostile;
  asset.stderr_text = asset.device = hostile;
  asset.findings = {{Severity::error, hostile, hostile, hostile}};
  Report report = report_of({asset});
  report.out = hostile;
  report.tool.version = hostile;
  PageOptions options;
  options.title = hostile;
  options.picture = [](const AssetEntry&) { return small_png(); };
  const std::string page = html_page(report, options);
  CHECK(count_of(page, "<script>") == 1);
  CHECK(count_of(page, "</script>") == 1);
  CHECK(count_of(page, "<img") == 1);
  CHECK(count_of(page, "<article") == 1);
  CHECK_THAT(page, Contains("{{cards}}"));
}

TEST_CASE("a card says how its skin is judged and whether it makes the exit code 1") {
  AssetEntry worse =
      done_asset("w", {sample_finding(Severity::note, std::string(finding::worse_than_before))});
  worse.skin.emplace();
  worse.skin->comparison.emplace();
  worse.skin->comparison->verdict = check::SkinVerdict::worse;
  FailOn on_worse = Severity::error;
  on_worse.worse = true;
  const std::string page = html_page(report_of({worse, done_asset("other")}, on_worse));
  CHECK_THAT(page, Contains("<span class=\"badge worse\">judged worse</span>"));
  CHECK_THAT(page, Contains("<span class=\"badge fails\">--fail-on worse-than-before</span>"));
  CHECK(count_of(page, "data-fails=\"1\"") == 1);
  CHECK(count_of(page, "data-fails=\"0\"") == 1);
  CHECK(count_of(page, "data-verdict=\"2\"") == 1);
}

TEST_CASE("pictures are put into the page as they are") {
  PageOptions options;
  options.picture = [](const AssetEntry& asset) {
    return asset.name == "a" ? small_png() : std::string("no png at all");
  };
  const std::string page = html_page(report_of({done_asset("a"), done_asset("b")}), options);
  CHECK(count_of(page, "src=\"data:image/png;base64,iVBORw0KGgo") == 1);
  CHECK_THAT(page, Contains("width=\"2\" height=\"1\""));
  CHECK(count_of(page, "no picture") == 1);
}

TEST_CASE("findings of one code are listed together, the worst first") {
  const std::string page =
      html_page(report_of({done_asset("a", {sample_finding(Severity::note, "quiet"),
                                            sample_finding(Severity::warning, "outside", "j1"),
                                            sample_finding(Severity::warning, "outside", "j2"),
                                            sample_finding(Severity::error, "loud")})}));
  CHECK_THAT(page, Contains("2 times"));
  CHECK(page.find(">loud<") < page.find(">outside<"));
  CHECK(page.find(">outside<") < page.find(">quiet<"));
  CHECK(count_of(page, ">outside<") == 1);
}

TEST_CASE("the page names nothing outside itself") {
  const std::string page = html_page(report_of({done_asset("a")}));
  for (const char* word : {"http://", "https://", "<link", "@import", "url(", "fetch(", "import("})
    CHECK(count_of(page, word) == 0);
  CHECK_THAT(page, Contains("default-src 'none'"));
}

TEST_CASE("an empty report is a page too") {
  CHECK_THAT(html_page(report_of({})), Contains("0 assets"));
}

TEST_CASE("pictures come from the folder and from nowhere else") {
  const ScratchFolder folder;
  folder.write("out/a.png", small_png());
  folder.write("secret.png", small_png());
  folder.write("out/text.png", "no picture");
  fs::create_symlink(folder.path() / "secret.png", folder.path() / "out/link.png");
  const PictureSource source = pictures_below((folder.path() / "out").string());
  const auto picture = [&](const std::string& name) {
    AssetEntry asset = done_asset("a");
    asset.picture = name;
    return source(asset);
  };
  CHECK(picture("a.png") == small_png());
  CHECK(picture("./a.png") == small_png());
  for (const std::string name :
       {"../secret.png", "link.png", "text.png", "missing.png", ".", "", "../out"})
    CHECK(picture(name).empty());
  CHECK(picture((folder.path() / "secret.png").string()).empty());
  CHECK(pictures_below("/nowhere")(done_asset("a")).empty());
}

}  // namespace
}  // namespace gvbind

// Tested by tests/unit/egl/egl_test.cpp.

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "egl/egl_context.h"
#include "egl/egl_state.h"
#include "egl/slab_voxelizer.h"
#include "io/child_process.h"

namespace gvbind::egl {
namespace {

// No memory limit: drivers reserve more than they use.
constexpr ChildLimits child_limits{.memory_bytes = 0, .wall_seconds = 15, .answer_bytes = 1 << 20};

struct Answer {
  std::vector<std::string> lines;  // complete lines only
  std::string trouble;             // why the child failed, if it did
};

Answer read_answer(IsolatedChild& child) {
  const auto [bytes, end, status] = child.wait();
  const std::string text(bytes.begin(), bytes.end());
  Answer answer;
  for (std::size_t from = 0, to; (to = text.find('\n', from)) != std::string::npos; from = to + 1)
    answer.lines.push_back(text.substr(from, to - from));
  if (end == ChildAnswer::End::too_late)
    answer.trouble = "the driver hangs";
  else if (status.signal != 0)
    answer.trouble = "the driver crashes (signal " + std::to_string(status.signal) + ")";
  else if (status.exit_code != 0)
    answer.trouble = "the driver ends the process";
  return answer;
}

void write_line(int answer, std::string line) {
  std::replace_if(
      line.begin(), line.end(), [](unsigned char c) { return c < 0x20; }, ' ');
  line += '\n';
  if (!write_all(answer, std::as_bytes(std::span(line)))) std::_Exit(1);
}

// A box of 6 voxels per side; above its top is a two-sided sheet.
LatticeMesh trial_scene() {
  constexpr int low = lattice_size / 4, high = low + 6 * lattice_size / 16;
  constexpr int above = high + 2 * lattice_size / 16;
  LatticeMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.positions.emplace_back(i & 1 ? high : low, i & 2 ? high : low, i & 4 ? high : low);
  for (int i = 0; i < 4; ++i)
    mesh.positions.emplace_back(i & 1 ? high : low, i & 2 ? high : low, above + 1000 * i);
  mesh.triangles = {{0, 2, 1},  {1, 2, 3},   {4, 5, 6},  {5, 7, 6},  {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3},  {3, 6, 7},   {0, 4, 2},  {2, 4, 6},  {1, 3, 5}, {3, 7, 5},
                    {8, 9, 10}, {9, 11, 10}, {8, 10, 9}, {9, 10, 11}};
  return mesh;
}

// The reason if the device fails on the small mesh.
std::optional<std::string> try_voxelizing(EglContext& context) {
  const LatticeMesh mesh = trial_scene();
  for (const unsigned views : {unsigned(all_views), 21u, 42u}) {
    const AxisVotes votes = voxelize_slabs(context, mesh, 16, views);
    for (const BitGrid& grid : votes.axis)
      for (int z = 0; z < 16; ++z)
        for (int y = 0; y < 16; ++y)
          for (int x = 0; x < 16; ++x) {
            const bool inside = std::min({x, y, z}) >= 4 && std::max({x, y, z}) < 10;
            if (grid.test(x, y, z) != inside) return "draws a trial body wrongly";
          }
  }
  return std::nullopt;
}

// Reports each fact immediately, so that a later crash does not lose it.
void try_device(int index, int answer) {
  try {
    EglDevice device;
    device.index = index;
    EglContext context(device);
    for (const GLenum name : {GL_VENDOR, GL_RENDERER, GL_VERSION})
      write_line(answer, context.state().gl_string(name));
    write_line(answer, try_voxelizing(context).value_or("works"));
  } catch (const std::exception& problem) {
    for (int i = 0; i < 3; ++i) write_line(answer, "");
    write_line(answer, problem.what());
  }
}

bool is_software(const std::string& renderer) {
  for (const char* name :
       {"llvmpipe", "softpipe", "swrast", "lavapipe", "SwiftShader", "SWR", "Software Rasterizer"})
    if (renderer.find(name) != std::string::npos) return true;
  return false;
}

EglDevice judge(int index, Answer answer) {
  EglDevice device;
  device.index = index;
  const std::size_t said = answer.lines.size();
  answer.lines.resize(std::max<std::size_t>(said, 4));
  device.vendor = answer.lines[0];
  device.renderer = answer.lines[1];
  device.version = answer.lines[2];
  device.software = is_software(device.renderer);
  device.usable = answer.trouble.empty() && said == 4 && answer.lines[3] == "works";
  if (!device.usable)
    device.why_not = answer.trouble.empty() ? answer.lines.back() : answer.trouble;
  return device;
}

std::vector<EglDevice> probe_now() {
  IsolatedChild counter({[](int answer) {
                           const EglOffer offer = find_egl_devices();
                           write_line(answer, std::to_string(offer.count));
                           write_line(answer, offer.surfaceless ? "surfaceless" : "");
                         },
                         {}},
                        child_limits);
  const Answer found = read_answer(counter);
  std::vector<EglDevice> devices;
  if (!found.trouble.empty() || found.lines.size() < 2) {
    devices.emplace_back().why_not = "while devices are counted, " + found.trouble;
    return devices;
  }
  std::vector<int> places;
  for (int i = 0; i < std::min(std::stoi(found.lines[0]), 64); ++i) places.push_back(i);
  if (places.empty() && found.lines[1] == "surfaceless") places.push_back(-1);
  std::vector<IsolatedChild> children;
  children.reserve(places.size());
  for (const int place : places)
    children.emplace_back(
        platform::ChildWork{[place](int answer) { try_device(place, answer); }, {}}, child_limits);
  for (std::size_t i = 0; i < places.size(); ++i)
    devices.push_back(judge(places[i], read_answer(children[i])));
  const auto rank = [](const EglDevice& d) { return d.usable ? (d.software ? 1 : 0) : 2; };
  std::stable_sort(devices.begin(), devices.end(),
                   [&](const EglDevice& a, const EglDevice& b) { return rank(a) < rank(b); });
  return devices;
}

}  // namespace

std::vector<EglDevice> probe_egl_devices() {
  static const std::vector<EglDevice> devices = [] {
    try {
      return probe_now();
    } catch (const std::exception& problem) {
      EglDevice none;
      none.why_not = problem.what();
      return std::vector<EglDevice>{none};
    }
  }();
  return devices;
}

}  // namespace gvbind::egl

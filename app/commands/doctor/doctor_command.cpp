// Tested by tests/command/cli_test.py.

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "common/console.h"
#include "common/exit_codes.h"
#include "common/resources.h"
#include "egl/egl_context.h"
#include "gvbind/base/parallel.h"
#include "gvbind/bind_skin.h"
#include "gvbind/egl.h"
#include "gvbind/error.h"
#include "platform/session.h"

namespace gvbind {

namespace {

struct DoctorCommand {
  bool json = false;
};

struct BindTrial {
  const char* name;  ///< as --device names it
  std::string used;  ///< the device that rendered the solid
  std::string error;
};

/// Binds a box to two joints on this device, as a test of the whole method.
BindTrial try_bind(const char* name, Device device) {
  const std::vector<Eigen::Vector3d> corners = {{0, 0, 0}, {1, 0, 0}, {0, 4, 0}, {1, 4, 0},
                                                {0, 0, 1}, {1, 0, 1}, {0, 4, 1}, {1, 4, 1}};
  const std::vector<Triangle> faces = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                       {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                       {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  const std::array<Joint, 2> joints = {{{{0.5, 0.5, 0.5}, -1, true}, {{0.5, 2.0, 0.5}, 0, true}}};
  BindOptions options;
  options.resolution = 64;
  options.device = device;
  options.gpu = &egl::egl_voxelizer();
  BindTrial trial{name, "", ""};
  try {
    const BindResult result = gvbind::bind_skin({corners, faces}, joints, options);
    trial.used = result.statistics.device;
    if (result.statistics.interior_voxels == 0) trial.error = "found no inside of a box";
  } catch (const Error& error) {
    trial.error = error.what();
  }
  return trial;
}

struct Diagnosis {
  int threads = 0;
  std::uint64_t memory_bytes = 0, free_bytes = 0;
  std::vector<egl::EglDevice> devices;
  std::vector<BindTrial> trials;  ///< the last one uses --device auto
};

Diagnosis diagnose() {
  Diagnosis diagnosis;
  diagnosis.threads = usual_threads();
  const platform::SystemMemory memory = platform::system_memory();
  diagnosis.memory_bytes = memory.total;
  diagnosis.free_bytes = memory.free;
  diagnosis.devices = egl::probe_egl_devices();
  if (std::ranges::any_of(diagnosis.devices, &egl::EglDevice::usable))
    diagnosis.trials.push_back(try_bind("egl", Device::egl));
  diagnosis.trials.push_back(try_bind("cpu", Device::cpu));
  diagnosis.trials.push_back(try_bind("auto", Device::automatic));
  return diagnosis;
}

std::string gigabytes(std::uint64_t bytes) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f GB", static_cast<double>(bytes) / 1e9);
  return text.data();
}

void print_text(const Diagnosis& diagnosis) {
  const auto line = [](std::string name, const std::string& text) {
    name.resize(9, ' ');
    print_line(stdout, name + text);
  };
  line("gvbind", GVBIND_VERSION);
  line("threads", std::to_string(diagnosis.threads));
  line("memory",
       gigabytes(diagnosis.memory_bytes) + ", " + gigabytes(diagnosis.free_bytes) + " free");
  if (diagnosis.devices.empty()) line("EGL", "no device (not needed)");
  for (const egl::EglDevice& device : diagnosis.devices)
    line("EGL " + std::to_string(device.index),
         device.renderer + ", " + device.version + ", " +
             (device.software ? "software" : "hardware") +
             (device.usable ? "" : ", not usable: " + device.why_not));
  for (const BindTrial& trial : diagnosis.trials)
    line("bind", std::string("--device ") + trial.name + ": " +
                     (trial.error.empty() ? "works on " + trial.used : trial.error));
}

void print_report(const Diagnosis& diagnosis, int exit_code) {
  using nlohmann::ordered_json;
  ordered_json devices = ordered_json::array(), binds = ordered_json::array();
  for (const egl::EglDevice& device : diagnosis.devices)
    devices.push_back({{"index", device.index},
                       {"renderer", device.renderer},
                       {"version", device.version},
                       {"software", device.software},
                       {"usable", device.usable},
                       {"error", device.usable ? ordered_json() : ordered_json(device.why_not)}});
  for (const BindTrial& trial : diagnosis.trials)
    binds.push_back({{"device", trial.name},
                     {"works", trial.error.empty()},
                     {"used", trial.used},
                     {"error", trial.error.empty() ? ordered_json() : ordered_json(trial.error)}});
  const ordered_json report = {{"tool", {{"name", "gvbind"}, {"version", GVBIND_VERSION}}},
                               {"threads", diagnosis.threads},
                               {"memory_bytes", diagnosis.memory_bytes},
                               {"free_bytes", diagnosis.free_bytes},
                               {"egl_devices", devices},
                               {"binds", binds},
                               {"exit_code", exit_code}};
  print_json(stdout, report.dump(2, ' ', false, ordered_json::error_handler_t::replace));
}

/// Returns the exit code of the process.
int run_doctor(const DoctorCommand& command) {
  set_up_threads(0);
  const Diagnosis diagnosis = diagnose();
  const bool works = diagnosis.trials.back().error.empty();
  const int code = works ? 0 : exit_code(ErrorKind::resource);
  if (command.json)
    print_report(diagnosis, code);
  else
    print_text(diagnosis);
  return code;
}

}  // namespace

Subcommand add_doctor(CLI::App& app) {
  const auto command = std::make_shared<DoctorCommand>();
  CLI::App* doctor = app.add_subcommand(
      "doctor", "Check devices, threads and memory, and whether a bind works here");
  doctor->add_flag("--json", command->json, "As JSON");
  return {doctor, [command] { return run_doctor(*command); }};
}

}  // namespace gvbind

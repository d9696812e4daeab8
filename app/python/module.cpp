// Tested by tests/python/module_test.py.

#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "cli/program.h"
#include "common/exit_codes.h"
#include "python/array_bind.h"
#include "python/command_calls.h"
#include "report/batch_report.h"

namespace py = pybind11;

namespace gvbind {

namespace {

/// Releases Python's lock while running. Exceptions other than Python's own become an Error.
template <typename Work>
auto unlocked(Work&& work) {
  const py::gil_scoped_release released;
  try {
    return work();
  } catch (const py::error_already_set&) {
    throw;
  } catch (...) {
    throw caught_error();
  }
}

/// Reports each stage to `callback` (or None), and lets Python run its signal handlers.
Progress python_progress(const py::object& callback) {
  return [callback = callback.ptr()](const char* stage, double done) {
    const py::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (callback != Py_None) py::reinterpret_borrow<py::object>(callback)(stage, done);
  };
}

[[noreturn]] void refuse_array(const std::string& message) {
  throw Error(ErrorKind::usage, message);
}

/// Rows of three numbers. Returns the array itself if its elements are contiguous `Scalar`s.
template <typename Scalar>
py::array_t<Scalar> three_columns(const py::array& given, const char* name) {
  if (given.ndim() != 2 || given.shape(1) != 3)
    refuse_array(std::string(name) + ": is no array of N rows and 3 columns");
  const bool in_place = py::isinstance<py::array_t<Scalar>>(given) && given.strides(0) > 0 &&
                        given.strides(1) == static_cast<py::ssize_t>(sizeof(Scalar));
  if (in_place) return py::reinterpret_borrow<py::array_t<Scalar>>(given);
  return py::array_t<Scalar, py::array::c_style | py::array::forcecast>(given);
}

template <typename Scalar>
PositionView view_of(const py::array_t<Scalar>& rows) {
  return {rows.data(), static_cast<std::size_t>(rows.shape(0)),
          static_cast<std::size_t>(rows.strides(0))};
}

/// Positions together with the array that they view.
struct Positions {
  py::array held;
  PositionView view;
};

Positions positions_of(const py::array& given) {
  if (py::isinstance<py::array_t<double>>(given)) {
    const auto rows = three_columns<double>(given, "positions");
    return {rows, view_of(rows)};
  }
  const auto rows = three_columns<float>(given, "positions");
  return {rows, view_of(rows)};
}

struct Triangles {
  py::array held;
  std::span<const Triangle> view;
};

Triangles triangles_of(const py::array& given) {
  using Packed = py::array_t<std::uint32_t, py::array::c_style>;
  if (given.ndim() != 2 || given.shape(1) != 3)
    refuse_array("triangles: is no array of N rows and 3 columns");
  const char kind = given.dtype().kind();
  if (kind != 'u' && kind != 'i') refuse_array("triangles: are no whole numbers");
  Packed packed;
  if (Packed::check_(given)) {
    packed = py::reinterpret_borrow<Packed>(given);
  } else {
    const py::array_t<std::int64_t, py::array::c_style | py::array::forcecast> wide(given);
    packed = Packed({wide.shape(0), py::ssize_t{3}});
    for (py::ssize_t i = 0; i < wide.size(); ++i) {
      const std::int64_t index = wide.data()[i];
      if (index < 0 || index > std::numeric_limits<std::uint32_t>::max())
        refuse_array("triangles: " + std::to_string(index) + " is no index of a position");
      packed.mutable_data()[i] = static_cast<std::uint32_t>(index);
    }
  }
  static_assert(sizeof(Triangle) == 3 * sizeof(std::uint32_t));
  return {packed,
          {reinterpret_cast<const Triangle*>(packed.data()),
           static_cast<std::size_t>(packed.shape(0))}};
}

/// Parses (position, parent, name, deforms); only the position is required. Throws TypeError
/// naming the joint's index.
Joint joint_of(const py::handle& given, std::size_t number) {
  const auto refuse = [&](const char* why) {
    throw py::type_error("joints[" + std::to_string(number) + "]: " + why);
  };
  const auto cast = [&]<typename Value>(const py::handle& field, Value& value, const char* why) {
    try {
      value = py::cast<Value>(field);
    } catch (const py::cast_error&) {
      refuse(why);
    }
  };
  if (!py::isinstance<py::sequence>(given) || py::isinstance<py::str>(given))
    refuse("is no Joint and no tuple of (position, parent, name, deforms)");
  const auto fields = py::reinterpret_borrow<py::sequence>(given);
  if (fields.size() == 0 || fields.size() > 4)
    refuse("does not have 1 to 4 fields: position, parent, name, deforms");
  constexpr const char* no_position = "its position is not three numbers";
  Joint joint;
  std::vector<double> position;
  cast(fields[0], position, no_position);
  if (position.size() != 3) refuse(no_position);
  joint.position = {position[0], position[1], position[2]};
  if (fields.size() > 1) cast(fields[1], joint.parent, "its parent is not a whole number");
  if (fields.size() > 2) cast(fields[2], joint.name, "its name is not a text");
  if (fields.size() > 3) cast(fields[3], joint.deforms, "its deforms is not a bool");
  return joint;
}

std::vector<Joint> joints_of(const py::sequence& given) {
  std::vector<Joint> joints;
  for (const py::handle& entry : given) joints.push_back(joint_of(entry, joints.size()));
  return joints;
}

/// A NumPy array that owns the vector's memory, without a copy.
template <typename T>
py::array_t<T> array_of(std::vector<T>&& values) {
  auto* held = new std::vector<T>(std::move(values));
  const py::capsule owner(held, [](void* p) { delete static_cast<std::vector<T>*>(p); });
  return py::array_t<T>(static_cast<py::ssize_t>(held->size()), held->data(), owner);
}

py::list findings_of(const Findings& findings) {
  return py::module_::import("json").attr("loads")(json_line(json_of(findings)));
}

py::dict statistics_of(const BindStatistics& statistics) {
  py::dict seconds;
  for (const StageTime& stage : statistics.stages) seconds[py::str(stage.stage)] = stage.seconds;
  py::dict out;
  out["device"] = statistics.device;
  out["seconds"] = seconds;
  out["unreached_vertices"] = statistics.unreached_vertices;
  return out;
}

py::tuple bind_arrays(const py::array& positions, const py::array& triangles,
                      const py::sequence& joints, const NamedValues& given, int threads,
                      const py::object& progress) {
  const Positions points = positions_of(positions);
  const Triangles faces = triangles_of(triangles);
  const std::vector<Joint> skeleton = joints_of(joints);
  BindResult result = unlocked([&] {
    BindOptions options = array_options(given);
    options.threads = threads;
    return bind_skin({points.view, faces.view}, skeleton, options,
                     {.progress = python_progress(progress)});
  });
  SkinWeights& weights = result.weights;
  return py::make_tuple(array_of(std::move(weights.first)), array_of(std::move(weights.joint)),
                        array_of(std::move(weights.weight)), findings_of(result.findings),
                        statistics_of(result.statistics));
}

template <typename T>
std::vector<T> copied(const py::array_t<T, py::array::c_style | py::array::forcecast>& array) {
  return {array.data(), array.data() + array.size()};
}

py::array_t<std::uint16_t> four_columns(const std::vector<std::array<std::uint16_t, 4>>& rows) {
  py::array_t<std::uint16_t> out({static_cast<py::ssize_t>(rows.size()), py::ssize_t{4}});
  std::memcpy(out.mutable_data(), rows.data(), rows.size() * sizeof rows[0]);
  return out;
}

using Indices = py::array_t<std::uint32_t, py::array::c_style | py::array::forcecast>;
using Shares = py::array_t<float, py::array::c_style | py::array::forcecast>;

py::tuple pack_arrays(const Indices& first, const Indices& joints, const Shares& weights) {
  const SkinWeights rows{copied(first), copied(joints), copied(weights)};
  const bool whole = !rows.first.empty() && rows.first.back() == rows.joint.size() &&
                     rows.joint.size() == rows.weight.size() &&
                     std::ranges::is_sorted(rows.first) && rows.first[0] == 0;
  if (!whole) refuse_array("weights: their rows do not fit together");
  const PackedWeights packed = pack(rows);
  return py::make_tuple(four_columns(packed.joints), four_columns(packed.weights));
}

int run_words(const std::vector<std::string>& words) {
  std::vector<std::string> held = words;
  std::vector<char*> argv;
  for (std::string& word : held) argv.push_back(word.data());
  argv.push_back(nullptr);
  const py::gil_scoped_release released;
  return run_program(static_cast<int>(held.size()), argv.data());
}

/// Raises gvbind.GvbindError, a class defined by the package.
void raise_error(const Error& error) {
  const py::object type = py::module_::import("gvbind").attr("GvbindError");
  const py::object raised = type(error.what(), name_of(error.kind()), exit_code(error.kind()));
  PyErr_SetObject(type.ptr(), raised.ptr());
}

}  // namespace

PYBIND11_MODULE(_gvbind, extension) {
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Error& error) {
      raise_error(error);
    }
  });
  extension.attr("version") = ReportTool::program_version();
  extension.def("bind_arrays", &bind_arrays, py::arg("positions"), py::arg("triangles"),
                py::arg("joints"), py::arg("options"), py::arg("threads"), py::arg("progress"));
  extension.def("pack_arrays", &pack_arrays, py::arg("first"), py::arg("joints"),
                py::arg("weights"));
  extension.def(
      "bind_words",
      [](const Words& words, const py::object& progress) {
        return json_line(unlocked([&] { return call_bind(words, python_progress(progress)); }));
      },
      py::arg("words"), py::arg("progress"));
  struct Call {
    const char* name;
    Json (*run)(const Words&);
  };
  for (const Call call : {Call{"check_words", call_check}, Call{"convert_words", call_convert},
                          Call{"transfer_words", call_transfer}, Call{"rig_words", call_rig},
                          Call{"refine_words", call_refine}})
    extension.def(
        call.name,
        [run = call.run](const Words& words) {
          return json_line(unlocked([&] { return run(words); }));
        },
        py::arg("words"));
  extension.def("run_words", &run_words, py::arg("words"));
}

}  // namespace gvbind

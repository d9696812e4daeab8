// Tested by tests/python/module_test.py.

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/program.h"
#include "python/array_bind.h"
#include "python/command_calls.h"
#include "python/python_object.h"
#include "report/batch_report.h"

namespace gvbind::python {

namespace {

/// The answer of a function of the module: an object, or null while an exception is set.
template <typename Work>
PyObject* answer(Work&& work) {
  try {
    return work().release();
  } catch (...) {
    raise_caught(std::current_exception());
    return nullptr;
  }
}

template <typename... Places>
void parse(PyObject* arguments, const char* format, Places... places) {
  if (!PyArg_ParseTuple(arguments, format, places...)) throw RaisedError();
}

Object none() {
  Py_INCREF(Py_None);
  return Object(Py_None);
}

Object text_object(const std::string& text) {
  return checked(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

/// Memory of an array that the caller keeps: its address as a number.
template <typename Value>
Value* memory_at(unsigned long long address) {
  return reinterpret_cast<Value*>(static_cast<std::uintptr_t>(address));
}

template <typename Value>
unsigned long long address_of(const std::vector<Value>& values) {
  return reinterpret_cast<std::uintptr_t>(values.data());
}

PositionView positions_of(PyObject* given) {
  unsigned long long address = 0;
  Py_ssize_t rows = 0, stride = 0;
  int wide = 0;
  parse(given, "Knnp", &address, &rows, &stride, &wide);
  const auto count = static_cast<std::size_t>(rows), step = static_cast<std::size_t>(stride);
  if (wide) return {memory_at<const double>(address), count, step};
  return {memory_at<const float>(address), count, step};
}

std::span<const Triangle> triangles_of(PyObject* given) {
  static_assert(sizeof(Triangle) == 3 * sizeof(std::uint32_t));
  unsigned long long address = 0;
  Py_ssize_t rows = 0;
  parse(given, "Kn", &address, &rows);
  return {memory_at<const Triangle>(address), static_cast<std::size_t>(rows)};
}

std::vector<Joint> joints_of(PyObject* given) {
  std::vector<Joint> joints;
  for_each_of(given, [&](PyObject* entry) {
    Joint joint;
    PyObject* name = nullptr;
    int deforms = 0;
    parse(entry, "dddiUp", &joint.position.x(), &joint.position.y(), &joint.position.z(),
          &joint.parent, &name, &deforms);
    joint.name = text_of(name);
    joint.deforms = deforms != 0;
    joints.push_back(joint);
  });
  return joints;
}

NamedValues options_of(PyObject* given) {
  NamedValues options;
  for_each_of(given, [&](PyObject* entry) {
    PyObject *name = nullptr, *values = nullptr;
    parse(entry, "UO", &name, &values);
    options.emplace_back(text_of(name), words_of(values));
  });
  return options;
}

Object seconds_of(const BindStatistics& statistics) {
  Object seconds = checked(PyDict_New());
  for (const StageTime& stage : statistics.stages) {
    const Object value = checked(PyFloat_FromDouble(stage.seconds));
    if (PyDict_SetItemString(seconds.get(), stage.stage.c_str(), value.get()) != 0)
      throw RaisedError();
  }
  return seconds;
}

/// The weights together with a capsule that keeps their memory.
Object weights_object(SkinWeights&& weights) {
  auto held = std::make_unique<SkinWeights>(std::move(weights));
  const SkinWeights& rows = *held;
  const Object keeper = checked(PyCapsule_New(held.get(), nullptr, [](PyObject* capsule) {
    delete static_cast<SkinWeights*>(PyCapsule_GetPointer(capsule, nullptr));
  }));
  (void)held.release();
  return checked(Py_BuildValue(
      "OKnKKn", keeper.get(), address_of(rows.first), static_cast<Py_ssize_t>(rows.first.size()),
      address_of(rows.joint), address_of(rows.weight), static_cast<Py_ssize_t>(rows.joint.size())));
}

PyObject* bind_arrays(PyObject*, PyObject* arguments) {
  return answer([&] {
    PyObject *positions = nullptr, *triangles = nullptr, *joints = nullptr, *given = nullptr,
             *progress = nullptr;
    int threads = 0;
    parse(arguments, "OOOOiO", &positions, &triangles, &joints, &given, &threads, &progress);
    const PositionView points = positions_of(positions);
    const std::span<const Triangle> faces = triangles_of(triangles);
    const std::vector<Joint> skeleton = joints_of(joints);
    const NamedValues named = options_of(given);
    BindResult result;
    unlocked([&] {
      BindOptions options = array_options(named);
      options.threads = threads;
      result =
          bind_skin({points, faces}, skeleton, options, {.progress = python_progress(progress)});
    });
    const Object weights = weights_object(std::move(result.weights));
    const Object findings = text_object(json_line(json_of(result.findings)));
    const Object seconds = seconds_of(result.statistics);
    const Object device = text_object(result.statistics.device);
    return checked(Py_BuildValue("OOOOn", weights.get(), findings.get(), device.get(),
                                 seconds.get(),
                                 static_cast<Py_ssize_t>(result.statistics.unreached_vertices)));
  });
}

template <typename Value>
std::vector<Value> copied(unsigned long long address, Py_ssize_t count) {
  const Value* const values = memory_at<const Value>(address);
  return {values, values + count};
}

void copy_rows(const std::vector<std::array<std::uint16_t, 4>>& rows, unsigned long long address) {
  if (!rows.empty())
    std::memcpy(memory_at<void>(address), rows.data(), rows.size() * sizeof rows[0]);
}

PyObject* pack_arrays(PyObject*, PyObject* arguments) {
  return answer([&] {
    unsigned long long first = 0, joints = 0, weights = 0, packed_joints = 0, packed_weights = 0;
    Py_ssize_t firsts = 0, joint_count = 0, weight_count = 0;
    parse(arguments, "KnKnKnKK", &first, &firsts, &joints, &joint_count, &weights, &weight_count,
          &packed_joints, &packed_weights);
    const SkinWeights rows{copied<std::uint32_t>(first, firsts),
                           copied<std::uint32_t>(joints, joint_count),
                           copied<float>(weights, weight_count)};
    const bool whole = !rows.first.empty() && rows.first.back() == rows.joint.size() &&
                       rows.joint.size() == rows.weight.size() &&
                       std::ranges::is_sorted(rows.first) && rows.first[0] == 0;
    if (!whole) throw Error(ErrorKind::usage, "weights: their rows do not fit together");
    const PackedWeights packed = pack(rows);
    copy_rows(packed.joints, packed_joints);
    copy_rows(packed.weights, packed_weights);
    return none();
  });
}

PyObject* bind_words(PyObject*, PyObject* arguments) {
  return answer([&] {
    PyObject *given = nullptr, *progress = nullptr;
    parse(arguments, "OO", &given, &progress);
    const Words words = words_of(given);
    std::string report;
    unlocked([&] { report = json_line(call_bind(words, python_progress(progress))); });
    return text_object(report);
  });
}

template <Json (*run)(const Words&)>
PyObject* call_words(PyObject*, PyObject* given) {
  return answer([&] {
    const Words words = words_of(given);
    std::string report;
    unlocked([&] { report = json_line(run(words)); });
    return text_object(report);
  });
}

PyObject* run_words(PyObject*, PyObject* given) {
  return answer([&] {
    Words words = words_of(given);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    int code = 0;
    unlocked([&] { code = run_program(static_cast<int>(words.size()), argv.data()); });
    return checked(PyLong_FromLong(code));
  });
}

PyMethodDef functions[] = {{"bind_arrays", bind_arrays, METH_VARARGS, nullptr},
                           {"pack_arrays", pack_arrays, METH_VARARGS, nullptr},
                           {"bind_words", bind_words, METH_VARARGS, nullptr},
                           {"check_words", call_words<call_check>, METH_O, nullptr},
                           {"convert_words", call_words<call_convert>, METH_O, nullptr},
                           {"transfer_words", call_words<call_transfer>, METH_O, nullptr},
                           {"rig_words", call_words<call_rig>, METH_O, nullptr},
                           {"refine_words", call_words<call_refine>, METH_O, nullptr},
                           {"run_words", run_words, METH_O, nullptr},
                           {nullptr, nullptr, 0, nullptr}};

PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_gvbind", nullptr, -1, functions, nullptr, nullptr, nullptr, nullptr};

}  // namespace

}  // namespace gvbind::python

PyMODINIT_FUNC PyInit__gvbind() {
  using namespace gvbind;
  python::Object extension(PyModule_Create(&python::definition));
  if (!extension || PyModule_AddStringConstant(extension.get(), "version",
                                               ReportTool::program_version().c_str()) != 0)
    return nullptr;
  return extension.release();
}

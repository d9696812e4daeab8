#include "python/python_object.h"

#include "common/exit_codes.h"

namespace gvbind::python {

namespace {

/// An error of a callback, held until the calling thread has Python's lock.
struct HeldError {
  PyObject* type = nullptr;
  PyObject* value = nullptr;
  PyObject* trace = nullptr;
};

struct Lock {
  PyGILState_STATE state = PyGILState_Ensure();
  Lock() = default;
  Lock(const Lock&) = delete;
  ~Lock() { PyGILState_Release(state); }
};

[[noreturn]] void throw_held() {
  HeldError held;
  PyErr_Fetch(&held.type, &held.value, &held.trace);
  throw held;
}

}  // namespace

Object checked(PyObject* object) {
  if (!object) throw RaisedError();
  return Object(object);
}

std::string text_of(PyObject* text) {
  const Object bytes = checked(PyUnicode_AsEncodedString(text, "utf-8", "surrogateescape"));
  char* data = nullptr;
  Py_ssize_t size = 0;
  if (PyBytes_AsStringAndSize(bytes.get(), &data, &size) != 0) throw RaisedError();
  return {data, static_cast<std::size_t>(size)};
}

Words words_of(PyObject* sequence) {
  Words words;
  for_each_of(sequence, [&](PyObject* word) { words.push_back(text_of(word)); });
  return words;
}

Progress python_progress(PyObject* callback) {
  return [callback](const char* stage, double done) {
    const Lock lock;
    if (PyErr_CheckSignals() != 0) throw_held();
    if (callback == Py_None) return;
    const Object answer(PyObject_CallFunction(callback, "sd", stage, done));
    if (!answer) throw_held();
  };
}

void raise_caught(const std::exception_ptr& thrown) {
  try {
    try {
      std::rethrow_exception(thrown);
    } catch (const RaisedError&) {
    } catch (const HeldError& held) {
      PyErr_Restore(held.type, held.value, held.trace);
    } catch (...) {
      const Error error = caught_error();
      const Object package = checked(PyImport_ImportModule("gvbind"));
      const Object type = checked(PyObject_GetAttrString(package.get(), "GvbindError"));
      const Object raised = checked(PyObject_CallFunction(
          type.get(), "ssi", error.what(), name_of(error.kind()), exit_code(error.kind())));
      PyErr_SetObject(type.get(), raised.get());
    }
  } catch (const RaisedError&) {
  }
}

}  // namespace gvbind::python

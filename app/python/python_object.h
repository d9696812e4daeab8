#pragma once

// Tested by tests/python/module_test.py.

// The part of Python's interface that stays the same from 3.9 on, so that one module serves all.
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x03090000
#include <Python.h>

#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "gvbind/error.h"
#include "gvbind/monitor.h"
#include "python/command_calls.h"

namespace gvbind::python {

/// A reference that is released at the end; may be null.
struct ReleaseObject {
  void operator()(PyObject* object) const { Py_DECREF(object); }
};
using Object = std::unique_ptr<PyObject, ReleaseObject>;

/// Thrown while an exception of Python's is set.
struct RaisedError {};

/// The object, which Python has just returned. Throws RaisedError for null.
Object checked(PyObject* object);

/// UTF-8; bytes of file names that are none stay as they are. Throws RaisedError if `text` is none.
std::string text_of(PyObject* text);

/// Throws RaisedError if `sequence` is none, or has an entry that is no text.
Words words_of(PyObject* sequence);

/// Calls `use` with each entry. Throws RaisedError if `sequence` is none.
template <typename Use>
void for_each_of(PyObject* sequence, Use&& use) {
  const Py_ssize_t count = PySequence_Size(sequence);
  if (count < 0) throw RaisedError();
  for (Py_ssize_t i = 0; i < count; ++i) use(checked(PySequence_GetItem(sequence, i)).get());
}

/// Reports each stage to `callback` (or None), and lets Python run its signal handlers. Called
/// without Python's lock, on any thread. An error of the callback is thrown, for `unlocked`.
Progress python_progress(PyObject* callback);

/// Raises an exception of ours as gvbind.GvbindError, a class defined by the package, and an error
/// of a callback as itself. Does nothing for RaisedError.
void raise_caught(const std::exception_ptr& thrown);

/// Runs without Python's lock. Throws RaisedError if `work` throws anything.
template <typename Work>
void unlocked(Work&& work) {
  std::exception_ptr thrown;
  PyThreadState* const state = PyEval_SaveThread();
  try {
    work();
  } catch (...) {
    thrown = std::current_exception();
  }
  PyEval_RestoreThread(state);
  if (!thrown) return;
  raise_caught(thrown);
  throw RaisedError();
}

}  // namespace gvbind::python

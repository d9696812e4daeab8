#pragma once

#include <functional>

namespace gvbind::egl {

class EglContext;
struct EglDevice;

/// Runs `work` with a context of the device current on this thread, one caller at a time. The first
/// call creates the context; later calls on any thread reuse it until the process exits. It is
/// released if `work` throws or the device changes; the next call then creates a new one. A nested
/// call from `work` gets a separate context. Throws Error(resource) if no context is available, and
/// in a process forked after a device was opened.
void with_shared_context(const EglDevice& device, const std::function<void(EglContext&)>& work);

/// Whether this process has a context that the next call would reuse.
bool keeps_shared_context();

}  // namespace gvbind::egl

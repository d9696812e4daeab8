#pragma once

#include <functional>

namespace gvbind {

class EglContext;
struct EglDevice;

/// Runs `work` with a context of the device, current on this thread, one caller at a time. The
/// context is made by the first call and kept for the next ones, whatever thread they come from;
/// it is given back when the process exits. Where `work` throws, or the device changes, it is given
/// back at once and the next call makes a fresh one. A call from within `work` gets a context of
/// its own. Throws Error(resource) where there is none,
/// and in a process that was forked off one that has opened a device.
void with_shared_context(const EglDevice& device, const std::function<void(EglContext&)>& work);

/// Whether this process has a context that the next call would take.
bool keeps_shared_context();

}  // namespace gvbind

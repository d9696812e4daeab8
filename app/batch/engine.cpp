#include "batch/engine.h"

#include "gvbind/error.h"

namespace gvbind {

int run_batch_engine(const BatchCommand&, std::vector<BatchAsset>) {
  throw Error(ErrorKind::internal, "batch: binding is not built yet");
}

}  // namespace gvbind

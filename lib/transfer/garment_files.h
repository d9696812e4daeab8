#pragma once

// Tested by tests/command/transfer_test.py.

#include <filesystem>
#include <string>
#include <vector>

#include "bind/input_file.h"
#include "character/scene.h"
#include "gvbind/transfer.h"

// A transfer is a sequence of functions on files:
//   TransferFiles files = read_transfer(request);
//   for each garment:
//     const JointMatch match = match_garment(files.body, garment);
//     write_garment(request, files, match, garment);
// transfer_files() is the same for programs.

namespace gvbind::transfer {

struct TransferRequest {
  std::filesystem::path body;
  std::vector<std::string> garments;  ///< files, or globs of meshes of the body's file
  std::string output;                 ///< a file or a folder
  TransferFileOptions options;
};

/// A file to write, in which the selected meshes get weights.
struct Garment {
  InputFile file;
  Selection found = {};      ///< finds the document's joints
  std::vector<bool> meshes;  ///< by mesh, whether it is selected
  bool in_body = false;      ///< the garment is in the body's own file
  std::string output;
  Findings findings;  ///< of reading the file
};

struct TransferFiles {
  InputFile body;
  std::vector<bool> body_meshes;  ///< by mesh, whether it gives weights
  std::vector<Garment> garments;
};

/// Reads all files, and refuses outputs that cannot be written. Throws Error: usage, input,
/// resource, output, cannot_bind.
TransferFiles read_transfer(const TransferRequest& request);

/// The joints of a garment for those of the body.
struct JointMatch {
  /// By joint of the body: the joint of its name, else that of the nearest one above.
  std::vector<int> joint_of;
  std::vector<std::string> unmatched;  ///< joints that deform and have no namesake
};

/// Throws Error(cannot_bind) where the garment has none of the body's joints.
JointMatch match_garment(const InputFile& body, const Garment& garment);

/// Computes the weights of a garment and writes its file. Throws Error: cannot_bind, output.
TransferredFile write_garment(const TransferRequest& request, const TransferFiles& files,
                              const JointMatch& match, Garment& garment);

}  // namespace gvbind::transfer

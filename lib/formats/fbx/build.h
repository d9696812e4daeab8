#pragma once

// Tested by tests/unit/formats/convert/convert_test.cpp.

#include <memory>

#include "character/scene.h"
#include "formats/fbx/document.h"

namespace gvbind {

/// A binary 7.4 document without objects, to be filled by an FbxEditor.
FbxDocument empty_fbx(const Units& units);

/// The document as a reader of its bytes would have it, in its encoding.
std::shared_ptr<FbxDocument> finished_fbx(const FbxDocument& document);

/// Writes the frame rate into GlobalSettings; 30 if FBX has no number for it.
void set_time_mode(FbxDocument& document, double rate);

/// "7.4" for 7400.
std::string fbx_version_text(std::uint32_t version);

/// A node with one text value.
FbxNode text_node(std::string_view name, std::string_view value);

/// An entry of Properties70 with one number.
FbxNode integer_entry(std::string_view name, std::int32_t value);
FbxNode number_entry(std::string_view name, double value);

/// A layer element of a geometry, without its values.
FbxNode layer_element(std::string_view name, std::string_view mapping, std::string_view reference,
                      std::int32_t number = 0);

/// All components of the vectors, one after the other.
template <typename Vector>
FbxNode vectors_node(std::string_view name, const std::vector<Vector>& vectors) {
  std::vector<double> values;
  values.reserve(vectors.size() * 3);
  for (const Vector& v : vectors)
    for (const auto component : v) values.push_back(static_cast<double>(component));
  return make_node(name, {make_array(values)});
}

}  // namespace gvbind

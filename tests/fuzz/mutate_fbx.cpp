#include <algorithm>
#include <cstring>

#include "formats/fbx/document.h"
#include "formats/fbx/fbx.h"
#include "mutate.h"

namespace gvbind::fuzz {
namespace {

void collect(FbxNode& node, std::vector<FbxNode*>& all) {
  all.push_back(&node);
  for (FbxNode& child : node.children) collect(child, all);
}

template <typename T>
void set_scalar(FbxProperty& property, T value) {
  property.data.resize(sizeof value);
  std::memcpy(property.data.data(), &value, sizeof value);
}

template <typename T, typename Odd>
FbxProperty changed_array(std::vector<T> values, const Odd& odd, Random& random) {
  if (values.empty() || pick(random, 8) == 0) {
    values.resize(pick(random, 2 * values.size() + 2));
    return make_array(std::span<const T>(values));
  }
  for (std::size_t i = 0; i <= pick(random, 4); ++i) {
    T& value = values[pick(random, values.size())];
    value = pick(random, 2) ? values[pick(random, values.size())] : static_cast<T>(odd());
  }
  return make_array(std::span<const T>(values));
}

void change_array(FbxNode& node, FbxProperty& property, Random& random) {
  try {
    if (property.type == 'd')
      property = changed_array(
          doubles_of(node), [&] { return odd_number(random); }, random);
    if (property.type == 'i')
      property = changed_array(
          integers_of(node), [&] { return odd_integer(random); }, random);
  } catch (const Error&) {
    // An array that was already damaged stays as it is.
  }
}

void change_property(FbxNode& node, FbxProperty& property, Random& random) {
  switch (property.type) {
    case 'd':
    case 'i':
      return change_array(node, property, random);
    case 'D':
      return set_scalar(property, odd_number(random));
    case 'F':
      return set_scalar(property, static_cast<float>(odd_number(random)));
    case 'I':
      return set_scalar(property, static_cast<std::int32_t>(odd_integer(random)));
    case 'L':
      return set_scalar(property, odd_integer(random));
    case 'S':
      property.data.resize(pick(random, property.data.size() + 1));
      return;
    default:
      if (!property.data.empty() && !is_array(property))
        property.data[pick(random, property.data.size())] = static_cast<char>(pick(random, 256));
  }
}

void change_properties(std::vector<FbxNode*>& all, Random& random) {
  std::vector<FbxNode*> holders;
  for (FbxNode* node : all)
    if (!node->properties.empty()) holders.push_back(node);
  if (holders.empty()) return;
  FbxNode& node = *holders[pick(random, holders.size())];
  FbxNode& other = *holders[pick(random, holders.size())];
  FbxProperty& property = node.properties[pick(random, node.properties.size())];
  switch (pick(random, 6)) {
    case 0:
      property = FbxProperty(other.properties[pick(random, other.properties.size())]);
      break;
    case 1:
      if (node.properties.size() == other.properties.size())
        std::swap(node.properties, other.properties);
      break;
    default:
      change_property(node, property, random);
  }
}

void change_children(std::vector<FbxNode*>& all, Random& random) {
  std::vector<FbxNode*> parents;
  for (FbxNode* node : all)
    if (!node->children.empty()) parents.push_back(node);
  if (parents.empty()) return;
  FbxNode& parent = *parents[pick(random, parents.size())];
  FbxNode& child = parent.children[pick(random, parent.children.size())];
  switch (pick(random, 4)) {
    case 0:
      parent.children.erase(parent.children.begin() + (&child - parent.children.data()));
      break;
    case 1:
      std::swap(child, parent.children[pick(random, parent.children.size())]);
      break;
    case 2:
      child.name = std::string(all[pick(random, all.size())]->name);
      break;
    default:
      parent.children.push_back(FbxNode(*all[pick(random, all.size())]));
      parent.null_record = true;
  }
}

}  // namespace

Bytes mutate_fbx(Bytes bytes, std::size_t room, Random& random) {
  if (!is_binary_fbx(bytes)) return mutate_text(std::move(bytes), room, random);
  try {
    const std::shared_ptr<FbxDocument> document = parse_fbx(bytes, {});
    std::vector<FbxNode*> all;
    collect(document->root, all);
    if (pick(random, 4) == 0)
      change_children(all, random);
    else
      change_properties(all, random);
    return write_binary_fbx(*document);
  } catch (const Error&) {
    return mutate_bytes(std::move(bytes), room);
  }
}

}  // namespace gvbind::fuzz

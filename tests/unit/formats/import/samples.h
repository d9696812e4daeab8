#pragma once

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "gvbind/error.h"
#include "support/scratch_folder.h"

namespace gvbind::test {

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

/// The message of an Error of this kind thrown by `work`; it has one line.
template <typename Work>
std::string error_of(ErrorKind kind, const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    CHECK(error.kind() == kind);
    const std::string message = error.what();
    CHECK(message.find('\n') == std::string::npos);
    return message;
  }
  FAIL("no error");
  return {};
}

inline const std::string obj_text = R"(mtllib a.mtl
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
v 1 0 1
g front
usemtl red
f 1 2 3 4
g bottom
f 1 2 6 5
l 1 2
)";

inline const std::string ply_text = R"(ply
format ascii 1.0
element vertex 4
property float x
property float y
property float z
element face 1
property list uchar int vertex_indices
end_header
0 0 0
1 0 0
1 1 0
0 1 0
4 0 1 2 3
)";

inline const std::string stl_text = R"(solid s
facet normal 0 0 1
outer loop
vertex 0 0 0
vertex 1 0 0
vertex 1 1 0
endloop
endfacet
facet normal 1 0 0
outer loop
vertex 0 0 0
vertex 1 1 0
vertex 0 1 0
endloop
endfacet
endsolid s
)";

inline const std::string bvh_text = R"(HIERARCHY
ROOT Hips
{
  OFFSET 0 36 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Spine
  {
    OFFSET 0 10 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 20 0
    }
  }
  JOINT Leg
  {
    OFFSET 4 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 -36 0
    }
  }
}
MOTION
Frames: 1
Frame Time: 0.0333
5 36 0 0 0 0 0 30 0 0 0 0
)";

/// Centimeters, Z up. Three joints, 100 apart vertically, from 5 above the origin; a strip of six
/// vertices along them. The bind shape matrix raises it by 5. The third joint has no weights.
inline const std::string dae_text = R"(<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="centimeter" meter="0.01"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g" name="Strip"><mesh>
<source id="gp"><float_array id="gpa" count="18">0 0 0 10 0 0 0 0 100 10 0 100 0 0 200 10 0 200</float_array>
<technique_common><accessor source="#gpa" count="6" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="gv"><input semantic="POSITION" source="#gp"/></vertices>
<triangles count="4"><input semantic="VERTEX" source="#gv" offset="0"/><p>0 1 2 1 3 2 2 3 4 3 5 4</p></triangles>
</mesh></geometry></library_geometries>
<library_controllers><controller id="c"><skin source="#g">
<bind_shape_matrix>1 0 0 0 0 1 0 0 0 0 1 5 0 0 0 1</bind_shape_matrix>
<source id="cj"><Name_array id="cja" count="3">low high tip</Name_array><technique_common><accessor source="#cja" count="3" stride="1"><param name="JOINT" type="name"/></accessor></technique_common></source>
<source id="cb"><float_array id="cba" count="48">1 0 0 0 0 1 0 0 0 0 1 -5 0 0 0 1  1 0 0 0 0 1 0 0 0 0 1 -105 0 0 0 1  1 0 0 0 0 1 0 0 0 0 1 -205 0 0 0 1</float_array><technique_common><accessor source="#cba" count="3" stride="16"><param name="TRANSFORM" type="float4x4"/></accessor></technique_common></source>
<source id="cw"><float_array id="cwa" count="2">1 0.25</float_array><technique_common><accessor source="#cwa" count="2" stride="1"><param name="WEIGHT" type="float"/></accessor></technique_common></source>
<joints><input semantic="JOINT" source="#cj"/><input semantic="INV_BIND_MATRIX" source="#cb"/></joints>
<vertex_weights count="6"><input semantic="JOINT" source="#cj" offset="0"/><input semantic="WEIGHT" source="#cw" offset="1"/><vcount>1 1 2 2 1 1</vcount><v>0 0 0 0 0 1 1 0 0 1 1 0 1 0 1 0</v></vertex_weights>
</skin></controller></library_controllers>
<library_visual_scenes><visual_scene id="Scene" name="Scene">
<node id="Armature" name="Armature" type="NODE"><translate>0 0 5</translate>
 <node id="Armature_low" name="low" sid="low" type="JOINT">
  <node id="Armature_high" name="high" sid="high" type="JOINT"><translate>0 0 100</translate>
   <node id="Armature_tip" name="tip" sid="tip" type="JOINT"><translate>0 0 100</translate></node></node></node>
</node>
<node id="Body_id" name="Body" type="NODE"><instance_controller url="#c"><skeleton>#Armature_low</skeleton></instance_controller></node>
</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#Scene"/></scene>
</COLLADA>
)";

}  // namespace gvbind::test

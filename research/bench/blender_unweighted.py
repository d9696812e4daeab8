"""Binds by BIND (tests/command/blender_bind.py) and counts the vertices that got no weight, also where BIND fails after that:
blender -b --factory-startup --python-exit-code 1 --python THIS -- INPUT OUTPUT ANSWER.json BIND"""
import json
import runpy
import sys

import bpy

source, target, answer, script = sys.argv[sys.argv.index('--') + 1:]
sys.argv[sys.argv.index('--') + 1:] = [source, target]
try:
    runpy.run_path(script, run_name='__main__')
finally:
    meshes = [o.data for o in bpy.data.objects if o.type == 'MESH' and o.name in bpy.context.view_layer.objects]
    without = sum(all(group.weight <= 0 for group in vertex.groups) for mesh in meshes for vertex in mesh.vertices)
    with open(answer, 'w', encoding='utf-8') as file:
        json.dump({'without': without, 'vertices': sum(len(mesh.vertices) for mesh in meshes)}, file)

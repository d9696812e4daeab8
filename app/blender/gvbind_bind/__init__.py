"""Automatic weights by the command gvbind, in the menus beside Blender's own."""
import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty

from . import character, command

bl_info = {
    'name': 'gvbind', 'author': 'gvbind maintainers', 'version': (0, 1, 0), 'blender': (3, 4, 0), 'category': 'Rigging',
    'description': 'Automatic weights by Geodesic Voxel Binding',
    'location': 'Weight Paint > Weights, and Object > Parent',
}


class Preferences(bpy.types.AddonPreferences):
    bl_idname = __package__
    command: StringProperty(name='gvbind', subtype='FILE_PATH',
                            description='The command gvbind; empty: $GVBIND, or the one in PATH')

    def draw(self, _context):
        self.layout.prop(self, 'command')


def armature_of(context):
    """The active armature; in weight paint mode, the one that deforms the active mesh."""
    active = context.active_object
    if active and active.type == 'ARMATURE':
        return active
    return active.find_armature() if active and active.type == 'MESH' else None


def meshes_of(context):
    meshes = [obj for obj in context.selected_objects if obj.type == 'MESH']
    active = context.active_object
    if active and active.type == 'MESH' and active not in meshes:
        meshes.append(active)
    return meshes


class OBJECT_OT_gvbind(bpy.types.Operator):
    """Replace the weights of the selected meshes by weights of the bones, measured inside the mesh. The rest pose is
    bound. Locked vertex groups stay"""
    bl_idname = 'object.gvbind'
    bl_label = 'With gvbind Weights'
    bl_options = {'REGISTER', 'UNDO'}

    resolution: EnumProperty(
        name='Resolution', default='256', description='Voxels per side. Narrow gaps and thin limbs need more',
        items=[('auto', 'Automatic', 'As the narrowest gap needs')] + [(str(n), str(n), '') for n in (64, 128, 256, 512, 1024)])
    alpha: FloatProperty(name='Tightness', min=0.0, max=1.0, default=0.4,
                         description='0: weights change smoothly along the body; 1: close to the joints')
    max_influences: IntProperty(name='Bones per Vertex', min=0, max=32, default=4, description='Maximum number of bones per vertex; 0: no limit')
    only_selected: BoolProperty(
        name='Only Selected Bones', default=False,
        description='Bind to the selected bones alone. Weights of other bones stay as they are, and are not scaled')
    weights: EnumProperty(name='Weights', default='fitted', items=[
        ('fitted', 'Fitted', "Fitted on artists' weights"), ('falloff', 'Distance', 'By the distance to the bones alone')])

    @classmethod
    def poll(cls, context):
        return bool(armature_of(context) and meshes_of(context))

    def bones(self, armature):
        """Names of the bones that own weight."""
        deforming = [bone for bone in armature.data.bones if bone.use_deform]
        return [bone.name for bone in deforming if bone.select or not self.only_selected]

    def start(self, context):
        """Starts the command. Returns False, with a report, if that is not possible."""
        self.armature, self.meshes = armature_of(context), meshes_of(context)
        self.names = self.bones(self.armature)
        if not self.names:
            self.report({'ERROR'}, 'No bone that deforms is ' + ('selected' if self.only_selected else 'there'))
            return False
        empty = [obj.name for obj in self.meshes if not obj.data.polygons]
        if empty:
            self.report({'ERROR'}, f"'{empty[0]}' has no faces")
            return False
        edited = [obj.name for obj in [self.armature, *self.meshes] if obj.mode == 'EDIT']
        if edited:
            self.report({'ERROR'}, f"'{edited[0]}' is being edited; leave its edit mode first")
            return False
        owners = {}
        for obj in self.meshes:
            if owners.setdefault(obj.data, obj) != obj:
                self.report({'ERROR'}, f"'{owners[obj.data].name}' and '{obj.name}' share their mesh, and so their weights; "
                                       'make it single-user first')
                return False
        add_on = context.preferences.addons.get(__package__)
        arguments = [f'--resolution={self.resolution}', f'--alpha={self.alpha:.6g}', f'--weights={self.weights}',
                     f'--max-influences={self.max_influences or "all"}']
        try:
            path = command.find_command(add_on.preferences.command if add_on else '')
            self.work = command.Bind(path, self.armature, self.meshes, self.names, arguments)
        except (command.Failed, OSError) as error:
            self.report({'ERROR'}, str(error))
            return False
        return True

    def finish(self):
        try:
            names, rows = self.work.results()
            for obj, (joints, weights) in zip(self.meshes, rows):
                character.put_weights(obj, self.armature, set(self.names), names, joints, weights)
                character.attach(obj, self.armature)
        except command.Failed as error:
            self.report({'ERROR'}, str(error))
            return {'CANCELLED'}
        finally:
            self.work.close()
        return {'FINISHED'}

    def execute(self, context):
        if not self.start(context):
            return {'CANCELLED'}
        self.work.process.wait()
        self.work.poll()
        return self.finish()

    def invoke(self, context, _event):
        if not self.start(context):
            return {'CANCELLED'}
        manager = context.window_manager
        manager.progress_begin(0, 100)
        self.timer = manager.event_timer_add(0.1, window=context.window)
        manager.modal_handler_add(self)
        return {'RUNNING_MODAL'}

    def modal(self, context, event):
        if event.type == 'ESC':
            self.end_waiting(context)
            self.work.cancel()
            self.report({'INFO'}, 'Canceled')
            return {'CANCELLED'}
        if event.type != 'TIMER':
            return {'PASS_THROUGH' if event.type in {'MOUSEMOVE', 'MIDDLEMOUSE'} else 'RUNNING_MODAL'}
        code = self.work.poll()
        context.window_manager.progress_update(int(100 * self.work.done))
        context.workspace.status_text_set(f'gvbind: {int(100 * self.work.done)} %   Esc: cancel')
        if code is None:
            return {'RUNNING_MODAL'}
        self.end_waiting(context)
        return self.finish()

    def end_waiting(self, context):
        context.window_manager.event_timer_remove(self.timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)


def draw_entry(self, _context):
    self.layout.separator()
    self.layout.operator(OBJECT_OT_gvbind.bl_idname)


CLASSES = (Preferences, OBJECT_OT_gvbind)
MENUS = ('VIEW3D_MT_paint_weight', 'VIEW3D_MT_object_parent')


def register():
    for one in CLASSES:
        bpy.utils.register_class(one)
    for name in MENUS:
        getattr(bpy.types, name).append(draw_entry)


def unregister():
    for name in MENUS:
        getattr(bpy.types, name).remove(draw_entry)
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)

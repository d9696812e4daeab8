"""The command lines that same_outputs.py runs: each case has a name, the files of its folder, and steps."""
import dataclasses
import pathlib
import shlex

FORMATS = ('.fbx', '.glb', '.gltf')
# Small files of every format and kind, with one and with several meshes, with and without clips.
FIGURES = (
    'characters/fox.glb', 'characters/cesium_man.glb', 'characters/quaternius_spider.fbx',
    'corpus/quaternius_male_suit.fbx', 'corpus/kaykit_mannequin/kaykit_mannequin.gltf',
    'corpus/quaternius_farm_cow.fbx', 'corpus/kolos_soldier/kolos_soldier.gltf', 'corpus/blenderstudio_bunny.glb',
    'corpus/illupo_bird/illupo_bird.gltf', 'corpus/kenney_medium.fbx')
BATCH_FILES = 20
BATCH_BYTES = 600_000

MANIFEST = '''inputs = ["."]

[defaults]
resolution = 64

[[rule]]
match = "**/*.fbx"
alpha = 0.6

[[rule]]
match = "**/*.glb"
max-influences = 8
'''
POSES = (('bent.toml', '"*" = [4, 0, 6]\n'), ('rest.toml', '"*" = [0, 0, 0]\n'))

# In a step {f} is the input, {e} its extension, {x} that of the other format. The ten runs of a command take its scripts in turn.
SCRIPTS = {
    'rig': (
        ('pose {f} --pose rest.toml -o body.obj', 'rig body.obj -o out.glb -r 64'),
        ('pose {f} --pose rest.toml -o body.obj', 'rig body.obj -o out.fbx -r 64 --names unreal --json'),
        ('pose {f} --pose rest.toml -o body.obj', 'rig body.obj -o out.glb -r 32 --template quadruped --mirror off'),
        ('pose {f} --pose rest.toml -o body.obj', 'rig body.obj -o out.glb -r 32 --template spider --weights falloff'),
        ('pose {f} --pose rest.toml -o body.obj', 'bind body.obj --rig biped -r 64 -o out.glb --report report.json')),
    'refine': (
        ('refine {f} -o out.{e} --poses 6 --rounds 2',),
        ('refine {f} -o out.{e} --poses 6 --rounds 2 --seed 7 --degrees 30 --hold 0.2 --json',),
        ('refine {f} -o out.{e} --poses 6 --rounds 2 --by cells --keep-cells kept.cells',
         'bind {f} --cells kept.cells -o again.{e}'),
        ('bind {f} -o out.{e} -r 64 --refine poses --report report.json',)),
    'transfer': (
        ('pose {f} --pose rest.toml -o coat.obj', 'transfer {f} -t coat.obj -o out.glb'),
        ('pose {f} --pose rest.toml -o coat.glb', 'transfer {f} -t coat.glb -o out.glb --distance 0.02 --angle 60 --hold 0.3'),
        ('pose {f} --pose rest.toml -o coat.obj', 'convert coat.obj -o coat.fbx', 'transfer {f} -t coat.fbx -o out.fbx -n 2'),
        ('pose {f} --pose rest.toml -o coat.obj', 'pose {f} --pose rest.toml -o boots.glb', 'transfer {f} -t coat.obj -t boots.glb -o out/')),
    'tune': (
        ('bind {f} -o out.{e} -r 64 --keep-distances kept.field', 'tune kept.field -o tuned.{e} --alpha 0.7 --json'),
        ('bind {f} -o out.{e} -r 64 --keep-distances kept.field --weights falloff',
         'tune kept.field -o tuned.{e} --falloff note --limit smooth --prune 0.02 --report report.json'),
        ('bind {f} -o out.{e} -r 64 --keep-distances kept.field', 'bind {f} -o again.{e} --field kept.field',
         'tune kept.field --sweep alpha=0,0.5,1 --sheet sheet.png'),
        ('bind {f} -o out.{e} -r 64 --keep-distances kept.field', 'tune kept.field -o tuned.{e} -n 2 --mirror auto')),
    'bake': (
        ('bake {f} -o out.{e} --correctives 4 --rate 5',),
        ('bake {f} -o out.glb --correctives 4 --extremes 60 --rate 3 --target delta-mush',),
        ('bake {f} -o out.{e} --correctives 3 --extremes 40 --rate 3',)),
    'pose': (
        ('pose {f} --clip @0.3 -o out.glb --skinning dual',),
        ('pose {f} --pose bent.toml -o out.obj --skinning volume',),
        ('pose {f} --pose bent.toml -o out.png',),
        ('pose {f} --clip @0 -o out.gltf',)),
    'weights': (
        ('weights {f} -o w.json', 'weights {f} --set w.json -o out.{e}'),
        ('weights {f} -o w.csv', 'weights {f} --set w.csv -o out.{e}'),
        ('weights {f} -o w.npz', 'weights {f} --set w.npz -o out.{e}'),
        ('weights {f} -o -', 'weights {f} -o - --format csv')),
    'preview': (
        ('preview {f} -o out.png --width 400 --legend',),
        ('preview {f} -o out.png --width 400 --textured --view quarter,top',),
        ('preview {f} --turntable out.webp --frames 6 --width 300',),
        ('bind {f} -o bound.{e} -r 64', 'preview bound.{e} --compare {f} -o out.png --width 400'),
        ('preview {f} --turntable out.gif --frames 6 --width 300 --pose bent.toml',),
        ('preview {f} -o out.png --width 400 --names --bend 60',)),
    'check': (
        ('check {f} --poses 6',),
        ('check {f} --json --poses 6 --seed 5',),
        ('bind {f} -o bound.{e} -r 32', 'check {f} --report report.json', 'check bound.{e} --baseline report.json'),
        ('check {f} --max-bleed 0 --max-stretch 1.5 --max-influences 2 --fail-on warning',)),
    'inspect': (('inspect {f}',), ('inspect {f} --json',), ('convert {f} -o there.{x}', 'inspect there.{x} {f}')),
    'voxels': (
        ('voxels {f} -o out.ply -r 64',),
        ('voxels {f} -o out.png -r 64 --width 400',),
        ('voxels {f} -o out.obj -r 32 --views +x,-x',)),
}
BATCH = {
    'art': ('batch art/gvbind.toml -o build -j 1 --no-timings --report report.json --junit junit.xml --html page.html',
            'batch art/gvbind.toml -o build -j 1 --no-timings --report again.json',
            'report merge report.json -o merged.json --html merged.html --junit merged.xml'),
    'plain': ('batch art --list', 'batch art -o build --dry-run',
              'batch art -o build -r 32 -j 1 --shard 1/2 --no-timings --report half.json --log log.txt'),
}
GROUPS = ('bind', 'convert', *SCRIPTS, 'batch')


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    steps: tuple  # of arguments of gvbind
    copies: tuple = ()  # (source, path in the case's folder)
    texts: tuple = ()  # (path in the case's folder, content)
    needs_egl: bool = False

    @property
    def group(self):
        return self.name.split('/')[0]


def character_files(inputs):
    found = [p for folder in ('characters', 'corpus') for p in (inputs / folder).rglob('*') if p.suffix.lower() in FORMATS]
    return sorted(found)


def copy_of(inputs, path, folder):
    """(source, target) of a file, or of its whole folder where it has one for itself, and the file's path in the case."""
    parts = path.relative_to(inputs).parts
    if len(parts) == 2:
        return (path, f'{folder}/{path.name}'), f'{folder}/{path.name}'
    return (inputs.joinpath(*parts[:2]), f'{folder}/{parts[1]}'), f'{folder}/{"/".join(parts[1:])}'


def case_of(inputs, path, name, script, **more):
    copied, file = copy_of(inputs, path, 'in')
    extension = path.suffix[1:].lower()
    values = {'f': file, 'e': extension, 'x': 'glb' if extension == 'fbx' else 'fbx'}
    # Splits before it fills in: names of files may have blanks.
    steps = tuple(tuple(word.format(**values) for word in shlex.split(step)) for step in script)
    return Case(f'{name}/{path.name}', steps, (copied,), **more)


def bind_cases(inputs, files):
    line = 'bind {f} -o out.{e} --report report.json '
    for index, path in enumerate(files):
        yield case_of(inputs, path, 'bind/64', (line + '-r 64',))
        yield case_of(inputs, path, 'bind/128', (line + '-r 128',))
        if index % 3 == 0:
            yield case_of(inputs, path, 'bind/256', (line + '-r 256',))
        if index % 10 == 0:
            yield case_of(inputs, path, 'bind/auto', (line + '-r auto',))
            yield case_of(inputs, path, 'bind/paper', (line + '-r 128 --preset paper',))
            yield case_of(inputs, path, 'bind/egl', (line + '-r 128 --device egl',), needs_egl=True)


def convert_cases(inputs, files):
    for path in files:
        yield case_of(inputs, path, 'convert', ('convert {f} -o there.{x}', 'convert there.{x} -o back.{e} --json'))


def script_cases(inputs, group, figures):
    scripts = SCRIPTS[group]
    for run in range(10 if figures else 0):
        path = figures[run % len(figures)]
        yield case_of(inputs, path, f'{group}/{run}', scripts[run % len(scripts)], texts=POSES)


def batch_cases(inputs, files):
    small = [path for path in files if sum(p.stat().st_size for p in asset_files(inputs, path)) <= BATCH_BYTES]
    chosen = small[::max(1, len(small) // BATCH_FILES)][:BATCH_FILES]
    copies = tuple(dict.fromkeys(copy_of(inputs, path, 'art')[0] for path in chosen))
    for name, lines in BATCH.items() if chosen else ():
        yield Case(f'batch/{name}', tuple(tuple(shlex.split(line)) for line in lines), copies,
                   (('art/gvbind.toml', MANIFEST),))


def asset_files(inputs, path):
    source = pathlib.Path(copy_of(inputs, path, '')[0][0])
    return [source] if source.is_file() else [p for p in source.rglob('*') if p.is_file()]


def all_cases(inputs, groups, every):
    """The cases of these groups. Only bind and convert leave out files: they take one in `every`."""
    files = character_files(inputs)
    figures = [inputs / name for name in FIGURES if (inputs / name).is_file()] or files[:10]
    for group in groups:
        if group == 'bind':
            yield from bind_cases(inputs, files[::every])
        elif group == 'convert':
            yield from convert_cases(inputs, files[::every])
        elif group == 'batch':
            yield from batch_cases(inputs, files)
        else:
            yield from script_cases(inputs, group, figures)

"""Small files that demand much memory or time end in bounded memory and time, in every command that reads them."""
import array
import json
import math
import os
import pathlib
import resource
import struct
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import hostile_files  # noqa: E402
from command_line import CommandLine, run_tests  # noqa: E402

LIMIT = 1 << 30  # bytes, for --max-memory
PROGRAM = 256 << 20  # allowed beyond that: code, memory allocated before the limit, thread stacks
SECONDS = 60  # of processor time: a safety limit, not a benchmark
SKIP_SANITIZED = unittest.skipIf('GVBIND_SANITIZED' in os.environ, 'a sanitizer takes memory and time of its own')


class Measured(CommandLine):
    def measure(self, *args):
        """Returns (exit code or negative signal, stderr, processor seconds, peak bytes), including child processes."""
        log = self.dir / 'log'
        with open(log, 'wb') as errors:
            process = subprocess.Popen([self.gvbind_path, *map(str, args)], stdout=subprocess.DEVNULL, stderr=errors,
                                       preexec_fn=limit_processor)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        return (process.returncode, log.read_text(errors='replace'), used.ru_utime + used.ru_stime,
                used.ru_maxrss << 10)


@SKIP_SANITIZED
class Limits(Measured):
    def test_a_batch_survives_them(self):
        art = self.dir / 'art'
        art.mkdir()
        made = hostile_files.hostile_files(art)
        report = self.dir / 'report.json'
        code, said, _, _ = self.measure('batch', art, '-o', self.dir / 'out', '-r', 16, '--max-memory', LIMIT,
                                        '--timeout', 120, '--report', report)
        self.assertEqual(code, 6, said)
        assets = {asset['name']: asset for asset in json.loads(report.read_text())['assets']}
        for path, codes in made:
            with self.subTest(file=path.name):
                asset = assets[path.with_suffix('.glb').name if path.suffix == '.ply' else path.name]
                if 0 not in codes:
                    self.assertEqual(asset['status'], 'failed')
                    self.assertIn(asset['error']['exit_code'], codes)
                    self.assertFalse((self.dir / 'out' / asset['name']).exists())

    def test_a_limit_below_the_need_of_a_sound_file_is_one_line_and_exit_7(self):
        path = self.dir / 'hero.glb'
        path.write_bytes(hostile_files.files.glb(hostile_files.body()))
        self.assertEqual(self.measure('bind', path, '-o', self.dir / 'out.glb', '--max-memory', '1G')[0], 0)
        for megabytes in (1, 4, 16):
            code, said, _, _ = self.measure('bind', path, '-o', self.dir / 'out2.glb', '--max-memory', f'{megabytes}M')
            self.assertEqual(code, 7, said)
            self.assertEqual(len([line for line in said.splitlines() if path.name in line]), 1, said)
            self.assertFalse((self.dir / 'out2.glb').exists())


@SKIP_SANITIZED
class EveryCommand(Measured):
    def commands(self, path):
        limit = ['--max-memory', LIMIT]
        skeleton = ['-s', self.skeleton] if path.suffix == '.ply' else []
        yield ['bind', path, '-o', self.dir / f'out{path.stem}.glb', '-r', 16, *skeleton, *limit]
        yield ['inspect', path, *limit]
        yield ['check', path, *limit]
        yield ['preview', path, '-o', self.dir / f'{path.name}.png', *limit]
        yield ['transfer', path, '-t', path, '-o', f'{self.dir}/worn/', '--force', *limit]

    def test_hostile_files_end_in_bounded_memory_and_time_in_every_command(self):
        self.skeleton = self.put('rig.bvh', hostile_files.files.bvh(hostile_files.body()))
        (self.dir / 'art').mkdir()
        for path, codes in hostile_files.hostile_files(self.dir / 'art'):
            for command in self.commands(path):
                with self.subTest(command=command[0], file=path.name):
                    code, said, seconds, peak = self.measure(*command)
                    # A readable file may still be too large, or have no skin to check.
                    self.assertIn(code, codes | {1, 4, 7} if 0 in codes else codes, said)
                    self.assertLess(seconds, SECONDS)
                    self.assertLess(peak, LIMIT + PROGRAM)
                    if code in (3, 7, 8):
                        self.assertIn(path.name, said)
                        self.assertEqual(len([line for line in said.splitlines() if path.name in line]), 1, said)
                    if os.environ.get('GVBIND_TELL'):
                        print(f'{command[0]:8} {path.name:22} {code} {seconds:5.1f} s {peak >> 20} MiB', file=sys.stderr)


def skeleton(kind, count):
    """A body with a skin of `count` joints, in a chain or as siblings."""
    document, blob = hostile_files.files.gltf_parts(hostile_files.body())
    step = 1.6 / count
    joints = [{'name': f'j{j}', 'translation': [0, 0.1 if j == 0 else step if kind == 'chain' else 0.4 + step * j / 2, 0]}
              for j in range(count)]
    if kind == 'chain':
        for j, joint in enumerate(joints[:-1]):
            joint['children'] = [j + 2]
    else:
        joints[0]['children'] = list(range(2, count + 1))
    document['nodes'] = [{'name': 'body', 'mesh': 0, 'skin': 0}, *joints]
    document['skins'] = [{'joints': list(range(1, count + 1))}]
    vertices = document['accessors'][0]['count']
    rows = [struct.pack(f'<{4 * vertices}H', *(k for v in range(vertices) for k in (v % count, 0, 0, 0))),
            struct.pack('<4f', 1, 0, 0, 0) * vertices]
    for name, component, data in (('JOINTS_0', 5123, rows[0]), ('WEIGHTS_0', 5126, rows[1])):
        document['meshes'][0]['primitives'][0]['attributes'][name] = len(document['accessors'])
        document['accessors'].append({'bufferView': len(document['bufferViews']), 'componentType': component,
                                      'count': vertices, 'type': 'VEC4'})
        document['bufferViews'].append({'buffer': 0, 'byteOffset': len(blob), 'byteLength': len(data)})
        blob += data
    document['buffers'][0]['byteLength'] = len(blob)
    return hostile_files.files.pack_glb(document, blob)


def fine_tube(rings, around=1000):
    """A tube of 2 * rings * around triangles, with a skin of two joints."""
    circle = [(math.cos(2 * math.pi * k / around), math.sin(2 * math.pi * k / around)) for k in range(around)]
    positions, corners = array.array('f'), array.array('I')
    for i in range(rings + 1):
        y, radius = 1.8 * i / rings, 1e-4 + 0.2 * math.sin(math.pi * i / rings)
        positions.extend(value for x, z in circle for value in (radius * x, y, radius * z))
    for i in range(rings):
        low, high = i * around, (i + 1) * around
        corners.extend(corner for k in range(around) for j in ((k + 1) % around,)
                       for corner in (low + k, high + k, low + j, low + j, high + k, high + j))
    vertices = len(positions) // 3
    blob, views, accessors = b'', [], []
    for data, component, kind, count in ((positions.tobytes(), 5126, 'VEC3', vertices), (corners.tobytes(), 5125, 'SCALAR', len(corners)),
                                         (bytes(4 * vertices), 5121, 'VEC4', vertices),
                                         (bytes((255, 0, 0, 0)) * vertices, 5121, 'VEC4', vertices)):
        accessors.append({'bufferView': len(views), 'componentType': component, 'count': count, 'type': kind})
        views.append({'buffer': 0, 'byteOffset': len(blob), 'byteLength': len(data)})
        blob += data
    accessors[0].update({'min': [-0.3, 0, -0.3], 'max': [0.3, 1.8, 0.3]})
    accessors[3]['normalized'] = True
    document = {'asset': {'version': '2.0'}, 'scene': 0, 'scenes': [{'nodes': [0, 1]}],
                'nodes': [{'name': 'tube', 'mesh': 0, 'skin': 0}, {'name': 'low', 'translation': [0, 0.1, 0], 'children': [2]},
                          {'name': 'high', 'translation': [0, 0.8, 0]}],
                'skins': [{'joints': [1, 2]}], 'buffers': [{'byteLength': len(blob)}], 'bufferViews': views, 'accessors': accessors,
                'meshes': [{'primitives': [{'attributes': {'POSITION': 0, 'JOINTS_0': 2, 'WEIGHTS_0': 3}, 'indices': 1}]}]}
    return hostile_files.files.pack_glb(document, blob)


@SKIP_SANITIZED
class FineMeshes(Measured):
    AROUND = 1000  # vertices per ring
    MOST = 120  # bytes per triangle; there are two triangles per vertex

    def test_inspect_takes_little_memory_a_triangle(self):
        peaks = []
        for rings in (500, 1500):
            path = self.put('tube.glb', fine_tube(rings, self.AROUND))
            code, said, _, peak = self.measure('inspect', path)
            self.assertEqual(code, 0, said)
            peaks.append(peak)
        triangle = (peaks[1] - peaks[0]) / (2 * self.AROUND * 1000)
        if os.environ.get('GVBIND_TELL'):
            print(f'{triangle:.0f} bytes a triangle', file=sys.stderr)
        self.assertLess(triangle, self.MOST)


@SKIP_SANITIZED
class Joints(Measured):
    COUNT, TIMES, MOST = 12000, 4, 8.0  # linear time would grow fourfold, quadratic time sixteenfold

    def check_growth(self, *commands):
        """Each command takes a number of joints, and its time grows at most linearly, with a wide margin."""
        for command in commands:
            seconds = []
            for count in (self.COUNT, self.COUNT * self.TIMES):
                code, said, taken, _ = self.measure(*command(count))
                self.assertIn(code, (0, 1), said)
                seconds.append(taken)
            self.assertLess(seconds[1], self.MOST * max(seconds[0], 0.1), command(0))

    def test_conversions_take_time_in_proportion(self):
        for kind in ('chain', 'flat'):
            with self.subTest(kind=kind):
                for count in (self.COUNT, self.COUNT * self.TIMES):
                    self.put(f'{kind}{count}.glb', skeleton(kind, count))
                name = str(self.dir / kind)
                self.check_growth(lambda n: ['convert', f'{name}{n}.glb', '-o', f'{name}{n}.fbx'],
                                  lambda n: ['convert', f'{name}{n}.fbx', '-o', f'{name}{n}b.glb'])

    def test_one_limit_says_the_same_everywhere(self):
        path = self.put('many.glb', skeleton('flat', 65536))
        limit = '65,536 joints; at most 65,535 can be bound'
        code, said, _, _ = self.measure('bind', path, '-o', self.dir / 'out.glb')
        self.assertEqual((code, said), (4, f'error: {path}: {limit}\n'))
        code, out, err = self.gvbind('inspect', path)
        self.assertEqual((code, err), (0, ''))
        self.assertIn(f'cannot be bound: {limit}\n', out)

    def test_a_template_of_many_joints_is_refused(self):
        path = self.put('many.glb', skeleton('flat', self.COUNT))
        body = self.put('body.obj', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n')
        code, said, _, _ = self.measure('rig', body, '--template', path, '-o', self.dir / 'out.glb')
        self.assertEqual(code, 4, said)
        self.assertIn('it takes 2,048 at most', said)


def limit_processor():
    resource.setrlimit(resource.RLIMIT_CPU, (4 * SECONDS, 4 * SECONDS))


if __name__ == '__main__':
    CommandLine.gvbind_path = sys.argv[1]
    run_tests(sys.argv[2:])

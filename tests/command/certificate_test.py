#!/usr/bin/python3
"""Certificates of outputs: their contents, and every change that --verify has to see.

certificate_test.py GVBIND [unittest's arguments]"""
import hashlib
import json
import os
import sys
import time
import unittest
from random import Random

import samples
from command_line import CommandLine

ENDING = '.certificate.json'


def canonical(statement):
    return json.dumps(statement, separators=(',', ':'), ensure_ascii=False).encode()


class Certificates(CommandLine):
    def setUp(self):
        super().setUp()
        self.put('hero.glb', samples.glb())

    def run_one(self, *args, code=0):
        got, text, err = self.gvbind(*args, cwd=self.dir)
        self.assertEqual(got, code, text + err)
        return text + err

    def bind(self, *args, code=0, name='hero.glb', output='out/hero.glb'):
        (self.dir / 'out').mkdir(exist_ok=True)
        return self.run_one('bind', name, '-o', output, '-r', 16, '--device', 'cpu', '--certificate', *args, code=code)

    def batch(self, *args, code=0):
        return self.run_one('batch', 'art', '-o', 'out', '-r', 16, '--device', 'cpu', '--certificate', *args, code=code)

    def verify(self, *args, code=0, name='out/hero.glb'):
        text = self.run_one('check', '--verify', name, *args, code=code)
        return text

    def path(self, name='out/hero.glb'):
        return self.dir / (name + ENDING)

    def read(self, name='out/hero.glb'):
        return json.loads(self.path(name).read_text())

    def test_hashes_are_those_of_other_tools(self):
        for more in range(0, 140, 3):
            self.put('hero.glb', samples.glb() + b'\0' * more)
            self.bind('--force')
            statement = self.read()['statement']
            for file in statement['files']:
                content = (self.dir / 'out' / file['path']).read_bytes()
                self.assertEqual((file['size'], file['sha256']), (len(content), hashlib.sha256(content).hexdigest()))
            self.assertEqual([(f['of'], f['path']) for f in statement['files']], [('output', 'hero.glb'), ('input', '../hero.glb')])

    def test_no_report_takes_its_place(self):
        text = self.bind('--report', 'out/hero.glb' + ENDING, code=2)
        self.assertIn('--certificate', text)
        self.assertFalse((self.dir / 'out' / 'hero.glb').exists())

    def test_it_states_version_options_figures_and_limits(self):
        self.bind('--alpha', '0.25')
        whole = self.read()
        statement = whole['statement']
        self.assertEqual(whole['schema'], 'gvbind/certificate/1')
        self.assertEqual(list(statement), ['tool', 'files', 'limits', 'report'])
        self.assertEqual(statement['report']['options']['alpha'], '0.25')
        self.assertLess(statement['report']['skin']['bleed'], 1)
        self.assertEqual(statement['limits']['bleed'], {'warning': 0.25})
        self.assertNotIn('seconds', json.dumps(statement))
        first = self.path().read_bytes()
        self.bind('--alpha', '0.25', '--force')
        self.assertEqual(self.path().read_bytes(), first)

    def test_one_that_holds_and_binds_nothing(self):
        self.bind()
        before = {p: (p.stat().st_mtime_ns, p.read_bytes()) for p in self.dir.rglob('*') if p.is_file()}
        self.assertIn('ok  certificate of gvbind', self.verify())
        self.assertIn('2 files unchanged', self.verify(name='out/hero.glb' + ENDING))
        self.assertEqual({p: (p.stat().st_mtime_ns, p.read_bytes()) for p in self.dir.rglob('*') if p.is_file()}, before)

    def test_every_flipped_byte_of_an_output_is_seen(self):
        self.bind()
        output = self.dir / 'out/hero.glb'
        content = output.read_bytes()
        for at in (0, 5, len(content) // 2, len(content) - 1):
            output.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1:])
            self.assertIn('certified-output', self.verify(code=1))
        output.write_bytes(content + b'\0')
        self.verify(code=1)
        output.unlink()
        self.assertIn('is missing', self.verify(code=1))
        output.write_bytes(content)
        self.verify()

    def test_files_beside_an_output_count(self):
        samples.gltf(self.dir, 'side.gltf', buffer='side.bin')
        self.bind(name='side.gltf', output='out/side.gltf')
        paths = [(f['of'], f['path']) for f in self.read('out/side.gltf')['statement']['files']]
        self.assertIn(('input', '../side.bin'), paths)
        beside = [path for of, path in paths[1:] if of == 'output']
        self.assertTrue(beside)
        self.verify(name='out/side.gltf')
        with open(self.dir / 'out' / beside[0], 'ab') as file:
            file.write(b'\0')
        self.assertIn('certified-output', self.verify(name='out/side.gltf', code=1))

    def test_an_input_that_changed_or_is_gone(self):
        self.bind()
        self.put('hero.glb', samples.glb() + b'\0\0\0\0')
        self.assertIn('certified-input]', self.verify(code=1))
        self.verify('--fail-on', 'never')
        os.unlink(self.dir / 'hero.glb')
        self.assertIn('certified-input-missing', self.verify())

    def test_another_version_is_a_warning(self):
        self.bind()
        whole = self.read()
        whole['statement']['tool']['version'] = '0.0.1'
        whole['statement_sha256'] = hashlib.sha256(canonical(whole['statement'])).hexdigest()
        self.path().write_text(json.dumps(whole))
        self.assertIn('certified-version', self.verify())
        self.verify('--fail-on', 'warning', code=1)

    def test_a_certificate_that_was_edited_is_damaged(self):
        self.bind()
        whole = self.read()
        text = self.path().read_text()
        self.path().write_text(json.dumps(whole))  # other blanks, the same statement
        self.verify()
        for old, new in (('"bleed": ', '"bleed": 1'), (whole['statement']['files'][0]['sha256'], '0' * 64), ('../hero.glb', '../h.glb')):
            self.assertIn(old, text)
            self.path().write_text(text.replace(old, new, 1))
            self.assertIn('certificate-damaged', self.verify(code=1))

    def test_files_that_are_no_certificates(self):
        self.bind()
        whole = self.read()
        signed = {'tool': {'version': 1}, 'files': []}
        broken = [b'', b'{', b'[]', b'{}', b'null', b'\xff\xfe', b'[' * 200000, b'{"a":' * 100000, json.dumps(dict(whole, schema='x')).encode(),
                  json.dumps({'schema': whole['schema'], 'statement': signed,
                              'statement_sha256': hashlib.sha256(canonical(signed)).hexdigest()}).encode(),
                  self.path().read_bytes()[:-20]]
        for content in broken:
            self.path().write_bytes(content)
            self.assertIn('certificate-damaged', self.verify(code=1), content[:40])
        with open(self.path(), 'wb') as file:
            file.truncate(5 << 30)
        self.assertIn('larger than a certificate can be', self.verify(code=1))
        self.path().unlink()
        self.assertIn('certificate-missing', self.verify(code=1))
        self.path().mkdir()
        self.verify(code=1)
        self.path().rmdir()
        os.mkfifo(self.path())
        self.verify(code=1)

    def test_damaged_ones_by_the_hundred(self):
        self.bind()
        content = self.path().read_bytes()
        random = Random(7)
        names = []
        for number in range(600):
            changed = bytearray(content)
            for _ in range(random.randint(1, 4)):
                at = random.randrange(len(changed))
                end = at + random.choice((0, 1, 1, 20, 300))
                changed[at:end] = random.choice((b'', b'{', b']', b'"', b'0', b'-1e999', b'null', bytes([random.randrange(256)]), changed[:40]))
            name = f'out/m{number}.glb'
            self.put(name, b'x')
            self.put(name + ENDING, bytes(changed))
            names.append(name)
        code, text, err = self.gvbind('check', '--verify', *names, '--json', cwd=self.dir)
        self.assertEqual(code, 1, err)
        files = json.loads(text)['files']
        self.assertEqual(len(files), len(names))
        self.assertTrue(all(any(f['severity'] == 'error' for f in one['findings']) for one in files))

    def test_one_of_another_file(self):
        self.bind()
        self.put('out/other.glb', samples.glb())
        self.put('out/other.glb' + ENDING, self.path().read_bytes())
        self.assertIn('certificate-mismatch', self.verify(name='out/other.glb', code=1))

    def test_several_files_and_a_report(self):
        self.bind()
        self.put('out/bare.glb', samples.glb())
        text = self.run_one('check', '--verify', 'out/hero.glb', 'out/bare.glb', '--report', 'v.json', code=1)
        self.assertIn('1 of 2 files', text)
        report = json.loads((self.dir / 'v.json').read_text())
        self.assertEqual([[f['code'] for f in one['findings']] for one in report['files']], [[], ['certificate-missing']])
        self.run_one('check', '--verify', 'out/hero.glb', '--report', 'v.json')
        self.run_one('check', '--verify', 'out/hero.glb', '--baseline', 'v.json', code=2)
        self.run_one('check', '--verify', '-', code=2)

    def test_one_of_an_earlier_output_is_written_again_whatever_its_time(self):
        self.put('art/hero.glb', samples.glb())
        self.batch()
        other = ('batch', 'art', '-o', 'out', '-r', 16, '--device', 'cpu', '--weights', 'falloff')
        self.run_one(*other)
        later = time.time() + 1000
        os.utime(self.path(), (later, later))
        self.assertIn('certified-output', self.verify(code=1))
        self.run_one(*other, '--certificate')
        self.verify()
        before = self.path().read_bytes(), self.path().stat().st_mtime_ns
        os.utime(self.dir / 'out/hero.glb', (later, later))
        self.run_one(*other, '--certificate')
        self.assertEqual((self.path().read_bytes(), self.path().stat().st_mtime_ns), before)

    def test_a_file_of_somebody_else_is_kept(self):
        self.put('out/hero.glb' + ENDING, '{"mine": 1}')
        self.assertIn('no certificate of gvbind', self.bind(code=5))
        self.assertFalse((self.dir / 'out/hero.glb').exists())
        self.assertEqual(self.path().read_text(), '{"mine": 1}')
        self.put('art/hero.glb', samples.glb())
        self.assertIn('no certificate of gvbind', self.batch(code=5))
        self.assertEqual(self.path().read_text(), '{"mine": 1}')
        self.bind('--force')
        self.verify()

    def test_a_link_in_its_place_is_replaced_and_not_followed(self):
        self.bind()
        victim = self.dir / 'victim.json'
        self.path().rename(victim)
        before = victim.read_bytes()
        self.path().symlink_to(victim)
        self.bind('--alpha', '0.25', '--force')
        self.assertFalse(self.path().is_symlink())
        self.assertEqual(victim.read_bytes(), before)

    def test_a_batch_certifies_what_it_binds_and_what_is_up_to_date(self):
        for name in ('hero', 'orc'):
            self.put(f'art/{name}.glb', samples.glb())
        self.batch()
        first = self.path().read_bytes()
        self.verify()
        self.verify(name='out/orc.glb')
        self.path().unlink()
        text = self.batch('-v')
        self.assertNotIn('orc.glb: ', text.replace('art/orc.glb: ', '').replace('out/orc.glb: ', ''))
        self.assertEqual(self.path().read_bytes(), first)
        self.put('art/hero.glb', samples.glb() + b'\0\0\0\0')
        self.batch()
        self.verify()
        self.assertNotEqual(self.path().read_bytes(), first)

    def test_one_that_cannot_be_written_fails_every_run_that_asks_for_it_and_no_other(self):
        name = 'n' * 240 + '.glb'  # too long with the ending of a certificate
        self.put('art/' + name, samples.glb())
        for _ in range(2):
            self.assertIn('certificate-failed', self.batch(code=1))
        text = self.run_one('batch', 'art', '-o', 'out', '-r', 16, '--device', 'cpu', '--report', 'r.json')
        self.assertIn('1 up to date', text)
        self.assertNotIn('certificate-failed', (self.dir / 'r.json').read_text())

    def test_a_folder_in_its_place_is_told_until_it_is_gone(self):
        self.put('art/hero.glb', samples.glb())
        self.run_one('batch', 'art', '-o', 'out', '-r', 16, '--device', 'cpu')
        self.path().mkdir()
        for _ in range(2):
            self.assertIn('certificate-failed', self.batch(code=1))
        self.path().rmdir()
        self.batch()
        self.verify()

    def test_a_stream_has_no_certificate(self):
        self.bind(output='-', code=2)


if __name__ == '__main__':
    CommandLine.gvbind_path = sys.argv[1]
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])

#!/usr/bin/python3
"""The package for npm in headless Chromium: a page imports it and binds, and so does a page of `gvbind view`, to the bytes that
the command writes.

npm_browser_test.py GVBIND PACKAGES DATA [unittest's arguments]; exits with 77 without the package or Chromium."""
import base64
import functools
import http.server
import json
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'command'))
from browser import CHROMIUM, Browser  # noqa: E402

GVBIND = PACKAGE = DATA = None
# No GPU: the browser's own software renderer.
SOFTWARE = ('--enable-unsafe-swiftshader', '--use-gl=angle', '--use-angle=swiftshader')

PAGE = '''<!doctype html><meta charset="utf-8"><title>gvbind</title>
<script type="module">
import { bind, run } from './package/index.js';
const text = (bytes) => { let s = ''; for (let i = 0; i < bytes.length; i += 4096) s += String.fromCharCode(...bytes.subarray(i, i + 4096)); return btoa(s); };
window.bindFile = async (url, options) => text(await bind(await (await fetch(url)).arrayBuffer(), options));
window.failure = async () => { try { await bind(new Uint8Array(12)); } catch (error) { return [error.name, error.code, error.message]; } };
window.version = async () => (await run(['--version'])).stdout;
window.ready = true;
</script>'''


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Unpacked(unittest.TestCase):
    """The package in a folder of the class, `dir`."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.dir = pathlib.Path(folder.name)
        with tarfile.open(PACKAGE) as archive:
            archive.extractall(cls.dir)


class Page(Unpacked):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        (cls.dir / 'index.html').write_text(PAGE)
        (cls.dir / 'biped.glb').write_bytes((DATA / 'biped.glb').read_bytes())
        server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), functools.partial(Quiet, directory=str(cls.dir)))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        cls.addClassCleanup(server.server_close)
        cls.addClassCleanup(server.shutdown)
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)
        cls.browser.open(f'http://127.0.0.1:{server.server_port}/index.html')
        cls.browser.value('new Promise((done) => { const look = () => window.ready ? done(1) : setTimeout(look, 20); look(); })')

    def test_it_binds_to_the_same_bytes(self):
        out = self.dir / 'here.glb'
        subprocess.run([GVBIND, 'bind', DATA / 'biped.glb', '-r', '32', '-q', '-o', out], check=True)
        answer = self.browser.value(f'bindFile("biped.glb", {json.dumps({"resolution": 32})})')
        self.assertTrue(base64.b64decode(answer) == out.read_bytes())

    def test_it_tells_what_is_wrong(self):
        name, code, message = self.browser.value('failure()')
        self.assertEqual((name, code), ('GvbindError', 3))
        self.assertNotIn('\n', message)

    def test_it_has_the_version_of_the_command(self):
        here = subprocess.run([GVBIND, '--version'], capture_output=True, text=True).stdout
        self.assertEqual(self.browser.value('version()'), here)


class View(Unpacked):
    """The page of `gvbind view --binder`, opened from a disk, binds its file anew."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.browser = Browser(*SOFTWARE)
        cls.addClassCleanup(cls.browser.close)

    def gvbind(self, *words):
        return subprocess.run([GVBIND, *map(str, words)], cwd=self.dir, capture_output=True, text=True)

    def bound(self, name, *options):
        done = self.gvbind('bind', DATA / ('biped' + name[-4:]), '-o', name, '-q', '--force', *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return (self.dir / name).read_bytes()

    def open(self, name):
        done = self.gvbind('view', name, '--binder', 'package', '-o', 'page.html', '--force')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.browser.look(900, 600)
        self.browser.open((self.dir / 'page.html').as_uri())
        self.browser.value('gvbindView.then((viewer) => { window.v = viewer; })')

    def bind(self, **values):
        """Sets controls and binds; the bytes of the new file, and the text under the buttons."""
        for option, value in values.items():
            self.browser.value(f'document.getElementById("bind-{option}").value = {json.dumps(str(value))}')
        self.browser.value('v.binding.bind()')
        text = self.browser.value('document.getElementById("bind-said").textContent')
        return base64.b64decode(self.browser.value(
            'btoa(Array.from(v.binding.bound ?? [], (byte) => String.fromCharCode(byte)).join(""))')), text

    def test_it_writes_what_the_command_writes_and_shows_it(self):
        for name in ('hero.glb', 'hero.fbx'):
            with self.subTest(file=name):
                self.bound(name, '-r', 64)
                self.open(name)
                rows = 'Array.from(v.character.parts.find((part) => part.skinned).rows[0].weight)'
                before = self.browser.value(rows)
                made, text = self.bind(resolution=128, weights='falloff', alpha=0.7, penalty=9)
                options = ['-r', 128, '--weights', 'falloff', '--alpha', 0.7, '--penalty', 9]
                new = self.dir / ('new' + name[-4:])
                done = self.gvbind('bind', name, '-o', new, '-q', '--force', *options)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertTrue(made == new.read_bytes(), text)
                self.assertRegex(text, r'^bound in [0-9.]+ s')
                after = self.browser.value(rows)
                self.assertNotEqual(after, before)
                command = self.browser.value('v.binding.command()')
                self.assertEqual(command, f'gvbind bind {name} -o hero_bound{name[-4:]} --resolution 128 --weights falloff --alpha 0.7 --penalty 9')
                self.open(new.name)
                self.assertEqual(self.browser.value(rows), after)
                requests = [event['request']['url'] for event in self.browser.named('Network.requestWillBeSent')]
                self.assertEqual([url for url in requests if not url.startswith(('file:', 'blob:', 'data:'))], [])

    def test_a_failure_is_said_and_the_weights_stay(self):
        self.bound('hero.glb', '-r', 64)
        self.open('hero.glb')
        made, text = self.bind(alpha=7)
        self.assertEqual(made, b'')
        self.assertIn('--alpha', text)
        self.assertEqual(text.count('\n'), 0)

    def test_a_bind_can_be_stopped(self):
        self.bound('hero.glb', '-r', 64)
        self.open('hero.glb')
        self.browser.value('document.getElementById("bind-resolution").value = "512"; document.getElementById("bind").click()')
        self.assertEqual(self.browser.value('document.getElementById("bind").textContent'), 'Stop')
        self.browser.value('document.getElementById("bind").click()')
        self.assertEqual(self.browser.value('[document.getElementById("bind").textContent, v.binding.bound]'), ['Bind', None])


if __name__ == '__main__':
    GVBIND, packages, DATA = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    PACKAGE = next(iter(sorted(packages.glob('gvbind-*.tgz'))), None)
    if not PACKAGE or not CHROMIUM:
        print('skipped: no Chromium, or no package (./bootstrap npm)')
        sys.exit(77)
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])

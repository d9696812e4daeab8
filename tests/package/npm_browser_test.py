#!/usr/bin/python3
"""The package for npm in headless Chromium: a page imports it and binds, to the bytes that the command writes.

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


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.dir = pathlib.Path(folder.name)
        with tarfile.open(PACKAGE) as archive:
            archive.extractall(cls.dir)
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


if __name__ == '__main__':
    GVBIND, packages, DATA = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    PACKAGE = next(iter(sorted(packages.glob('gvbind-*.tgz'))), None)
    if not PACKAGE or not CHROMIUM:
        print('skipped: no Chromium, or no package (./bootstrap npm)')
        sys.exit(77)
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])

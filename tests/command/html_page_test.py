#!/usr/bin/python3
"""The HTML report in headless Chromium: sorting, filters, keyboard, escaping, no network.

html_page_test.py GVBIND [unittest's arguments]; exits with 77 without Chromium."""
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

from browser import CHROMIUM, Browser
from report_test import batch_asset, batch_report, failed_asset

GVBIND = None
HOSTILE = '</script><script>window.hacked = 1</script><img src="http://example.invalid/x" onerror="window.hacked = 1">'
LONG = 'a' * 150 + '.glb'


def png(width, height):
    def chunk(kind, data):
        return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
    return (b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, 8, 2, 0, 0, 0)) +
            chunk(b'IDAT', zlib.compress((b'\0' + b'\x80' * 3 * width) * height)) + chunk(b'IEND', b''))


def finding(severity, code='joint-outside', message='joint lies outside'):
    return {'severity': severity, 'code': code, 'message': message, 'pointer': ''}


def some_assets():
    return [
        batch_asset('hero10.glb', 'done', seconds=2.0, findings=[finding('warning'), finding('warning')]),
        batch_asset('hero2.glb', 'done', seconds=9.0),
        batch_asset('imp.fbx', 'up-to-date', seconds=0.1, findings=[finding('note', 'small')]),
        batch_asset('golem.fbx', 'done', seconds=4.0, findings=[finding('error', 'unreached', '12 vertices')]),
        failed_asset('broken.glb', message='is cut off'),
        batch_asset(HOSTILE, 'interrupted', command=HOSTILE, stderr=HOSTILE, seconds=0.0,
                    findings=[finding('note', 'bad', HOSTILE)]),
        batch_asset(LONG, 'skipped', command='gvbind bind ' + LONG, seconds=1.0)]


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.dir = pathlib.Path(cls.folder.name)
        (cls.dir / 'p.png').write_bytes(png(48, 36))
        assets = some_assets()
        for asset in assets[:4]:
            asset['picture'] = 'p.png'
        cls.url = cls.make('page', batch_report(*assets))
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.folder.cleanup()

    @classmethod
    def make(cls, name, report):
        (cls.dir / f'{name}.json').write_text(json.dumps(report))
        subprocess.run([GVBIND, 'report', 'merge', cls.dir / f'{name}.json', '--html', cls.dir / f'{name}.html',
                        '--pictures', cls.dir], capture_output=True)
        return (cls.dir / f'{name}.html').as_uri()

    def setUp(self):
        self.browser.look(1200, 900)
        self.browser.open(self.url)

    def value(self, expression):
        return self.browser.value(expression)

    def names(self):
        """Names of the visible cards, in display order."""
        return self.value('[...document.querySelectorAll(".card")].filter((c) => c.checkVisibility())'
                          '.map((c) => c.querySelector("h2").textContent)')

    def focused(self):
        return self.value('document.activeElement.id || document.activeElement.dataset.status || '
                          'document.activeElement.className')

    def tab_to(self, name):
        for _ in range(20):
            self.browser.press('Tab', 9)
            if self.focused() == name:
                return
        self.fail(f'Tab does not reach {name}')

    def choose(self, select, value):
        self.value(f'{{ const s = document.getElementById("{select}"); s.value = "{value}";'
                   's.dispatchEvent(new Event("change")); }')


class Sorting(Page):
    def test_the_worst_stand_first(self):
        self.assertEqual(self.names(), ['broken.glb', HOSTILE, 'golem.fbx', 'hero10.glb', 'imp.fbx', LONG, 'hero2.glb'])

    def test_by_name_seconds_and_status(self):
        by_name = [HOSTILE, LONG, 'broken.glb', 'golem.fbx', 'hero2.glb', 'hero10.glb', 'imp.fbx']
        self.choose('sort', 'name')
        self.assertEqual(self.names(), by_name)
        self.value('document.getElementById("reverse").click()')
        self.assertEqual(self.names(), by_name[::-1])
        self.value('document.getElementById("reverse").click()')
        self.choose('sort', 'seconds')
        self.assertEqual(self.names(),
                         ['hero2.glb', 'golem.fbx', 'hero10.glb', 'broken.glb', LONG, 'imp.fbx', HOSTILE])
        self.choose('sort', 'status')
        self.assertEqual(self.names(),
                         ['broken.glb', HOSTILE, LONG, 'golem.fbx', 'hero2.glb', 'hero10.glb', 'imp.fbx'])


class Filtering(Page):
    def shown(self):
        return self.value('document.getElementById("shown").textContent')

    def write(self, text):
        self.value('document.getElementById("text").focus()')
        self.browser.write(text)
        self.value('new Promise((done) => setTimeout(done, 250))')

    def test_by_text(self):
        self.assertEqual(self.shown(), '7 shown')
        self.write('HERO')
        self.assertEqual(self.names(), ['hero10.glb', 'hero2.glb'])
        self.assertEqual(self.shown(), '2 of 7 shown')
        self.write(' outside')
        self.assertEqual(self.names(), ['hero10.glb'])
        self.write(' nothing of the kind')
        self.assertEqual(self.names(), [])
        self.assertFalse(self.value('document.getElementById("nothing").hidden'))
        self.value('document.getElementById("reset").click()')
        self.assertEqual(len(self.names()), 7)

    def test_by_status(self):
        for status in ('failed', 'up-to-date'):
            self.value(f'document.querySelector(".counts [data-status={status}]").click()')
        self.assertEqual(self.names(), ['broken.glb', 'imp.fbx'])
        self.value('document.querySelector(".counts [data-status=failed]").click()')
        self.assertEqual(self.names(), ['imp.fbx'])

    def test_by_severity(self):
        for least, names in (('error', ['golem.fbx']), ('warning', ['golem.fbx', 'hero10.glb']),
                             ('none', ['broken.glb', LONG, 'hero2.glb']), ('note', 4), ('', 7)):
            self.choose('severity', least)
            self.assertEqual(self.names() if isinstance(names, list) else len(self.names()), names)

    def test_the_address_keeps_the_choice(self):
        self.choose('sort', 'seconds')
        self.choose('severity', 'warning')
        self.value('document.querySelector(".counts [data-status=done]").click()')
        self.value('document.getElementById("reverse").click()')
        self.write('e')
        names, address = self.names(), self.value('location.href')
        self.assertEqual(names, ['hero10.glb', 'golem.fbx'])
        self.browser.open(address)
        self.assertEqual(self.names(), names)
        self.browser.open(self.url + '#sort=nonsense&severity=x&status=y%20failed')
        self.assertEqual(self.names(), ['broken.glb'])


class Keyboard(Page):
    def test_everything_is_reached_and_works_without_a_mouse(self):
        self.tab_to('failed')
        self.browser.press('Enter', 13, '\r')
        self.assertEqual(self.names(), ['broken.glb'])
        self.browser.press(' ', 32, ' ')
        self.assertEqual(len(self.names()), 7)
        self.tab_to('text')
        self.tab_to('severity')
        self.browser.press('ArrowDown', 40)
        self.assertEqual(self.names(), ['golem.fbx'])
        self.browser.press('ArrowUp', 38)
        self.tab_to('sort')
        self.browser.press('ArrowDown', 40)
        self.assertEqual(self.names()[0], HOSTILE)
        self.tab_to('reverse')
        self.browser.press('Enter', 13, '\r')
        self.assertEqual(self.names()[0], 'imp.fbx')
        self.tab_to('copy')

    def test_the_skip_link_keeps_the_choice(self):
        self.choose('severity', 'error')
        self.value('document.querySelector(".skip").focus()')
        self.browser.press('Enter', 13, '\r')
        self.assertEqual((self.focused(), self.names()), ('cards', ['golem.fbx']))

    def test_controls_have_names(self):
        nameless = self.value('[...document.querySelectorAll("button, input, select, img")].filter((e) => !('
                              'e.labels?.length || e.getAttribute("aria-label") || e.alt || e.textContent.trim()))'
                              '.map((e) => e.outerHTML)')
        self.assertEqual(nameless, [])

    def test_copy(self):
        card = f'[...document.querySelectorAll(".card")].find((c) => c.dataset.name === {json.dumps(HOSTILE)})'
        self.browser.call('Browser.grantPermissions', permissions=['clipboardReadWrite', 'clipboardSanitizedWrite'])
        self.browser.call('Page.bringToFront')
        self.value(f'{card}.querySelector(".copy").focus()')
        self.browser.press('Enter', 13, '\r')
        self.value('new Promise((done) => setTimeout(done, 100))')
        self.assertEqual(self.value(f'{card}.querySelector(".copy").textContent'), 'Copied')
        self.assertEqual(self.value('navigator.clipboard.readText()'), HOSTILE)


class Safety(Page):
    def test_no_text_becomes_markup(self):
        self.assertIsNone(self.value('window.hacked ?? null'))
        self.assertEqual(self.value('document.scripts.length'), 1)
        self.assertIn(HOSTILE, self.names())
        self.assertEqual(self.value('document.querySelectorAll("img:not([src^=data])").length'), 0)

    def test_no_network(self):
        addresses = [event['request']['url'] for event in self.browser.named('Network.requestWillBeSent')]
        self.assertIn(self.url, addresses)
        self.assertEqual([a[:60] for a in addresses if a != self.url and not a.startswith('data:')], [])
        refused = self.value('fetch("http://127.0.0.1:9/").then(() => "went", (e) => "refused")')
        self.assertEqual(refused, 'refused')
        blocked = [e for e in self.browser.named('Network.loadingFailed') if e.get('blockedReason') == 'csp']
        said = [e for e in self.browser.named('Log.entryAdded') if 'Content Security Policy' in e['entry']['text']]
        self.assertTrue(blocked or said)

    def test_nothing_is_complained_of(self):
        errors = [e['entry']['text'] for e in self.browser.named('Log.entryAdded') if e['entry']['level'] == 'error']
        self.assertEqual(errors + self.browser.named('Runtime.exceptionThrown'), [])

    def test_without_scripts_the_cards_are_there(self):
        self.browser.call('Emulation.setScriptExecutionDisabled', value=True)
        try:
            self.browser.open(self.url)
            html = self.browser.call('DOM.getOuterHTML',
                                     nodeId=self.browser.call('DOM.getDocument')['root']['nodeId'])['outerHTML']
        finally:
            self.browser.call('Emulation.setScriptExecutionDisabled', value=False)
        self.assertEqual(html.count('<article'), 7)
        self.assertIn('id="tools" role="search" hidden', html)


class Looks(Page):
    def test_pictures_are_drawn(self):
        self.assertEqual(self.value('Promise.all([...document.images].map((i) => i.decode().then(() => i.naturalWidth)))'),
                         [48] * 4)

    def test_fits_a_phone(self):
        self.browser.look(360, 740, mobile=True)
        self.browser.open(self.url)
        self.assertEqual(self.value('document.documentElement.scrollWidth'), 360)
        self.assertGreaterEqual(self.value('parseFloat(getComputedStyle(document.querySelector(".code")).fontSize)'), 13)

    def test_text_stands_out_in_light_and_dark(self):
        script = '''(() => {
          const numbers = (color) => color.match(/[\\d.]+/g).map(Number);
          const light = (color) => numbers(color).slice(0, 3).map((c) => c / 255)
            .map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
            .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
          const ground = (e) => {
            const color = getComputedStyle(e).backgroundColor;
            return (numbers(color)[3] ?? 1) === 1 || !e.parentElement ? color : ground(e.parentElement);
          };
          const poor = [];
          for (const e of document.querySelectorAll('h1, h2, p, dt, dd, code, summary, .status, .level, .code, .times, button:enabled')) {
            if (!e.checkVisibility()) continue;
            const [a, b] = [light(getComputedStyle(e).color), light(ground(e))].sort((x, y) => y - x);
            if ((a + 0.05) / (b + 0.05) < 4.5) poor.push(e.className + ' ' + e.textContent.slice(0, 20));
          }
          return [poor, light(ground(document.body))];
        })()'''
        grounds = []
        for dark in (False, True):
            self.browser.look(1200, 900, dark=dark)
            poor, ground = self.value(script)
            self.assertEqual(poor, [])
            grounds.append(ground)
        self.assertGreater(grounds[0], 0.8)
        self.assertLess(grounds[1], 0.05)

    def test_a_thousand_assets(self):
        url = self.make('many', batch_report(*(
            batch_asset(f'asset{i:04}.glb', 'done', seconds=i % 97, findings=[finding('warning')] if i % 10 == 0 else [])
            for i in range(1000))))
        self.browser.open(url)
        names = self.names()
        self.assertEqual((len(names), names[0], names[100]), (1000, 'asset0000.glb', 'asset0001.glb'))
        self.choose('sort', 'seconds')
        self.choose('severity', 'warning')
        self.assertEqual(len(self.names()), 100)
        skipped = self.value('[...document.querySelectorAll(".card:not([hidden])")].filter((c) => '
                             '!c.querySelector("h2").checkVisibility({contentVisibilityAuto: true})).length')
        self.assertGreater(skipped, 50)


if __name__ == '__main__':
    if not CHROMIUM:
        print('no Chromium here')
        sys.exit(77)
    GVBIND = sys.argv[1]
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])

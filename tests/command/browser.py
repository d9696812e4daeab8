"""Controls headless Chromium by its DevTools protocol over a pipe, without ports or libraries."""
import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile

CHROMIUM = next(filter(None, map(shutil.which, ('chromium', 'chromium-browser', 'google-chrome'))), None)

PATIENCE = 600  # seconds of silence


def high_pipe():
    """A pipe whose file descriptors are above 4, since the browser expects its own at 3 and 4."""
    ends = os.pipe()
    high = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends]
    for end in ends:
        os.close(end)
    return high


class Browser:
    """One page. Events that arrive during a call are kept in `events`."""

    def __init__(self, *flags):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self.send_end = high_pipe()
        self.read_end, from_browser = high_pipe()

        def place_pipes():
            os.dup2(to_browser, 3)
            os.dup2(from_browser, 4)

        self.process = subprocess.Popen(
            [CHROMIUM, '--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', '--hide-scrollbars',
             '--disable-background-networking', '--disable-component-update', '--remote-debugging-pipe',
             f'--user-data-dir={self.profile.name}', *flags],
            preexec_fn=place_pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.number, self.events, self.session = b'', 0, [], None
        target = self.call('Target.createTarget', url='about:blank')['targetId']
        self.session = self.call('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
        for domain in ('Page', 'Network', 'Runtime', 'Log'):
            self.call(domain + '.enable')

    def close(self):
        os.close(self.send_end)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.read_end)
        self.profile.cleanup()

    def receive(self):
        while b'\0' not in self.buffer:
            if not select.select([self.read_end], [], [], PATIENCE)[0]:
                raise TimeoutError('the browser does not answer')
            chunk = os.read(self.read_end, 1 << 20)
            if not chunk:
                raise EOFError('the browser has gone')
            self.buffer += chunk
        message, self.buffer = self.buffer.split(b'\0', 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {'id': self.number, 'method': method, 'params': parameters}
        if self.session:
            message['sessionId'] = self.session
        data = json.dumps(message).encode() + b'\0'
        while data:
            data = data[os.write(self.send_end, data):]
        while True:
            answer = self.receive()
            if answer.get('id') == self.number:
                if 'error' in answer:
                    raise RuntimeError(f'{method}: {answer["error"]["message"]}')
                return answer['result']
            self.events.append(answer)

    def named(self, method):
        return [event['params'] for event in self.events if event['method'] == method]

    def open(self, url):
        """Loads a page from scratch, even if it differs from the open one only in its fragment."""
        for address in ('about:blank', url):
            self.events.clear()
            self.call('Page.navigate', url=address)
            while not self.named('Page.loadEventFired'):
                self.events.append(self.receive())

    def value(self, expression):
        """The value of a JavaScript expression or promise."""
        answer = self.call('Runtime.evaluate', expression=expression, returnByValue=True, awaitPromise=True)
        if 'exceptionDetails' in answer:
            raise RuntimeError(answer['exceptionDetails']['exception'].get('description', 'exception'))
        return answer['result'].get('value')

    def press(self, key, code=0, text='', modifiers=0):
        common = {'key': key, 'code': key, 'windowsVirtualKeyCode': code, 'modifiers': modifiers}
        self.call('Input.dispatchKeyEvent', type='keyDown', text=text, **common)
        self.call('Input.dispatchKeyEvent', type='keyUp', **common)

    def write(self, text):
        self.call('Input.insertText', text=text)

    def look(self, width, height, dark=False, mobile=False):
        self.call('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1, mobile=mobile)
        self.call('Emulation.setEmulatedMedia',
                  features=[{'name': 'prefers-color-scheme', 'value': 'dark' if dark else 'light'}])

    def screenshot(self, path):
        with open(path, 'wb') as file:
            file.write(base64.b64decode(self.call('Page.captureScreenshot')['data']))

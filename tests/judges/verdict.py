"""The result of a judge: a line for each failure, exit code 0 or 1."""
import sys


class Verdict:
    def __init__(self, judge):
        self.judge, self.failures = judge, 0

    def need(self, holds, message):
        if not holds:
            self.failures += 1
            print(f'{self.judge}: FAIL: {message}', flush=True)
        return bool(holds)

    def note(self, message):
        print(f'{self.judge}: {message}', flush=True)

    def close(self):
        sys.exit(1 if self.failures else 0)

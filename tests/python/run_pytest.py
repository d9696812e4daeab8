#!/usr/bin/python3
"""Runs pytest on the tests of the module; skips (77) if the module was not built or a requirement is missing.

run_pytest.py TEST..."""
import importlib.util
import sys

missing = [name for name in ('numpy', 'pytest', 'gvbind') if importlib.util.find_spec(name) is None]
if missing:
    print('skipped, for want of', ', '.join(missing))
    sys.exit(77)

import pytest  # noqa: E402

sys.exit(pytest.main(['-q', '-p', 'no:cacheprovider', *sys.argv[1:]]))

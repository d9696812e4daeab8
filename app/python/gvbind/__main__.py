"""python3 -m gvbind: the command."""
import sys

from . import _gvbind

sys.exit(_gvbind.run_words(['gvbind', *sys.argv[1:]]))

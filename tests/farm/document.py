"""Files shown on a documentation page: a line that ends with a name in backquotes and a colon, followed by a fenced
block."""
import re

NAMED_BLOCK = re.compile(r'`(?P<name>[\w.-]+)`:\n+```\w+\n(?P<text>.*?)^```$', re.MULTILINE | re.DOTALL)


def files_of(page):
    """name -> text. Raises ValueError for a block without a name, since it would never be tested."""
    text = page.read_text()
    files = {found['name']: found['text'] for found in NAMED_BLOCK.finditer(text)}
    blocks = len(re.findall(r'^```\w+$', text, re.MULTILINE))
    if blocks != len(files):
        raise ValueError(f'{page}: {blocks} code blocks, of which {len(files)} have a name of their own')
    return files


def write_files_of(page, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files_of(page).items():
        path = folder / name
        path.write_text(text)
        if text.startswith('#!'):
            path.chmod(0o755)

#!/usr/bin/python3
"""Draws conversions: draw_in_three.py GVBIND OUT.png FILE@CLIP@SECONDS...

Each FBX is converted to glTF, each glTF to FBX and back. three.js draws the result in headless Chromium with software GL,
and `gvbind preview --textured` draws it below. Needs GVBIND_JUDGE_MODULES, a folder with node_modules, and python3-pil."""
import base64
import io
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'command'))
from browser import CHROMIUM, Browser  # noqa: E402

UNAVAILABLE = 77
MODULES = pathlib.Path(os.environ.get('GVBIND_JUDGE_MODULES', '.')).resolve() / 'node_modules'
SIZE, YAW, PITCH = 320, 30, 10
LABEL = 14  # pixels of the label in the preview
FLAGS = ('--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist', '--allow-file-access-from-files')


def run(*command):
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)


def converted(gvbind, path, folder):
    """The glTF that results from conversion."""
    out = folder / (path.stem + '.glb')
    if path.suffix != '.fbx':
        run(gvbind, 'convert', path, '-o', folder / 'there.fbx', '--force')
        path = folder / 'there.fbx'
    run(gvbind, 'convert', path, '-o', out, '--force')
    return out


def drawn_by_three(browser, glb, clip, seconds):
    from PIL import Image
    browser.look(SIZE, SIZE)
    browser.open((HERE / 'draw_in_three.html').as_uri())
    words = f'{glb.as_uri()!r}, {MODULES.as_uri()!r}, {clip!r}, {seconds}, {SIZE}, {YAW}, {PITCH}'
    url = browser.value(f'draw({words})')
    return Image.open(io.BytesIO(base64.b64decode(url.split(',', 1)[1]))).convert('RGB')


def drawn_by_preview(gvbind, glb, clip, seconds, folder):
    from PIL import Image
    out = folder / 'preview.png'
    pose = ('--pose', f'clip:{clip}@{seconds}') if clip else ()
    run(gvbind, 'preview', glb, '-o', out, '--textured', '--view', f'{YAW}:{PITCH}', '--width', SIZE, '--force', *pose)
    picture = Image.open(out).convert('RGB')
    # The upper half holds the rest pose and a line of text.
    return picture.crop((0, picture.height // 2 + LABEL, picture.width, picture.height))


def cut(picture, share=0.06):
    """Crops to the figure with a margin, since the two programs leave different ones."""
    from PIL import Image, ImageChops
    back = Image.new('RGB', picture.size, picture.getpixel((0, 0)))
    box = ImageChops.difference(picture, back).convert('L').point(lambda v: 255 * (v > 24)).getbbox() or (0, 0, *picture.size)
    middle = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]
    half = (0.5 + share) * max(box[2] - box[0], box[3] - box[1])
    crop = picture.transform((SIZE, SIZE), Image.Transform.EXTENT,
                             (middle[0] - half, middle[1] - half, middle[0] + half, middle[1] + half), Image.Resampling.BICUBIC,
                             fillcolor=picture.getpixel((0, 0)))
    return crop.resize((SIZE // 2, SIZE // 2), Image.Resampling.LANCZOS)


def main():
    gvbind, target, words = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    try:
        from PIL import Image
    except ImportError:
        print('skipped: no PIL')
        return UNAVAILABLE
    if CHROMIUM is None or not (MODULES / 'three').exists():
        print(f'skipped: no Chromium, or no three.js in {MODULES}')
        return UNAVAILABLE
    cells = []
    browser = Browser(*FLAGS)
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for word in words:
                path, clip, seconds = word.split('@')
                glb = converted(gvbind, pathlib.Path(path), folder)
                cells.append((cut(drawn_by_three(browser, glb, clip, float(seconds))),
                              cut(drawn_by_preview(gvbind, glb, clip, float(seconds), folder))))
                print(word, flush=True)
    finally:
        browser.close()
    side = SIZE // 2
    sheet = Image.new('RGB', (side * len(cells), 2 * side), 'white')
    for i, pair in enumerate(cells):
        for row, picture in enumerate(pair):
            sheet.paste(picture, (i * side, row * side))
    sheet.quantize(128).save(target, optimize=True)
    return 0


if __name__ == '__main__':
    sys.exit(main())

"""Compiles glibc's functions of mathematics for Windows, WebAssembly and any Linux, whose own round in other ways: results are
those of Debian 12 on x86-64, bit by bit.

glibc.h stands for glibc's own headers, and dispatch.c chooses between the forms for processors with and without fused
multiply-add, as glibc does. WebAssembly has no such instruction, and only the form without; ARM64 always has one."""
import pathlib
import shutil
import subprocess

HERE = pathlib.Path(__file__).parent
# glibc's own flags; contraction is that of its forms with fused multiply-add.
FLAGS = '-std=gnu11 -O2 -w -fno-math-errno'.split()
DOUBLE, FLOAT, X86 = 'sysdeps/ieee754/dbl-64', 'sysdeps/ieee754/flt-32', 'sysdeps/x86/fpu'
# ARM64 fuses by itself, and x86-64 only in the second form.
UNFUSED = '-ffp-contract=off -U__FP_FAST_FMA'.split()
# With a form for fused multiply-add.
TWO_FORMS = {DOUBLE: 'e_exp e_log e_log2 e_pow s_sin s_tan s_atan e_asin e_atan2 s_log1p', FLOAT: 'e_expf e_logf e_powf s_sinf s_cosf'}
ONE_FORM = {DOUBLE: 'e_exp2 e_log10 s_cbrt e_hypot e_exp_data e_log_data e_log2_data e_pow_log_data branred math_err sincostab',
            FLOAT: 'e_exp2f_data e_logf_data e_powf_log2_data math_errf', X86: 's_sincosf_data'}
NAMES = 'exp exp2 log log2 pow sin cos tan atan log1p cbrt hypot sinf cosf logf powf expf signArctan'.split()
OLD_NAMES = 'asin acos atan2 log10'.split()
# Headers of glibc whose content glibc.h replaces.
REPLACED = ('math_private fenv_private math-barriers math-narrow-eval math-svid-compat libm-alias-finite libm-alias-double '
            'libm-alias-float math-underflow nan-high-order-bit fix-int-fp-convert-zero libc-diag math-use-builtins endian')


def renamed(form):
    return ([f'-D__{name}=glibc_{form}_{name}' for name in NAMES] +
            [f'-D__ieee754_{name}=glibc_{form}_{name}' for name in OLD_NAMES])


def compile_one(compiler, source, objects, folder, name, form, *flags):
    folders = [DOUBLE] if folder == DOUBLE else [X86, FLOAT]
    subprocess.run([*compiler, *FLAGS, *flags, f'-I{objects}/replaced', '-idirafter', source, *[f'-I{source / f}' for f in folders],
                    '-include', HERE / 'glibc.h', *renamed(form), '-c', source / folder / f'{name}.c',
                    '-o', objects / f'{name}-{form}.o'], check=True)


def build_math(source, objects, archive, compiler, archiver, with_fma):
    """`archive` of `source`, the unpacked sources of glibc; `objects`: a folder that is emptied. `with_fma`: with the forms for
    fused multiply-add, too."""
    shutil.rmtree(objects, ignore_errors=True)
    (objects / 'replaced').mkdir(parents=True)
    for name in REPLACED.split():
        (objects / 'replaced' / f'{name}.h').touch()
    for folder, names in TWO_FORMS.items():
        for name in names.split():
            compile_one(compiler, source, objects, folder, name, 'base')
            if with_fma:
                compile_one(compiler, source, objects, folder, name, 'fma', '-mfma', '-mavx2')
    for folder, names in ONE_FORM.items():
        for name in names.split():
            compile_one(compiler, source, objects, folder, name, 'base', *UNFUSED)
    one_form = [] if with_fma else ['-DGVBIND_ONE_FORM']
    subprocess.run([*compiler, '-O2', *one_form, '-fno-builtin', '-Wall', '-Werror', '-c', HERE / 'dispatch.c', '-o', objects / 'dispatch.o'],
                   check=True)
    archive.unlink(missing_ok=True)
    subprocess.run([archiver, 'crs', archive, *sorted(objects.glob('*.o'))], check=True)

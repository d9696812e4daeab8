"""Libraries of Debian's sources, compiled for another system: what linux_, windows_ and wasm_dependencies.py share.

A prefix gets include/, lib/ with CMake packages and pkg-config files, licenses/NAME with Debian's copyright files, and
licenses/sources.txt with names and versions. The sources come by `apt-get source`, with lists of its own below the prefix, so
that the machine's apt stays as it is. A library whose version is built already is left alone."""
import os
import pathlib
import re
import shutil
import subprocess

MIRROR = 'http://deb.debian.org'
FLAGS = '-O2 -ffp-contract=off'


class Build:
    """Folders, versions and tools of one run."""

    def __init__(self, prefix, compiler, archiver, cmake_options):
        self.prefix = prefix
        self.work = prefix / 'work'
        self.apt = self.work / 'apt'
        self.lib = prefix / 'lib'
        self.compiler = compiler            # for C, with what it needs for the system
        self.archiver = archiver
        self.cmake_options = cmake_options  # a toolchain file and its settings

    def apt_options(self):
        settings = {'Dir::Etc::sourcelist': self.apt / 'debian.sources', 'Dir::Etc::sourceparts': '/dev/null',
                    'Dir::State::lists': self.apt / 'lists', 'Dir::Cache': self.apt / 'cache', 'APT::Sandbox::User': 'root'}
        return [word for key, value in settings.items() for word in ('-o', f'{key}={value}')]


def run(*words, cwd=None, env=None):
    done = subprocess.run([str(word) for word in words], cwd=cwd, env={**os.environ, **(env or {})}, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        raise SystemExit(f'error: {" ".join(map(str, words))}\n{done.stdout[-4000:]}')
    return done.stdout


def update_lists(build):
    for folder in ('lists/partial', 'cache/archives/partial'):
        (build.apt / folder).mkdir(parents=True, exist_ok=True)
    places = [('debian', 'bookworm bookworm-updates'), ('debian-security', 'bookworm-security')]
    (build.apt / 'debian.sources').write_text('\n'.join(
        f'Types: deb-src\nURIs: {MIRROR}/{path}\nSuites: {suites}\nComponents: main\n'
        'Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg\n' for path, suites in places))
    run('apt-get', *build.apt_options(), '-qq', 'update')


def versions_of(build, package):
    """All that the lists have, the newest first: a mirror may not have the very newest yet."""
    text = run('apt-cache', *build.apt_options(), 'showsrc', '--only-source', package)
    versions = sorted(set(re.findall(r'^Version: (\S+)', text, re.MULTILINE)),
                      key=lambda version: [int(part) if part.isdigit() else part for part in re.split(r'(\d+)', version)])
    if not versions:
        raise SystemExit(f'error: Debian has no source of {package}')
    return versions[::-1]


def fetched_source(build, package):
    """The folder of its sources, patched, and their version."""
    for version in versions_of(build, package):
        folder = build.work / f'{package}_{version}'
        if (folder / 'source').is_dir():
            return folder / 'source', version
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        done = subprocess.run(['apt-get', *build.apt_options(), '-qq', 'source', f'{package}={version}'], cwd=folder,
                              capture_output=True, text=True)
        if done.returncode == 0:
            next(path for path in folder.iterdir() if path.is_dir()).rename(folder / 'source')
            return folder / 'source', version
        print(f'{package} {version}: {done.stderr.strip().splitlines()[-1]}', flush=True)
    raise SystemExit(f'error: no source of {package} can be fetched')


def compile_archive(build, name, source, files, defines=()):
    """lib/libNAME.a of sources that need no configuration."""
    objects = build.work / f'{name}.objects'
    shutil.rmtree(objects, ignore_errors=True)
    objects.mkdir()
    launcher = ['ccache'] if shutil.which('ccache') else []
    for file in files:
        run(*launcher, *build.compiler, *FLAGS.split(), '-I.', f'-I{build.prefix / "include"}', *defines, '-c', file,
            '-o', objects / (pathlib.Path(file).stem + '.o'), cwd=source)
    archive = build.lib / f'lib{name}.a'
    archive.unlink(missing_ok=True)
    run(build.archiver, 'crs', archive, *sorted(objects.iterdir()))


def copy_headers(build, source, names, below='.'):
    folder = build.prefix / 'include' / below
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        shutil.copy(source / name, folder)


def write_pkg_config(build, name, version, libraries, flags='', include='include'):
    folder = build.lib / 'pkgconfig'
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f'{name}.pc').write_text(
        f'Name: {name}\nDescription: built from the sources of Debian\nVersion: {version.split("-")[0]}\n'
        f'Libs: -L{build.lib} {libraries}\nCflags: -I{build.prefix / include} {flags}\n')


def cmake_install(build, source, *options):
    out = source.parent / 'build'
    shutil.rmtree(out, ignore_errors=True)
    run('cmake', '-G', 'Ninja', '-S', source, '-B', out, *build.cmake_options, f'-DCMAKE_INSTALL_PREFIX={build.prefix}', '-DCMAKE_INSTALL_LIBDIR=lib',
        '-DCMAKE_BUILD_TYPE=Release', f'-DCMAKE_C_FLAGS_RELEASE={FLAGS} -DNDEBUG',
        f'-DCMAKE_CXX_FLAGS_RELEASE={FLAGS} -DNDEBUG', '-DBUILD_SHARED_LIBS=OFF', '-DCMAKE_C_COMPILER_LAUNCHER=ccache',
        '-DCMAKE_CXX_COMPILER_LAUNCHER=ccache', *options)
    run('cmake', '--build', out, '-j', os.environ.get('JOBS', '2'))
    run('cmake', '--install', out)


def build_zlib(build, source, _):
    names = 'adler32 compress crc32 deflate gzclose gzlib gzread gzwrite infback inffast inflate inftrees trees uncompr zutil'
    compile_archive(build, 'z', source, [f'{name}.c' for name in names.split()], ['-DHAVE_HIDDEN'])
    copy_headers(build, source, ['zlib.h', 'zconf.h'])
    write_pkg_config(build, 'zlib', '1.2.13', '-lz')


def build_giflib(build, source, _):
    names = 'dgif_lib egif_lib gifalloc gif_err gif_font gif_hash openbsd-reallocarray quantize'
    compile_archive(build, 'gif', source, [f'{name}.c' for name in names.split()])
    copy_headers(build, source, ['gif_lib.h'])


def build_minizip(build, source, version, own=()):
    """`own`: further parts, of one system."""
    compile_archive(build, 'minizip', source, [f'{name}.c' for name in ('ioapi', 'mztools', 'unzip', 'zip', *own)])
    copy_headers(build, source, [f'{name}.h' for name in ('ioapi', 'mztools', 'unzip', 'zip', *own)], 'minizip')
    write_pkg_config(build, 'minizip', version, '-lminizip -lz', include='include/minizip')


def build_xxhash(build, source, version):
    compile_archive(build, 'xxhash', source, ['xxhash.c'])
    copy_headers(build, source, ['xxhash.h', 'xxh3.h'])
    write_pkg_config(build, 'libxxhash', version, '-lxxhash')


def build_png(build, source, _):
    cmake_install(build, source, '-DPNG_SHARED=OFF', '-DPNG_TESTS=OFF', '-DPNG_EXECUTABLES=OFF')


def build_webp(build, source, version):
    tools = ('ANIM_UTILS', 'CWEBP', 'DWEBP', 'GIF2WEBP', 'IMG2WEBP', 'VWEBP', 'WEBPINFO', 'WEBPMUX', 'EXTRAS')
    cmake_install(build, source, *[f'-DWEBP_BUILD_{tool}=OFF' for tool in tools])
    write_pkg_config(build, 'libwebp', version, '-lwebp')
    write_pkg_config(build, 'libwebpmux', version, '-lwebpmux -lwebp')


def build_draco(build, source, _):
    cmake_install(build, source, '-DDRACO_TESTS=OFF')


def build_simply(build, source, _):
    cmake_install(build, source)


def build_fmt(build, source, _):
    cmake_install(build, source, '-DFMT_DOC=OFF', '-DFMT_TEST=OFF')


def build_spdlog(build, source, _):
    cmake_install(build, source, '-DSPDLOG_FMT_EXTERNAL=ON', '-DSPDLOG_BUILD_EXAMPLE=OFF', '-DSPDLOG_BUILD_TESTS=OFF')


def build_sodium(build, source, version, options):
    out = source.parent / 'build'
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    run('autoreconf', '-fi', cwd=source)
    run(source / 'configure', *options, f'--prefix={build.prefix}', '--disable-shared', '--enable-static', '--disable-dependency-tracking',
        cwd=out, env={'CFLAGS': FLAGS})
    run('make', '-j2', 'install', cwd=out)
    write_pkg_config(build, 'libsodium', version, '-lsodium', '-DSODIUM_STATIC')


def build_tbb(build, source, _):
    cmake_install(build, source, '-DTBB_TEST=OFF', '-DTBB_STRICT=OFF', '-DTBBMALLOC_BUILD=OFF', '-DTBBMALLOC_PROXY_BUILD=OFF')


# Formats for exchanging meshes, and motion.
IMPORTERS = '3DS 3MF AC BVH COLLADA LWO MS3D OBJ OFF OPENGEX PLY STL X X3D'


def build_assimp(build, source, _, flags):
    # Its own copy is another version, and all of it in every object.
    for name in ('pugixml.hpp', 'pugiconfig.hpp'):
        shutil.copy(build.prefix / 'include' / name, source / 'contrib' / 'pugixml' / 'src')
    cmake_install(build, source, '-DASSIMP_BUILD_TESTS=OFF', '-DASSIMP_BUILD_ASSIMP_TOOLS=OFF', '-DASSIMP_BUILD_ZLIB=OFF',
                  '-DASSIMP_BUILD_ALL_IMPORTERS_BY_DEFAULT=OFF', '-DASSIMP_BUILD_ALL_EXPORTERS_BY_DEFAULT=OFF',
                  *[f'-DASSIMP_BUILD_{name}_IMPORTER=ON' for name in IMPORTERS.split()],
                  '-DASSIMP_BUILD_GLTF_EXPORTER=ON', '-DASSIMP_BUILD_GLTF_IMPORTER=ON', '-DASSIMP_WARNINGS_AS_ERRORS=OFF',
                  f'-DCMAKE_CXX_FLAGS={flags} -w')
    # Its package names these without their folder, and the last not at all.
    targets = build.lib / 'cmake' / 'assimp-5.2' / 'assimpTargets.cmake'
    archives = ';'.join(str(build.lib / f'lib{name}.a') for name in ('minizip', 'z', 'pugixml'))
    targets.write_text(targets.read_text().replace('minizip;z"', f'{archives}"'))


def source_of_installed(package):
    return run('dpkg-query', '-W', '-f', '${source:Package} ${source:Version}', package).strip()


def copy_installed(build, package):
    """Headers of an installed package, with the files by which CMake finds them. Returns its source and version."""
    version = source_of_installed(package)
    stamp = build.work / f'{package}.copied'
    if stamp.is_file() and stamp.read_text() == version:
        return version
    multiarch = run('dpkg-architecture', '-qDEB_BUILD_MULTIARCH').strip()
    for line in run('dpkg', '-L', package).splitlines():
        path = pathlib.Path(line)
        inside = re.match(rf'/usr/(include/.*|share/(?:cmake|pkgconfig|eigen3)/.*|lib/{multiarch}/cmake/.*|lib/cmake/.*)', line)
        if not inside or (path.is_dir() and not path.is_symlink()):
            continue
        to = build.prefix / inside.group(1).replace(f'lib/{multiarch}/', 'lib/')
        to.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            shutil.copytree(path, to, dirs_exist_ok=True)
        else:
            shutil.copy(path, to)
    keep_license(build, package, pathlib.Path(f'/usr/share/doc/{package}/copyright'))
    stamp.write_text(version)
    return version


def find_headers_alone(build):
    """Debian's package of toml++ names a library that is built for Linux, and asks for 64 bits."""
    folder = build.lib / 'cmake' / 'tomlplusplus'
    folder.mkdir(parents=True, exist_ok=True)
    (folder / 'tomlplusplusConfig.cmake').write_text(
        'add_library(tomlplusplus::tomlplusplus INTERFACE IMPORTED)\n'
        f'target_include_directories(tomlplusplus::tomlplusplus INTERFACE "{build.prefix}/include")\n')
    (folder / 'tomlplusplusConfigVersion.cmake').unlink(missing_ok=True)


def keep_license(build, name, copyright):
    (build.prefix / 'licenses').mkdir(exist_ok=True)
    shutil.copy(copyright, build.prefix / 'licenses' / name)


def build_all(build, headers, runtime, recipes):
    """`headers`: installed packages of headers alone, and `runtime`: others that are linked; `recipes`: a function for each
    package of sources, in the order in which they need each other."""
    for folder in (build.work, build.lib, build.prefix / 'include'):
        folder.mkdir(parents=True, exist_ok=True)
    update_lists(build)
    sources = [copy_installed(build, package) for package in headers] + [source_of_installed(package) for package in runtime]
    find_headers_alone(build)
    for package, make in recipes.items():
        source, version = fetched_source(build, package)
        sources.append(f'{package} {version}')
        stamp = build.work / f'{package}.built'
        if stamp.is_file() and stamp.read_text() == version:
            continue
        print(f'{package} {version}', flush=True)
        make(build, source, version)
        keep_license(build, package, source / 'debian' / 'copyright')
        stamp.write_text(version)
    (build.prefix / 'licenses' / 'sources.txt').write_text(''.join(f'{line}\n' for line in sorted(set(sources))))

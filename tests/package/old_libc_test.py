#!/usr/bin/python3
"""Programs that are linked for glibc 2.28, by cmake/linux/build_libc.py, run here and ask for nothing newer.

old_libc_test.py SOURCE_DIR [unittest's arguments]"""
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = None

PROGRAM = r"""
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>

extern char** environ;

struct Stage {
  const char* name;
  explicit Stage(const char* given) : name(given) { std::printf("%s begins\n", name); }
  ~Stage() { std::printf("%s ends\n", name); }
};
Stage stage("a constructor");

__attribute__((constructor)) void called_first(int count, char** words, char** variables) {
  std::printf("%d words, the second is %s, environ: %d\n", count, words[1], variables == environ);
}

void fails() { throw std::runtime_error("caught"); }

int main(int, char** words) {
  std::atexit([] { std::printf("at exit\n"); });
  std::thread([] {
    try {
      fails();
    } catch (const std::exception& error) {
      std::printf("%s\n", error.what());
    }
  }).join();
  std::mutex mutex;
  std::condition_variable late;
  std::unique_lock lock(mutex);
  const auto begin = std::chrono::steady_clock::now();
  const bool timed_out = late.wait_for(lock, std::chrono::milliseconds(30)) == std::cv_status::timeout;
  std::printf("waited: %d\n", timed_out && std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(30));
  std::random_device random;
  std::printf("random: %d\n", random() != random() || random() != random());
  std::printf("%s\n", std::filesystem::file_size(words[0]) > 1000 && !std::filesystem::exists("no such file") ? "files" : "no files");
}
"""
PRINTED = """a constructor begins
2 words, the second is two, environ: 1
caught
waited: 1
random: 1
files
at exit
a constructor ends
"""
LINKED = '-std=c++20 -O1 -static-libstdc++ -static-libgcc -Wl,--exclude-libs,ALL -Wl,--as-needed'.split()


@unittest.skipUnless(platform.machine() == 'x86_64' and shutil.which('g++') and shutil.which('objdump'), 'no g++ for x86-64')
class OldLibc(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        sys.path.insert(0, str(SOURCE / 'cmake'))
        from linux.build_libc import SYSTEMS, build_libc
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.dir = pathlib.Path(folder.name)
        cls.system = SYSTEMS['x86_64']
        build_libc(cls.dir / 'libc', cls.system)

    def link(self, text, *flags):
        (self.dir / 'program.cpp').write_text(text)
        return subprocess.run(['g++', *LINKED, f'-B{self.dir}/libc/', self.dir / 'program.cpp', '-o', self.dir / 'program', *flags],
                              capture_output=True, text=True)

    def symbols(self, path, version):
        text = subprocess.run(['objdump', '-T', path], check=True, capture_output=True, text=True).stdout
        return set(re.findall(rf' \(?{version}\)? +(\S+)$', text, re.MULTILINE))

    def test_a_program_runs_from_constructors_to_destructors(self):
        done = self.link(PROGRAM)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = subprocess.run([self.dir / 'program', 'two'], cwd=self.dir, capture_output=True, text=True)
        # Text of other threads and of the end is in order, since stdout is one buffer.
        self.assertEqual(sorted(done.stdout.splitlines()), sorted(PRINTED.splitlines()))
        self.assertEqual(done.stdout.splitlines()[-1], PRINTED.splitlines()[-1])

    def test_it_asks_for_no_newer_version(self):
        self.assertEqual(self.link(PROGRAM).returncode, 0)
        for minor in range(29, 60):
            self.assertEqual(self.symbols(self.dir / 'program', rf'GLIBC_2\.{minor}'), set())
        self.assertIn('__libc_start_main', self.symbols(self.dir / 'program', r'GLIBC_2\.2\.5'))

    def test_a_call_of_a_newer_function_does_not_link(self):
        text = 'extern "C" int %s(); int main() { return %s(); }'
        for name, old in (('getentropy', True), ('pthread_create', True), ('dlopen', True), ('pidfd_open', False), ('mallinfo2', False),
                          ('epoll_pwait2', False)):
            with self.subTest(name=name):
                done = self.link(text % (name, name))
                self.assertEqual(done.returncode == 0, old, done.stderr)
                if not old:
                    self.assertIn(f"undefined reference to `{name}'", done.stderr)

    def test_all_that_it_names_is_in_the_c_library_of_this_machine(self):
        for library in ('libc.so.6', 'libpthread.so.0', 'libdl.so.2', 'librt.so.1'):
            for version in ('2.2.5', '2.3.4', '2.14', '2.17', '2.28'):
                version = 'GLIBC_' + re.escape(version)
                self.assertLessEqual(self.symbols(self.dir / 'libc' / library, version), self.symbols(self.system.libraries / 'libc.so.6', version))

    def test_a_library_of_it_can_be_loaded(self):
        done = self.link('#include <stdexcept>\nextern "C" int thrown() { try { throw std::runtime_error("x"); } catch (const std::exception&) { return 7; } }',
                         '-shared', '-fPIC')
        self.assertEqual(done.returncode, 0, done.stderr)
        shutil.copy(self.dir / 'program', self.dir / 'library.so')
        done = subprocess.run([sys.executable, '-c', f'import ctypes; print(ctypes.CDLL("{self.dir}/library.so").thrown())'], capture_output=True, text=True,
                              env=os.environ)
        self.assertEqual((done.stdout, done.returncode), ('7\n', 0), done.stderr)


if __name__ == '__main__':
    SOURCE = pathlib.Path(sys.argv[1]).resolve()
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])

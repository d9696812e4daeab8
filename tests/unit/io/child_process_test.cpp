#include "formats/import/import.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <thread>

#include "formats/import/samples.h"

using namespace gvbind;
using namespace gvbind::test;
using Bytes = std::vector<std::uint8_t>;

TEST_CASE("a child's bytes come back whole", "[child]") {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{5'000'000}}) {
    const auto make = [&] {
      Bytes bytes(size);
      for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(i * 7);
      return bytes;
    };
    CHECK((run_in_child(make) == make()));
  }
}

TEST_CASE("a child's exception comes back as one line", "[child]") {
  const auto message = error_of(ErrorKind::input, [] {
    run_in_child([]() -> Bytes { throw std::runtime_error("two\nlines \x1b[31m\xff"); });
  });
  CHECK(message == "two lines \\x1b[31m\\xff");
  CHECK(error_of(ErrorKind::input, [] {
          run_in_child([]() -> Bytes { throw std::runtime_error(std::string(5000, 'x')); });
        }).size() == 300);
}

TEST_CASE("a child that crashes is an input error", "[child]") {
  const auto crash = [](int number) {
    return error_of(ErrorKind::input, [&] {
      run_in_child([&]() -> Bytes {
        std::raise(number);
        return {};
      });
    });
  };
  CHECK(crash(SIGABRT) == "the reader crashed on it (SIGABRT)");
  CHECK(crash(SIGSEGV) == "the reader crashed on it (SIGSEGV)");
  CHECK(error_of(ErrorKind::input, [] { run_in_child([]() -> Bytes { _exit(3); }); }) ==
        "the reader crashed on it (status 3)");
  CHECK(error_of(ErrorKind::input, [] { run_in_child([]() -> Bytes { _exit(0); }); }) ==
        "the reader gave no answer");
}

TEST_CASE("a child that closes its pipe and stays is ended", "[child]") {
  CHECK(error_of(ErrorKind::input, [] {
          run_in_child([]() -> Bytes {
            close(3);
            for (;;) pause();
          });
        }) == "the reader crashed on it (SIGKILL)");
}

TEST_CASE("limits of a child", "[child]") {
  ChildLimits limits;
  SECTION("wall clock") {
    limits.wall_seconds = 1;
    CHECK(error_of(ErrorKind::time_limit, [&] {
            run_in_child(
                []() -> Bytes {
                  for (;;) pause();
                },
                limits);
          }) == "reading took longer than 1 s and was stopped");
  }
  SECTION("processor time") {
    limits.cpu_seconds = 1;
    CHECK(error_of(ErrorKind::time_limit, [&] {
            run_in_child(
                []() -> Bytes {
                  for (volatile unsigned i = 0;;) i = i + 1;
                },
                limits);
          }) == "reading took longer than 1 s and was stopped");
  }
  SECTION("answer") {
    limits.answer_bytes = 1 << 20;
    CHECK((run_in_child([] { return Bytes(1 << 20); }, limits).size() == 1 << 20));
    CHECK(error_of(ErrorKind::resource, [&] {
            run_in_child([] { return Bytes((1 << 20) + 1); }, limits);
          }) == "holds more than the 1 MiB that we take");
  }
#ifndef GVBIND_SANITIZED
  SECTION("memory") {
    limits.memory_bytes = 64 << 20;
    CHECK(error_of(ErrorKind::resource, [&] {
            run_in_child([] { return Bytes(200 << 20); }, limits);
          }) == "reading needs more than the 64 MiB of memory that it may take");
  }
#endif
}

TEST_CASE("a child is mute and leaves our handlers alone", "[child]") {
  const auto old = std::signal(SIGTERM, [](int) { std::abort(); });
  std::fflush(stderr);
  FILE* caught = std::tmpfile();
  REQUIRE(caught != nullptr);
  const int saved = dup(2);
  dup2(fileno(caught), 2);
  std::string message;
  try {
    run_in_child([]() -> Bytes {
      std::fputs("noise", stderr);
      std::fflush(stderr);
      std::raise(SIGTERM);
      return {};
    });
  } catch (const Error& error) {
    message = error.what();
  }
  dup2(saved, 2);
  close(saved);
  std::signal(SIGTERM, old);
  CHECK(message == "the reader crashed on it (SIGTERM)");
  CHECK(std::fseek(caught, 0, SEEK_END) == 0);
  CHECK(std::ftell(caught) == 0);
  std::fclose(caught);
}

TEST_CASE("children of several threads do not wait for each other", "[child]") {
  // The slow child ends once all quick ones have been read. If it inherited one of their pipes,
  // they would wait for each other until the time limit.
  const ScratchFolder folder;
  const std::filesystem::path done = folder.path() / "done";
  ChildLimits limits;
  limits.wall_seconds = 120;
  std::string slow_message;
  std::thread slow([&] {
    try {
      run_in_child(
          [&] {
            while (!std::filesystem::exists(done)) usleep(5000);
            return Bytes(1);
          },
          limits);
    } catch (const Error& error) {
      slow_message = error.what();
    }
  });
  for (int i = 0; i < 20; ++i) CHECK((run_in_child([] { return Bytes(1); }, limits).size() == 1));
  folder.write("done");
  slow.join();
  CHECK(slow_message.empty());
}

TEST_CASE("the output of an isolated child is available, however it ends", "[child]") {
  const auto write_and = [](void (*end)()) {
    IsolatedChild child({[=](int answer) {
                           write_all(answer, std::as_bytes(std::span("abc", 3)));
                           end();
                         },
                         {}},
                        {.memory_bytes = 0, .wall_seconds = 4});
    return child.wait();
  };
  const Bytes abc = {'a', 'b', 'c'};
  const ChildAnswer well = write_and([] {});
  CHECK((well.bytes == abc && well.end == ChildAnswer::End::by_itself && well.status.signal == 0 &&
         well.status.exit_code == 0));
  const ChildAnswer crashed = write_and([] { std::abort(); });
  CHECK((crashed.bytes == abc && crashed.end == ChildAnswer::End::by_itself));
  CHECK(crashed.status.signal == SIGABRT);
  const ChildAnswer hung = write_and([] { pause(); });
  CHECK((hung.bytes == abc && hung.end == ChildAnswer::End::too_late));
}

TEST_CASE("isolated children run at once", "[child]") {
  std::vector<IsolatedChild> children;
  for (std::uint8_t i = 0; i < 3; ++i)
    children.emplace_back(
        platform::ChildWork{[i](int answer) { write_all(answer, std::as_bytes(std::span(&i, 1))); },
                            {}},
        ChildLimits{});
  for (std::uint8_t i = 0; i < 3; ++i) CHECK((children[i].wait().bytes == Bytes{i}));
}

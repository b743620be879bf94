// Making and printing UUIDs. Used through quark::Uuid only.
#include <quark/types/uuid_value.hpp>

#include <atomic>
#include <ctime>
#if defined(__linux__)
#include <sys/random.h>

#include <cerrno>
#include <system_error>
#elif defined(__APPLE__) || defined(__FreeBSD__) || defined(__OpenBSD__) || defined(__NetBSD__)
#include <cstdlib>
#else
#include <random>
#endif

namespace quark {
namespace {

// Nothing is buffered: a copy of a buffer in a forked child would hand out the same UUIDs.
void fill_random(std::byte* out, std::size_t size) {
#if defined(__linux__)
  while (size > 0) {
    const ssize_t got = ::getrandom(out, size, 0);
    if (got < 0 && errno != EINTR)
      throw std::system_error(errno, std::generic_category(), "getrandom");
    if (got > 0) {
      out += got;
      size -= static_cast<std::size_t>(got);
    }
  }
#elif defined(__APPLE__) || defined(__FreeBSD__) || defined(__OpenBSD__) || defined(__NetBSD__)
  ::arc4random_buf(out, size);
#else
  std::random_device device;
  for (; size > 0; --size) *out++ = static_cast<std::byte>(device() & 0xFFu);
#endif
}

void set_version(Uuid& uuid, unsigned version) {
  uuid.bytes[6] =
      static_cast<std::byte>((std::to_integer<unsigned>(uuid.bytes[6]) & 0x0Fu) | version << 4);
  uuid.bytes[8] =
      static_cast<std::byte>((std::to_integer<unsigned>(uuid.bytes[8]) & 0x3Fu) | 0x80u);
}

// Milliseconds in the upper 48 bits, 1/4096ths of one in the lower 12; larger than every answer
// before.
std::uint64_t next_moment() {
  static std::atomic<std::uint64_t> last{0};
  std::timespec now{};
  std::timespec_get(&now, TIME_UTC);
  const auto seconds = now.tv_sec > 0 ? static_cast<std::uint64_t>(now.tv_sec) : 0;
  const auto nanos = static_cast<std::uint64_t>(now.tv_nsec);
  const std::uint64_t millis = seconds * 1000 + nanos / 1'000'000;
  const std::uint64_t moment = (millis << 12) | (nanos % 1'000'000 * 4096 / 1'000'000);

  std::uint64_t before = last.load(std::memory_order_relaxed);
  std::uint64_t answer;
  do {
    answer = detail::moment_after(before, moment);
  } while (!last.compare_exchange_weak(before, answer, std::memory_order_relaxed));
  return answer;
}

}  // namespace

Uuid Uuid::random() {
  Uuid uuid;
  fill_random(uuid.bytes.data(), uuid.bytes.size());
  set_version(uuid, 4);
  return uuid;
}

Uuid Uuid::time_ordered() {
  Uuid uuid;
  fill_random(uuid.bytes.data() + 8, 8);
  const std::uint64_t moment = next_moment();
  for (unsigned i = 0; i < 6; ++i)
    uuid.bytes[i] = static_cast<std::byte>(moment >> (52 - 8 * i) & 0xFFu);
  uuid.bytes[6] = static_cast<std::byte>(moment >> 8 & 0x0Fu);
  uuid.bytes[7] = static_cast<std::byte>(moment & 0xFFu);
  set_version(uuid, 7);
  return uuid;
}

void Uuid::write(char* out) const noexcept {
  constexpr char digits[] = "0123456789abcdef";
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) *out++ = '-';
    const auto byte = std::to_integer<unsigned>(bytes[i]);
    *out++ = digits[byte >> 4];
    *out++ = digits[byte & 0x0Fu];
  }
}

}  // namespace quark

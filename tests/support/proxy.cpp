// One thread moves the bytes of all connections.
#include "support/proxy.hpp"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>
#include <vector>

namespace under_test {
namespace {

struct Pair {
  int client, server;
  bool server_spoke = true;  // since the client last did
};

sockaddr_in address(const std::string& host, int port) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_port = htons(static_cast<std::uint16_t>(port));
  inet_pton(AF_INET, host == "localhost" ? "127.0.0.1" : host.c_str(), &out.sin_addr);
  return out;
}

void at_once(int socket) {
  const int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

/// Moves what is there; false at the end.
bool move(int from, int to) {
  char buffer[65536];
  const ssize_t size = recv(from, buffer, sizeof buffer, 0);
  if (size <= 0) return false;
  for (ssize_t done = 0; done < size;) {
    const ssize_t sent = send(to, buffer + done, static_cast<std::size_t>(size - done), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    done += sent;
  }
  return true;
}

}  // namespace

Proxy::Proxy(const std::string& url) {
  const std::size_t begin = url.find('@') + 1, colon = url.find(':', begin), end = url.find('/', begin);
  if (begin == 0 || colon == std::string::npos || end == std::string::npos) throw std::runtime_error("a URL with a port");
  host_ = url.substr(begin, colon - begin);
  port_ = std::atoi(url.c_str() + colon + 1);
  listener_ = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in own = address("127.0.0.1", 0);
  socklen_t size = sizeof own;
  auto* const any = reinterpret_cast<sockaddr*>(&own);
  if (bind(listener_, any, size) != 0 || listen(listener_, 16) != 0 || getsockname(listener_, any, &size) != 0)
    throw std::runtime_error("no port for the proxy");
  url_ = url.substr(0, begin) + "127.0.0.1:" + std::to_string(ntohs(own.sin_port)) + url.substr(end);
  thread_ = std::thread([this] { loop(); });
}

Proxy::~Proxy() {
  stop_ = true;
  thread_.join();
  close(listener_);
}

void Proxy::loop() {
  std::vector<Pair> pairs;
  const auto close_pair = [](const Pair& pair) {
    close(pair.client);
    close(pair.server);
  };
  while (!stop_) {
    std::vector<pollfd> wanted{{listener_, POLLIN, 0}};
    for (const Pair& pair : pairs) {
      wanted.push_back({pair.client, POLLIN, 0});
      wanted.push_back({pair.server, POLLIN, 0});
    }
    if (frozen_) wanted.clear();
    if (poll(wanted.data(), wanted.size(), 5) <= 0 || frozen_) continue;
    for (std::size_t i = pairs.size(); i-- > 0;) {
      Pair& pair = pairs[i];
      bool open = true;
      if (wanted[2 * i + 1].revents != 0) {
        if (pair.server_spoke) ++round_trips_;
        pair.server_spoke = false;
        open = move(pair.client, pair.server);
      }
      if (open && wanted[2 * i + 2].revents != 0) {
        pair.server_spoke = true;
        open = move(pair.server, pair.client);
      }
      if (open) continue;
      close_pair(pair);
      pairs.erase(pairs.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (wanted[0].revents != 0) {
      const int client = accept(listener_, nullptr, nullptr), server = socket(AF_INET, SOCK_STREAM, 0);
      const sockaddr_in there = address(host_, port_);
      if (connect(server, reinterpret_cast<const sockaddr*>(&there), sizeof there) == 0) {
        at_once(client);
        at_once(server);
        pairs.push_back({client, server});
      } else {
        close_pair({client, server});
      }
    }
  }
  for (const Pair& pair : pairs) close_pair(pair);
}

}  // namespace under_test

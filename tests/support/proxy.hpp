// A TCP proxy in front of a database server: it counts round trips, and plays a network that is dead.
// Used by tests of deadlines and of pipelines.
#pragma once

#include <atomic>
#include <string>
#include <thread>

namespace under_test {

class Proxy {
 public:
  /// Stands before the server of this URL, "scheme://user@host:port/database".
  explicit Proxy(const std::string& url);
  Proxy(const Proxy&) = delete;
  Proxy& operator=(const Proxy&) = delete;
  /// Closes all connections.
  ~Proxy();

  /// The URL with our address in it.
  const std::string& url() const { return url_; }
  /// From now on nothing goes through, and nobody is told: connections stay open, new ones are taken and not answered.
  void freeze() { frozen_ = true; }
  /// How often a client had to wait for the server so far: what it sends in one go, and the answer, count once.
  int round_trips() const { return round_trips_; }

 private:
  void loop();
  std::string url_, host_;
  int port_ = 0;
  int listener_ = -1;
  std::atomic<bool> frozen_{false}, stop_{false};
  std::atomic<int> round_trips_{0};
  std::thread thread_;
};

}  // namespace under_test

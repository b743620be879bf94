// A pool of connections, shared between threads: quark::sqlite::Pool, quark::postgres::Pool.
// Written once for every engine; what needs no template is in src/exec/pool.cpp.
#pragma once

#include <quark/exec/middleware.hpp>
#include <quark/exec/row_source.hpp>
#include <quark/exec/transaction.hpp>
#include <quark/exec/transaction_stack.hpp>

#include <type_traits>
#include <utility>

namespace quark {

/// How many connections a pool has, and for how long.
struct PoolOptions {
  std::size_t min = 1;  // opened by the constructor, and not closed for idling; 0 to max
  std::size_t max = 8;  // never more; 1 to 10'000
  std::int64_t checkout_timeout_milliseconds = 5000;  // how long to wait for a free one; 0: not at all
  std::int64_t max_lifetime_seconds = 1800;    // closed after that, up to a tenth earlier; 0: never
  std::int64_t idle_timeout_seconds = 600;     // beyond `min`, closed after idling so long; 0: never
  std::int64_t check_after_idle_seconds = 30;  // after idling so long, asked for life by a round trip; 0: always
  std::int64_t (*clock)() = nullptr;  // for tests: microseconds since whenever; null: the steady clock
};

/// What a pool is doing, and has done since it was made.
struct PoolStats {
  std::size_t size = 0;     // open connections, and those being opened
  std::size_t idle = 0;     // of them, those that wait to be used
  std::size_t in_use = 0;   // of them, the others
  std::size_t waiting = 0;  // threads that wait for one
  std::uint64_t created = 0;
  std::uint64_t closed = 0;  // for whatever reason
  std::uint64_t timeouts = 0;
  std::int64_t longest_wait_microseconds = 0;
};

template <class Connection>
class Pool;

namespace detail {

/// One connection, as the pool sees it. Its destructor closes it.
class PooledConnection {
 public:
  PooledConnection() = default;
  PooledConnection(const PooledConnection&) = delete;
  PooledConnection& operator=(const PooledConnection&) = delete;
  virtual ~PooledConnection();
  virtual bool looks_alive() noexcept = 0;
  virtual bool ping() noexcept = 0;
  virtual bool reset() noexcept = 0;
  /// Puts the pool's middlewares around its statements.
  virtual void share(const MiddlewareChain& chain) = 0;
  /// Runs what the pool's user wants to be run first.
  virtual void set_up() = 0;

 private:
  friend class PoolCore;
  friend class PoolState;
  std::int64_t expires_ = 0;
  std::int64_t idle_since_ = 0;
  PooledConnection* next_ = nullptr;
};

/// Makes connections.
class PoolSource {
 public:
  PoolSource() = default;
  PoolSource(const PoolSource&) = delete;
  PoolSource& operator=(const PoolSource&) = delete;
  virtual ~PoolSource();
  virtual PooledConnection* open() = 0;
};

/// The pool without its types. It lives until the last connection has come back.
class PoolCore {
 public:
  /// Opens the first connections. Owns `source`, also when it throws.
  static PoolCore* make(PoolSource* source, const PoolOptions& options);
  PoolCore(const PoolCore&) = delete;
  PoolCore& operator=(const PoolCore&) = delete;

  PooledConnection* acquire();
  void release(PooledConnection* connection) noexcept;
  void maintain();
  void close() noexcept;
  PoolStats stats() const;
  /// Throws Misuse once a connection has been handed out.
  void check_unused() const;
  MiddlewareChain& chain();
  void share_chain();
  void set_up_all();
  /// The end of the Pool.
  void drop() noexcept;

 protected:
  PoolCore() = default;
  ~PoolCore() = default;
};

/// What on_connect() was given.
template <class Connection>
class ConnectHook {
 public:
  ConnectHook() = default;
  ConnectHook(const ConnectHook&) = delete;
  ConnectHook& operator=(const ConnectHook&) = delete;
  virtual ~ConnectHook() = default;
  virtual void run(Connection& connection) = 0;
};

template <class Connection, class F>
class FunctionHook final : public ConnectHook<Connection> {
 public:
  explicit FunctionHook(F function) : function_(std::move(function)) {}
  void run(Connection& connection) override { function_(connection); }

 private:
  F function_;
};

/// The pool's options and hook; outlives its connections as far as these need it.
template <class Connection>
struct PoolSetup {
  typename Connection::Options options;
  ConnectHook<Connection>* hook = nullptr;
};

template <class Connection>
class TypedPooledConnection final : public PooledConnection {
 public:
  explicit TypedPooledConnection(const PoolSetup<Connection>& setup) : connection(setup.options), setup_(setup) {}
  bool looks_alive() noexcept override {
    if constexpr (requires { connection.session().looks_alive(); }) return connection.session().looks_alive();
    return true;
  }
  bool ping() noexcept override { return connection.session().ping(); }
  bool reset() noexcept override {
    try {
      auto& session = connection.session();
      session.chain().cut(shared_);
      const bool changed = session.settings_changed();
      const bool usable = session.reset();
      session.transactions().abandoned();
      if (usable && changed) [[unlikely]] set_up();
      return usable;
    } catch (...) {
      return false;  // moved from: its borrower keeps it
    }
  }
  void share(const MiddlewareChain& chain) override {
    shared_ = connection.session().chain().share(chain);
  }
  void set_up() override {
    if (setup_.hook == nullptr) return;
    setup_.hook->run(connection);
    connection.session().accept_settings();
  }

  Connection connection;

 private:
  const PoolSetup<Connection>& setup_;
  std::size_t shared_ = 0;
};

template <class Connection>
class TypedPoolSource final : public PoolSource {
 public:
  explicit TypedPoolSource(const typename Connection::Options& options) : setup{options} {}
  ~TypedPoolSource() override { delete setup.hook; }
  PooledConnection* open() override {
    auto* const made = new TypedPooledConnection<Connection>(setup);
    try {
      made->set_up();
    } catch (...) {
      delete made;
      throw;
    }
    return made;
  }

  PoolSetup<Connection> setup;
};

/// What only some engines say of themselves.
template <class Session>
struct PooledTraits {};
template <class Session>
  requires requires { Session::ddl_commits; }
struct PooledTraits<Session> {
  static constexpr bool ddl_commits = Session::ddl_commits;
};

}  // namespace detail

/// A connection that belongs to its holder until the object goes; then the pool has it again: an open transaction is
/// rolled back, settings changed by execute() are undone, a dead connection is closed. Movable. It belongs to one
/// thread at a time, as a Connection does. Queries and transactions made of it must not outlive it. It may outlive the
/// pool.
template <class Connection>
class [[nodiscard("quark: a connection that nobody keeps goes back at once")]] Lease {
 public:
  using Session = std::remove_reference_t<decltype(std::declval<const Connection&>().session())>;
  using Begin = typename Session::Begin;

  Lease() = default;
  Lease(Lease&& other) noexcept
      : core_(std::exchange(other.core_, nullptr)), held_(std::exchange(other.held_, nullptr)) {}
  /// The connection that is assigned over goes back.
  Lease& operator=(Lease&& other) noexcept {
    if (this != &other) {
      give_back();
      core_ = std::exchange(other.core_, nullptr);
      held_ = std::exchange(other.held_, nullptr);
    }
    return *this;
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  ~Lease() { give_back(); }

  /// Returns the connection now. Nothing happens when there is none.
  void give_back() noexcept {
    if (held_ != nullptr) std::exchange(core_, nullptr)->release(std::exchange(held_, nullptr));
  }
  /// Whether there is a connection: not moved from, nor given back.
  explicit operator bool() const { return held_ != nullptr; }

  /// The connection. Throws Misuse when there is none. Moved out of the lease, it leaves the pool, which opens another.
  Connection& operator*() const& {
    if (held_ == nullptr) throw_misuse();
    return static_cast<detail::TypedPooledConnection<Connection>*>(held_)->connection;
  }
  Connection* operator->() const& { return &**this; }

  /// What For<T>(lease) is made of. Throws Misuse when there is no connection.
  Handle<Session> handle() const& { return (**this).handle(); }
  /// See Connection::transaction.
  template <class F>
  decltype(auto) transaction(F&& fn, Begin mode = Begin()) const {
    return run_transaction(session(), mode, std::forward<F>(fn));
  }
  /// See Connection::begin.
  Transaction<Session> begin(Begin mode = Begin()) const& { return Transaction<Session>(session(), mode); }
  /// See Connection::execute. The settings that it changes are undone when the connection goes back.
  std::uint64_t execute(std::string_view sql) const { return (**this).execute(sql); }

  /// See Connection::deadline. It ends when the connection goes back, if not before.
  template <class... Durations>
  auto deadline(const Durations&... limit_and_grace) const& {
    return (**this).deadline(limit_and_grace...);
  }

  // What `pool.acquire()->begin()` gave would refer to a connection that has gone back.
  Connection& operator*() const&& { return refuse_temporary(), **this; }
  Connection* operator->() const&& { return refuse_temporary(), nullptr; }
  Handle<Session> handle() const&& { return refuse_temporary(), handle(); }
  Transaction<Session> begin(Begin mode = Begin()) const&& { return refuse_temporary(), begin(mode); }
  template <class... Durations>
  auto deadline(const Durations&... limit_and_grace) const&& {
    return refuse_temporary(), (**this).deadline(limit_and_grace...);
  }

  /// For this library's own files.
  Session& session() const { return (**this).session(); }

 private:
  friend class Pool<Connection>;
  static constexpr void refuse_temporary() {
    static_assert(sizeof(Connection) == 0,
                  "quark: keep what acquire() gives in a variable: at the end of this expression it goes back");
  }
  explicit Lease(detail::PoolCore& core) : core_(&core), held_(core.acquire()) {}
  [[noreturn, gnu::cold]] static void throw_misuse() {
    detail::throw_misuse("the connection was given back to its pool, or the lease moved from");
  }

  detail::PoolCore* core_ = nullptr;
  detail::PooledConnection* held_ = nullptr;
};

/// What queries on a pool take for a session: a connection that is leased for one full expression, that of a terminal.
template <class Connection>
class PooledSession : public detail::PooledTraits<typename Lease<Connection>::Session> {
  using Session = typename Lease<Connection>::Session;

 public:
  static constexpr auto engine = Session::engine;
  using Cursor = typename Session::Cursor;
  using Begin = typename Session::Begin;
  using Outcome = quark::Outcome;
  using RowFunction = void (*)(Cursor& cursor, void* context);

  void take(Lease<Connection>&& lease) {
    lease_ = std::move(lease);
    session_ = &lease_.session();
  }

  Outcome run(const Statement& statement, const Slot* slot, const Param* params, std::size_t count, RowFunction rows,
              void* context) {
    return session_->run(statement, slot, params, count, rows, context);
  }
  void insert_rows(const Statement& many, const Slot& many_slot, const Statement& one, const Slot& one_slot,
                   const BatchInsert& batch) {
    session_->insert_rows(many, many_slot, one, one_slot, batch);
  }
  template <class Text>
  std::uint64_t copy_rows(const Text& text, const Statement& one, RowStream& rows) {
    return session_->copy_rows(text, one, rows);
  }
  std::uint64_t begin(Begin mode) { return session_->begin(mode); }
  void commit(std::uint64_t id) { session_->commit(id); }
  void rollback(std::uint64_t id) { session_->rollback(id); }
  void abandon(std::uint64_t id) noexcept { session_->abandon(id); }
  void check_transaction(std::uint64_t id) const { session_->check_transaction(id); }
  TransactionStack& transactions() { return session_->transactions(); }
  // Where the engine is chosen at run time.
  auto chosen_engine() const
    requires requires(const Session& s) { s.chosen_engine(); }
  {
    return session_->chosen_engine();
  }
  template <class F>
  decltype(auto) pick(F&& fn) const
    requires requires(const Session& s) { s.chosen_engine(); }
  {
    return session_->pick(std::forward<F>(fn));
  }
  bool decimals_are_numbers() const
    requires requires(const Session& s) { s.decimals_are_numbers(); }
  {
    return session_->decimals_are_numbers();
  }
  bool times_are_text() const
    requires requires(const Session& s) { s.times_are_text(); }
  {
    return session_->times_are_text();
  }
  bool returns_rows() const
    requires requires(const Session& s) { s.returns_rows(); }
  {
    return session_->returns_rows();
  }

 private:
  Lease<Connection> lease_;
  Session* session_ = nullptr;
};

/// How a query reaches a pool: each terminal leases a connection for itself.
template <class Connection>
class Handle<PooledSession<Connection>> {
 public:
  using session_type = PooledSession<Connection>;
  constexpr explicit Handle(const Pool<Connection>& pool) : pool_(&pool) {}

  /// A leased session. It is the default argument, which lives until the end of the full expression that calls this:
  /// `run(handle.session(), ...)` holds the connection while it runs. Don't keep the reference.
  session_type& session(session_type&& place = session_type()) const {
    place.take(pool_->acquire());
    return place;
  }

 private:
  const Pool<Connection>* pool_;
};

/// A transaction on a connection of a pool, which it holds as long as it lives: a Transaction in all else.
template <class Connection>
class [[nodiscard("quark: a transaction that nobody keeps is rolled back at once")]] PooledTransaction
    : Lease<Connection>,  // outlives the transaction, which is the base after it
      public Transaction<typename Lease<Connection>::Session> {
  using Base = Transaction<typename Lease<Connection>::Session>;

 public:
  PooledTransaction(Lease<Connection>&& lease, typename Lease<Connection>::Begin mode)
      : Lease<Connection>(std::move(lease)), Base(Lease<Connection>::session(), mode) {}
  PooledTransaction(PooledTransaction&&) noexcept = default;
  /// An open transaction that is assigned over is rolled back.
  PooledTransaction& operator=(PooledTransaction&& other) noexcept {
    Base::operator=(static_cast<Base&&>(other));
    Lease<Connection>::operator=(static_cast<Lease<Connection>&&>(other));
    return *this;
  }
  ~PooledTransaction() = default;

  using Base::begin;
  using Base::handle;
  using Base::transaction;
};

/// Connections that threads share: each statement, transaction or lease has one for itself. Threads that wait are
/// served in the order in which they came; of the idle connections the one that was used last is taken, whose
/// statements are prepared. All calls but use() may come from any thread at any time. The pool has no thread of its
/// own: surplus connections are closed when others come back, or by maintain(). Neither movable nor copyable.
template <class Connection>
class Pool {
 public:
  using Options = typename Connection::Options;
  using Begin = typename Lease<Connection>::Begin;

  /// Opens `min` connections with `options`. Throws Misuse for sizes and times that make no sense, and what opening
  /// throws, so that a wrong password is found at the start; min = 0 opens none.
  explicit Pool(const Options& options, PoolOptions pool = {})
      : source_(make(options, pool)), core_(detail::PoolCore::make(source_, pool)) {}
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  /// Closes; see close(). Queries made of the pool must be gone.
  ~Pool() { core_->drop(); }

  /// A connection of one's own until the lease goes. Waits for checkout_timeout_milliseconds at most, then throws
  /// Timeout. Throws Misuse when the pool is closed, and what opening a connection throws: the next thread that waits
  /// then tries it for itself. Cost of a warm one: two locks, two looks at the clock, no allocation.
  Lease<Connection> acquire() const { return Lease<Connection>(*core_); }

  /// Runs `fn(tx)` in a transaction on one connection: see Connection::transaction. Throws like acquire(), too. Inside
  /// `fn` use `tx`: what goes to the pool instead is another connection, outside of the transaction.
  template <class F>
  decltype(auto) transaction(F&& fn, Begin mode = Begin()) const {
    return acquire().transaction(std::forward<F>(fn), mode);
  }
  /// The same as a guard, which holds its connection as long as it lives.
  PooledTransaction<Connection> begin(Begin mode = Begin()) const {
    return PooledTransaction<Connection>(acquire(), mode);
  }
  /// Runs one statement of plain SQL on some connection; see Connection::execute. Settings that it changes are undone
  /// at once: those that all connections shall have belong into the options.
  std::uint64_t execute(std::string_view sql) const { return acquire().execute(sql); }

  /// Adds a middleware around every statement of every connection. One object is called by several threads at a time,
  /// so it must be thread-safe. (SlowQueryLog is; the recorder and the N+1 detector are not.) An lvalue derived from
  /// Middleware is referred to and must outlive the pool and its leases; anything else is copied or moved in. Throws
  /// Misuse after the first connection was handed out.
  template <class M>
  void use(M&& middleware) {
    core_->check_unused();
    core_->chain().use(std::forward<M>(middleware));
    core_->share_chain();
  }
  /// Runs `fn(connection)` on every new connection before its first use: for pragmas, settings, functions of the
  /// database. Settings that it makes stay when others are undone: it then runs again. Several threads may run it at
  /// the same time. What it throws comes out of the call that needed the connection, which is closed; here, for
  /// connections that are open already. Throws Misuse for a second function, or after the first connection was handed
  /// out.
  template <class F>
  void on_connect(F fn) {
    static_assert(std::is_invocable_v<F&, Connection&>, "quark: on_connect() takes a function of a Connection&");
    core_->check_unused();
    if (source_->setup.hook != nullptr) detail::throw_misuse("a pool has one function for on_connect()");
    source_->setup.hook = new detail::FunctionHook<Connection, F>(std::move(fn));
    core_->set_up_all();
  }

  /// What the pool is doing now. Costs a lock.
  PoolStats stats() const { return core_->stats(); }
  /// Closes what has idled or lived too long, and opens connections up to `min`: for a timer of yours. Throws what
  /// opening throws. Without it this happens when connections are used.
  void maintain() { core_->maintain(); }
  /// Closes the idle connections now, and those that are in use when they come back. Threads that wait, and all that
  /// come later, get Misuse. Closing twice is fine.
  void close() noexcept { core_->close(); }

  /// What For<T>(pool) is made of: each terminal of such a query leases a connection for itself. The query can be kept,
  /// and used by several threads at once; the pool must outlive it.
  Handle<PooledSession<Connection>> handle() const { return Handle<PooledSession<Connection>>(*this); }

 private:
  using Source = detail::TypedPoolSource<Connection>;
  static Source* make(const Options& options, PoolOptions& pool) {
    if constexpr (requires { adjust_pool(options, pool); }) adjust_pool(options, pool);
    return new Source(options);
  }
  Source* source_;  // the core's
  detail::PoolCore* core_;
};

}  // namespace quark

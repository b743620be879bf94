// A pipeline: writes of objects that are queued, and sent in one flush. All of them or none.
// What Transaction::pipeline and postgres::Connection::pipeline hand to their function.
#pragma once

#include <quark/query/insert.hpp>

#include <vector>

namespace quark {
namespace detail {

/// What is to be done when the answer to a statement is there; and, when all have succeeded, about its object.
template <class S>
struct PipelineTask {
  PipelineTask() = default;
  PipelineTask(const PipelineTask&) = delete;
  PipelineTask& operator=(const PipelineTask&) = delete;
  virtual ~PipelineTask() = default;
  virtual void done(typename S::Cursor& cursor, const Outcome& outcome) = 0;
  virtual void finish() {}
};

/// Writes chosen members of one object into another.
template <class T, class Wanted, std::size_t... I>
void move_members(T& from, T& to, Wanted wanted, std::index_sequence<I...>) {
  const auto one = [&]<std::size_t K>() {
    if (wanted(K)) Entity<T>::template member<K>(to) = std::move(Entity<T>::template member<K>(from));
  };
  (one.template operator()<I>(), ...);
}

/// An INSERT or upsert. It works on a copy: the object changes only when its row has, and not even needs to be there
/// should the pipeline fail. `object` is null for one that is not to be told.
template <class T, class S>
struct InsertTask final : PipelineTask<S> {
  InsertTask(const T& o, T* told) : copy(o), object(told) {}
  void done(typename S::Cursor& cursor, const Outcome& outcome) override {
    if (outcome.affected == 0 || (rows != nullptr && outcome.rows == 0)) throw_not_inserted(table_of<T>.name);
    if (rows != nullptr) rows(cursor, &copy);
  }
  void finish() override {
    if (object == nullptr) return;
    const auto changed = [this](std::size_t i) {
      for (std::uint16_t k = 0; k < ReadBack<T>::columns.size; ++k)
        if (ReadBack<T>::columns.data[k] == i) return true;
      return ((filled >> i) & 1) != 0;
    };
    move_members(copy, *object, changed, std::make_index_sequence<Entity<T>::n>());
  }
  T copy;
  T* object;
  std::uint64_t filled = 0;  // what fill_new() says
  void (*rows)(typename S::Cursor&, void*) = nullptr;
};

/// An UPDATE or DELETE.
template <class T, class S>
struct ByKeyTask : PipelineTask<S> {
  void done(typename S::Cursor&, const Outcome& outcome) override {
    if constexpr (table_of<T>.version != no_column) {
      if (outcome.affected == 0) throw_stale(table_of<T>.name);
    }
  }
};

/// An UPDATE that counts a version up, or sets a stamp.
template <class T, class S>
struct UpdateTask final : ByKeyTask<T, S> {
  explicit UpdateTask(T& o) : copy(o), object(o) {}
  void finish() override {
    Entity<T>::count_version_up(copy);
    const auto changed = [](std::size_t i) { return i == table_of<T>.version || i == table_of<T>.updated_at; };
    move_members(copy, object, changed, std::make_index_sequence<Entity<T>::n>());
  }
  T copy;
  T& object;
};

[[noreturn, gnu::cold]] void throw_key_unknown(std::string_view table);

template <class S>
consteval bool has_pipelines() {
  return requires { typename S::Queue; };
}

template <class S, bool = has_pipelines<S>()>
struct queue_of {
  using type = typename S::Queue;
};
template <class S>
struct queue_of<S, false> {
  struct type {
    explicit type(S&) {}
  };
};

}  // namespace detail

/// Queues writes. Each call encodes its values at once (and throws for those that no column can
/// hold), and prepares its statement, which is one round trip the first time on a connection;
/// nothing runs before flush(), or the end of the function. Made keys, versions and stamps are in
/// the objects after flush(): those that are given as variables must live until then. When a
/// statement fails, flush() throws its error, none of the writes is kept, and no object has
/// changed. An object with a version can be updated once per flush. Statements that are run
/// otherwise meanwhile come first.
template <class S>
class Pipeline {
  static_assert(detail::has_pipelines<S>(),
                "quark: only PostgreSQL has pipelines: write the objects one by one, or by create_batch()");

 public:
  explicit Pipeline(Handle<S> handle) : handle_(handle), queue_(handle.session()) {}
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;
  ~Pipeline() { forget(); }

  /// Queues an INSERT; see create() of a query. A constant or temporary isn't told its key.
  template <class T>
  void create(T&& object) {
    using Model = std::remove_cvref_t<T>;
    using sql::InsertMode;
    if constexpr (table_of<Model>.generated_key) {
      if (wants_key(object))
        return insert<Model>(detail::insert_call<Model, S, sql::InsertSpec<Model, InsertMode::without_key>, true>,
                             object, told<Model, T>(object));
    }
    insert<Model>(detail::insert_call<Model, S, sql::InsertSpec<Model, InsertMode::with_key>, false>, object,
                  told<Model, T>(object));
  }
  /// Queues an INSERT, or the UPDATE of a row with the same primary key; see upsert(x) of a query.
  template <class T>
  void upsert(T&& object) {
    using Model = std::remove_cvref_t<T>;
    detail::check_key<Model>();
    using Key = detail::primary_key_pack<Model>;
    if constexpr (table_of<Model>.generated_key) {
      if (wants_key(object))
        return insert<Model>(detail::insert_call<Model, S, sql::UpsertSpec<Model, Key, void, false>, false>, object,
                             told<Model, T>(object));
    }
    insert<Model>(detail::insert_call<Model, S, sql::UpsertSpec<Model, Key, void, true>, false>, object,
                  told<Model, T>(object));
  }
  /// Queues the UPDATE of all columns by the key; see update(x) of a query. Throws Misuse for an object whose key the
  /// database has yet to make: flush() first.
  template <class T>
  void update(T&& object) {
    using Model = std::remove_cvref_t<T>;
    using E = detail::Entity<Model>;
    detail::check_key<Model>();
    constexpr bool writable = std::is_lvalue_reference_v<T> && !std::is_const_v<std::remove_reference_t<T>>;
    static_assert(!E::changes_on_update || writable,
                  "quark: a pipeline's update(x) writes the new version or updated_at into x: it must be a variable");
    using Spec = sql::UpdateSpec<Model, sql::CodePack<>, void, sql::CodePack<>, true>;
    check_known_key(object);
    if constexpr (E::changes_on_update && writable) {
      E::check_version(object);
      auto* const task = new detail::UpdateTask<Model, S>(object);
      own(task);
      E::stamp_update(task->copy);
      add_by_key<Model, Spec>(task->copy, Spec::columns.list());
    } else {
      own(new detail::ByKeyTask<Model, S>());
      add_by_key<Model, Spec>(object, Spec::columns.list());
    }
  }
  /// Queues the DELETE by the key; see remove(x) of a query. Throws Misuse like update().
  template <class T>
  void remove(const T& object) {
    detail::check_key<T>();
    check_known_key(object);
    own(new detail::ByKeyTask<T, S>());
    add_by_key<T, sql::RemoveSpec<T, sql::CodePack<>, true, table_of<T>.version != no_column>>(object, {});
  }

  /// Statements that wait.
  std::size_t size() const { return tasks_.size(); }

  /// Sends what waits, in one round trip per thousand statements, and returns the rows that each of them has affected,
  /// in order. Throws the first error, with its statement: then none of these writes is kept.
  std::vector<std::uint64_t> flush() {
    affected_.clear();
    if (tasks_.empty()) return {};
    struct Forget {
      Pipeline& pipeline;
      ~Forget() { pipeline.forget(); }
    } const at_end{*this};
    affected_.resize(tasks_.size());
    Transaction<S> whole(handle_.session(), typename S::Begin{});
    queue_.flush(
        [](void* self, std::size_t i, typename S::Cursor& cursor, const Outcome& outcome) {
          auto& pipeline = *static_cast<Pipeline*>(self);
          pipeline.tasks_[i]->done(cursor, outcome);
          pipeline.affected_[i] = outcome.affected;
        },
        this);
    whole.commit();
    for (auto* task : tasks_) task->finish();
    return std::move(affected_);
  }

 private:
  template <class Model, class T>
  static Model* told(Model& object) {
    if constexpr (std::is_lvalue_reference_v<T>) return &object;
    return nullptr;
  }
  template <class Model, class T>
  static Model* told(const Model&) {
    return nullptr;
  }
  template <class T>
  static bool wants_key(const T& object) {
    return detail::Entity<T>::wants_key(const_cast<T&>(object));  // it only looks
  }
  template <class T>
  void insert(const detail::InsertCall<S>& call, const T& object, T* told) {
    using E = detail::Entity<T>;
    auto* const task = new detail::InsertTask<T, S>(object, told);
    own(task);
    task->rows = call.rows;
    task->filled = E::fill_new(task->copy);
    if (call.upserts) E::stamp_update(task->copy);
    Param row[E::n];
    E::put(task->copy, row);
    Param params[E::n];
    Param* end = params;
    detail::gather(row, call.columns, end);
    add(call.statement, call.slot, params, call.columns.size);
  }
  // The columns that are set, the key, the version.
  template <class T, class Spec>
  void add_by_key(const T& object, sql::ColumnList set) {
    using E = detail::Entity<T>;
    using Constant = sql::Compiled<Spec, S::engine>;
    Param row[E::n];
    E::put(object, row);
    Param params[2 * E::n + 1];
    Param* end = params;
    detail::gather(row, set, end);
    detail::gather(row, sql::ColumnList{table_of<T>.key.columns, table_of<T>.key.count}, end);
    if constexpr (table_of<T>.version != no_column) *end++ = row[table_of<T>.version];
    add(Constant::statement, Constant::slot, params, static_cast<std::size_t>(end - params));
  }
  template <class T>
  static void check_known_key(const T& object) {
    if (wants_key(object)) detail::throw_key_unknown(table_of<T>.name);
  }
  void own(detail::PipelineTask<S>* task) {
    try {
      tasks_.push_back(task);
    } catch (...) {
      delete task;
      throw;
    }
  }
  // The task was made before: should this throw, it goes.
  void add(const Statement& statement, const Slot& slot, Param* params, std::size_t count) {
    try {
      (void)handle_.session();  // throws when the transaction has ended
      Scratch scratch;
      resolve(params, count, scratch);
      queue_.add(statement, slot, params, count);
    } catch (...) {
      delete tasks_.back();
      tasks_.pop_back();
      throw;
    }
  }
  void forget() noexcept {
    for (auto* task : tasks_) delete task;
    tasks_.clear();
    if constexpr (detail::has_pipelines<S>()) queue_.clear();
  }

  Handle<S> handle_;
  typename detail::queue_of<S>::type queue_;
  std::vector<detail::PipelineTask<S>*> tasks_;
  std::vector<std::uint64_t> affected_;
};

}  // namespace quark

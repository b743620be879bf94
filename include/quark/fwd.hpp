// Names without their definitions, for headers that only mention them: a connection in a signature, a filter in a
// parameter, a specialisation of type_of. Costs next to nothing to include; what uses them includes quark.hpp.
#pragma once

#include <cstdint>

namespace quark {

template <class T, class Session, class Where, class Order, unsigned Flags>
class Query;
template <class T>
class Filter;
template <class T>
class RuntimeOrder;
template <class Session>
class Transaction;
template <class Connection>
class Pool;
struct PoolOptions;
class Middleware;

class Error;
class ConversionError;
enum class ErrorKind : std::uint8_t;

// What a user may specialise.
template <class T>
struct describe;
template <class T>
struct type_of;

class Uuid;
class Json;
template <int Precision, int Scale>
class Decimal;

namespace sqlite {
class Connection;
class Session;
struct Options;
}  // namespace sqlite

}  // namespace quark

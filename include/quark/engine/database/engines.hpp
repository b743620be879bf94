// The engines that this installation has, for the files of engine/database/. The build says which: the definitions come
// with the target quark::database.
#pragma once

#if defined(QUARK_DATABASE_SQLITE)
#include <quark/engine/sqlite/connection.hpp>
#include <quark/engine/sqlite/cursor.hpp>
#endif
#if defined(QUARK_DATABASE_POSTGRES)
#include <quark/engine/postgres/connection.hpp>
#include <quark/engine/postgres/cursor.hpp>
#endif
#if defined(QUARK_DATABASE_MYSQL)
#include <quark/engine/mysql/connection.hpp>
#include <quark/engine/mysql/cursor.hpp>
#endif

#if !defined(QUARK_DATABASE_SQLITE) && !defined(QUARK_DATABASE_POSTGRES) && !defined(QUARK_DATABASE_MYSQL)
#error "quark/database.hpp needs the build's word on which engines there are: link quark::database"
#endif

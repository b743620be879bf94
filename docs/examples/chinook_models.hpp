// Chinook, a music shop's database that is used all over for examples, as Quark models: its eleven tables with their own
// names, types, keys, foreign keys and indexes. Used by the example chinook.cpp and its test.
#pragma once

#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace chinook {

using quark::index, quark::key, quark::model, quark::references, quark::rename, quark::size, quark::table;

using Number = std::int64_t;  // SQLite's INTEGER
using Text = std::string;
using Money = quark::Decimal<10, 2>;                               // NUMERIC(10,2)
using Moment = std::chrono::sys_time<std::chrono::seconds>;        // DATETIME
template <class T>
using Null = std::optional<T>;  // a column without NOT NULL

struct Artist {
  Number artist_id{};
  Null<Text> name;

  bool operator==(const Artist&) const = default;
  static consteval auto orm() {
    return model(table("Artist"), key(&Artist::artist_id), rename(&Artist::artist_id, "ArtistId"),
                 rename(&Artist::name, "Name"), size(&Artist::name, 120));
  }
};

struct Album {
  Number album_id{};
  Text title;
  Number artist_id{};

  bool operator==(const Album&) const = default;
  static consteval auto orm() {
    return model(table("Album"), key(&Album::album_id), rename(&Album::album_id, "AlbumId"),
                 rename(&Album::title, "Title"), size(&Album::title, 160), rename(&Album::artist_id, "ArtistId"),
                 references<&Artist::artist_id>(&Album::artist_id),
                 index(&Album::artist_id).named("IFK_AlbumArtistId"));
  }
};

struct Genre {
  Number genre_id{};
  Null<Text> name;

  bool operator==(const Genre&) const = default;
  static consteval auto orm() {
    return model(table("Genre"), key(&Genre::genre_id), rename(&Genre::genre_id, "GenreId"),
                 rename(&Genre::name, "Name"), size(&Genre::name, 120));
  }
};

struct MediaType {
  Number media_type_id{};
  Null<Text> name;

  bool operator==(const MediaType&) const = default;
  static consteval auto orm() {
    return model(table("MediaType"), key(&MediaType::media_type_id), rename(&MediaType::media_type_id, "MediaTypeId"),
                 rename(&MediaType::name, "Name"), size(&MediaType::name, 120));
  }
};

struct Track {
  Number track_id{};
  Text name;
  Null<Number> album_id;
  Number media_type_id{};
  Null<Number> genre_id;
  Null<Text> composer;
  Number milliseconds{};
  Null<Number> bytes;
  Money unit_price;

  bool operator==(const Track&) const = default;
  static consteval auto orm() {
    return model(
        table("Track"), key(&Track::track_id), rename(&Track::track_id, "TrackId"), rename(&Track::name, "Name"),
        size(&Track::name, 200), rename(&Track::album_id, "AlbumId"), rename(&Track::media_type_id, "MediaTypeId"),
        rename(&Track::genre_id, "GenreId"), rename(&Track::composer, "Composer"), size(&Track::composer, 220),
        rename(&Track::milliseconds, "Milliseconds"), rename(&Track::bytes, "Bytes"),
        rename(&Track::unit_price, "UnitPrice"), references<&Album::album_id>(&Track::album_id),
        references<&Genre::genre_id>(&Track::genre_id), references<&MediaType::media_type_id>(&Track::media_type_id),
        index(&Track::album_id).named("IFK_TrackAlbumId"), index(&Track::genre_id).named("IFK_TrackGenreId"),
        index(&Track::media_type_id).named("IFK_TrackMediaTypeId"));
  }
};

struct Playlist {
  Number playlist_id{};
  Null<Text> name;

  bool operator==(const Playlist&) const = default;
  static consteval auto orm() {
    return model(table("Playlist"), key(&Playlist::playlist_id), rename(&Playlist::playlist_id, "PlaylistId"),
                 rename(&Playlist::name, "Name"), size(&Playlist::name, 120));
  }
};

struct PlaylistTrack {
  Number playlist_id{};
  Number track_id{};

  bool operator==(const PlaylistTrack&) const = default;
  static consteval auto orm() {
    return model(table("PlaylistTrack"), key(&PlaylistTrack::playlist_id, &PlaylistTrack::track_id),
                 rename(&PlaylistTrack::playlist_id, "PlaylistId"), rename(&PlaylistTrack::track_id, "TrackId"),
                 references<&Playlist::playlist_id>(&PlaylistTrack::playlist_id),
                 references<&Track::track_id>(&PlaylistTrack::track_id),
                 index(&PlaylistTrack::playlist_id).named("IFK_PlaylistTrackPlaylistId"),
                 index(&PlaylistTrack::track_id).named("IFK_PlaylistTrackTrackId"));
  }
};

struct Employee {
  Number employee_id{};
  Text last_name;
  Text first_name;
  Null<Text> title;
  Null<Number> reports_to;  // another employee
  Null<Moment> birth_date;
  Null<Moment> hire_date;
  Null<Text> address;
  Null<Text> city;
  Null<Text> state;
  Null<Text> country;
  Null<Text> postal_code;
  Null<Text> phone;
  Null<Text> fax;
  Null<Text> email;

  bool operator==(const Employee&) const = default;
  static consteval auto orm() {
    return model(
        table("Employee"), key(&Employee::employee_id), rename(&Employee::employee_id, "EmployeeId"),
        rename(&Employee::last_name, "LastName"), size(&Employee::last_name, 20),
        rename(&Employee::first_name, "FirstName"), size(&Employee::first_name, 20), rename(&Employee::title, "Title"),
        size(&Employee::title, 30), rename(&Employee::reports_to, "ReportsTo"),
        rename(&Employee::birth_date, "BirthDate"), rename(&Employee::hire_date, "HireDate"),
        rename(&Employee::address, "Address"), size(&Employee::address, 70), rename(&Employee::city, "City"),
        size(&Employee::city, 40), rename(&Employee::state, "State"), size(&Employee::state, 40),
        rename(&Employee::country, "Country"), size(&Employee::country, 40),
        rename(&Employee::postal_code, "PostalCode"), size(&Employee::postal_code, 10),
        rename(&Employee::phone, "Phone"), size(&Employee::phone, 24), rename(&Employee::fax, "Fax"),
        size(&Employee::fax, 24), rename(&Employee::email, "Email"), size(&Employee::email, 60),
        references<&Employee::employee_id>(&Employee::reports_to),
        index(&Employee::reports_to).named("IFK_EmployeeReportsTo"));
  }
};

struct Customer {
  Number customer_id{};
  Text first_name;
  Text last_name;
  Null<Text> company;
  Null<Text> address;
  Null<Text> city;
  Null<Text> state;
  Null<Text> country;
  Null<Text> postal_code;
  Null<Text> phone;
  Null<Text> fax;
  Text email;
  Null<Number> support_rep_id;

  bool operator==(const Customer&) const = default;
  static consteval auto orm() {
    return model(
        table("Customer"), key(&Customer::customer_id), rename(&Customer::customer_id, "CustomerId"),
        rename(&Customer::first_name, "FirstName"), size(&Customer::first_name, 40),
        rename(&Customer::last_name, "LastName"), size(&Customer::last_name, 20), rename(&Customer::company, "Company"),
        size(&Customer::company, 80), rename(&Customer::address, "Address"), size(&Customer::address, 70),
        rename(&Customer::city, "City"), size(&Customer::city, 40), rename(&Customer::state, "State"),
        size(&Customer::state, 40), rename(&Customer::country, "Country"), size(&Customer::country, 40),
        rename(&Customer::postal_code, "PostalCode"), size(&Customer::postal_code, 10),
        rename(&Customer::phone, "Phone"), size(&Customer::phone, 24), rename(&Customer::fax, "Fax"),
        size(&Customer::fax, 24), rename(&Customer::email, "Email"), size(&Customer::email, 60),
        rename(&Customer::support_rep_id, "SupportRepId"),
        references<&Employee::employee_id>(&Customer::support_rep_id),
        index(&Customer::support_rep_id).named("IFK_CustomerSupportRepId"));
  }
};

struct Invoice {
  Number invoice_id{};
  Number customer_id{};
  Moment invoice_date{};
  Null<Text> billing_address;
  Null<Text> billing_city;
  Null<Text> billing_state;
  Null<Text> billing_country;
  Null<Text> billing_postal_code;
  Money total;

  bool operator==(const Invoice&) const = default;
  static consteval auto orm() {
    return model(
        table("Invoice"), key(&Invoice::invoice_id), rename(&Invoice::invoice_id, "InvoiceId"),
        rename(&Invoice::customer_id, "CustomerId"), rename(&Invoice::invoice_date, "InvoiceDate"),
        rename(&Invoice::billing_address, "BillingAddress"), size(&Invoice::billing_address, 70),
        rename(&Invoice::billing_city, "BillingCity"), size(&Invoice::billing_city, 40),
        rename(&Invoice::billing_state, "BillingState"), size(&Invoice::billing_state, 40),
        rename(&Invoice::billing_country, "BillingCountry"), size(&Invoice::billing_country, 40),
        rename(&Invoice::billing_postal_code, "BillingPostalCode"), size(&Invoice::billing_postal_code, 10),
        rename(&Invoice::total, "Total"), references<&Customer::customer_id>(&Invoice::customer_id),
        index(&Invoice::customer_id).named("IFK_InvoiceCustomerId"));
  }
};

struct InvoiceLine {
  Number invoice_line_id{};
  Number invoice_id{};
  Number track_id{};
  Money unit_price;
  Number quantity{};

  bool operator==(const InvoiceLine&) const = default;
  static consteval auto orm() {
    return model(
        table("InvoiceLine"), key(&InvoiceLine::invoice_line_id), rename(&InvoiceLine::invoice_line_id, "InvoiceLineId"),
        rename(&InvoiceLine::invoice_id, "InvoiceId"), rename(&InvoiceLine::track_id, "TrackId"),
        rename(&InvoiceLine::unit_price, "UnitPrice"), rename(&InvoiceLine::quantity, "Quantity"),
        references<&Invoice::invoice_id>(&InvoiceLine::invoice_id),
        references<&Track::track_id>(&InvoiceLine::track_id),
        index(&InvoiceLine::invoice_id).named("IFK_InvoiceLineInvoiceId"),
        index(&InvoiceLine::track_id).named("IFK_InvoiceLineTrackId"));
  }
};

/// How Chinook's SQLite file is opened: as it is, and never written.
inline quark::sqlite::Options file_options(const std::string& file) {
  return {.path = file,
          .read_only = true,
          .create = false,
          .times = quark::sqlite::Times::datetime,
          .decimals = quark::sqlite::Decimals::number};
}

}  // namespace chinook

import { expect, it } from "vitest";
import { explainedPostgresError } from "./postgres-error.ts";
import { StorageUnavailableError } from "./storage.ts";

const failure = (code: string, rest?: object) => Object.assign(new Error("It failed."), { code, ...rest });

it.each([
  ["a connection that breaks", "08006"],
  ["a password that is wrong", "28P01"],
  ["a database that is missing", "3D000"],
  ["a deadlock", "40P01"],
  ["too many connections", "53300"],
  ["a lock that is not free in time", "55P03"],
  ["a server that shuts down", "57P01"],
  ["a statement that takes too long", "57014"],
  ["an error of the server's system", "58030"],
  ["a standby", "25006"],
  ["a transaction that is idle for too long", "25P03"],
  ["a prepared statement that is missing", "26000"],
  ["a prepared statement that is there already", "42P05"],
  ["a right that is missing", "42501"],
  ["a network that refuses", "ECONNREFUSED"],
  ["a network pipe that breaks", "EPIPE"],
  ["no code at all", ""],
])("makes the storage unavailable: %s", (_, code) => {
  const cause = failure(code);
  const explained = explainedPostgresError(cause);
  expect(explained).toBeInstanceOf(StorageUnavailableError);
  expect(explained).toMatchObject({ message: "Postgres is unavailable: It failed.", cause });
  expect(explainedPostgresError(explained)).toBe(explained);
});

it("makes the storage unavailable once when a migration has changed a prepared statement's column", () => {
  const stale = failure("0A000", { routine: "RevalidateCachedQuery" });
  expect(explainedPostgresError(stale)).toBeInstanceOf(StorageUnavailableError);
});

it.each([
  ["a key that is there already", "23505"],
  ["a table that is missing", "42P01"],
  ["a character that no text can have", "22021"],
  ["a feature that Postgres does not have", "0A000"],
])("leaves an error of the program as it is: %s", (_, code) => {
  const error = failure(code);
  expect(explainedPostgresError(error)).toBe(error);
});

it("names the reason of each address of a host, and the code where there is no message", () => {
  const reasons = [
    new AggregateError([new Error("::1 refused"), new Error("127.0.0.1 refused")]),
    Object.assign(new Error(""), { code: "ECONNRESET" }),
    new Error(""),
  ].map((error) => String(explainedPostgresError(error)));
  expect(reasons).toEqual([
    "StorageUnavailableError: Postgres is unavailable: Error: ::1 refused; Error: 127.0.0.1 refused.",
    "StorageUnavailableError: Postgres is unavailable: ECONNRESET.",
    "StorageUnavailableError: Postgres is unavailable: no reason was given.",
  ]);
});

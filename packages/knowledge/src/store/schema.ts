import { part } from "./sql.ts";
import type { Sql, SqlDatabase, SqlDialect } from "./sql.ts";

/** There is no database with pages, and the caller asked not to create one. */
export class NoPagesError extends Error {}

/**
 * Creates the tables unless they exist. It looks for them first, because even `create table if not exists` takes locks, with which
 * a reading of another process could end in a deadlock. Two processes that create them do so one after the other.
 */
export async function prepareTables({ dialect, sql, transaction }: SqlDatabase, create: boolean): Promise<void> {
  const has = async (name: string) => (await sql`${dialect.find(name)}`).length > 0;
  // This index was added last, so everything else exists too. Without it searches work, but are slower.
  if (await has("page_size")) return;
  if (!create && (await has("vector"))) return;
  if (!create) throw new NoPagesError("There are no pages yet.");
  await transaction(async (writer) => makeTables(writer, dialect));
}

async function makeTables(
  sql: Sql,
  { table, beforeTables, keyType, idType, bytesType, clustered, covers }: SqlDialect,
) {
  const statements = [
    ...beforeTables,
    part`create table if not exists ${table("page")} (
      id ${idType}, project ${keyType} not null, url ${keyType} not null, listed_as text, source text not null,
      digest text not null, title text not null, language text, etag text, last_modified text, read_at bigint not null,
      passages bigint not null, unique (project, url))`,
    // For the number of all passages, which each search asks for.
    part`create index if not exists page_size on ${table("page")} (project, passages)`,
    part`create table if not exists ${table("passage")} (
      id ${idType}, page bigint not null, position bigint not null, headings text not null, anchor text, text text not null)`,
    part`create index if not exists passage_page on ${table("passage")} (page, position)`,
    // The weight of each word in each passage, computed when the passage is stored.
    part`create table if not exists ${table("post")} (
      project ${keyType} not null, word ${keyType} not null, passage bigint not null, weight double precision not null,
      primary key (project, word, passage) ${covers("weight")}) ${clustered}`,
    part`create index if not exists post_passage on ${table("post")} (passage)`,
    // The number of passages that have the word.
    part`create table if not exists ${table("word")} (
      project ${keyType} not null, word ${keyType} not null, count bigint not null,
      primary key (project, word)) ${clustered}`,
    part`create table if not exists ${table("gram")} (
      project ${keyType} not null, gram ${keyType} not null, word ${keyType} not null,
      primary key (project, gram, word)) ${clustered}`,
    part`create table if not exists ${table("source")} (
      project ${keyType} not null, source ${keyType} not null, boilerplate text not null, primary key (project, source))`,
    part`create table if not exists ${table("reading")} (
      project ${keyType} not null primary key, holder text, held_until bigint, result text)`,
    part`create table if not exists ${table("vector")} (
      passage bigint not null, model ${keyType} not null, vector ${bytesType} not null, primary key (passage, model))`,
  ];
  for (const statement of statements) await sql`${statement}`;
}

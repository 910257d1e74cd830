import type { Sql, SqlDatabase, SqlDialect } from "./sql.ts";

/**
 * Makes the tables, unless they are there. Looking is enough then: even a statement that makes nothing takes locks, against
 * which a reading of another process would end in a deadlock.
 */
export async function prepareTables(database: SqlDatabase): Promise<void> {
  const { dialect } = database;
  // The tables are made in one transaction, so the last one stands for all.
  const isMade = async (): Promise<boolean> =>
    await database.all(`select 1 from ${dialect.table("vector")} limit 0`).then(
      () => true,
      () => false,
    );
  if (await isMade()) return;
  try {
    await database.transaction(async (sql) => makeTables(sql, dialect));
  } catch (error) {
    // Another process has made them at the same time.
    if (!(await isMade())) throw error;
  }
}

async function makeTables(sql: Sql, { table, keyType, idType, bytesType, numberType, clustered }: SqlDialect) {
  const statements = [
    `create table if not exists ${table("page")} (
      id ${idType}, project ${keyType} not null, url ${keyType} not null, listed_as text, source text not null,
      digest text not null, title text not null, language text, etag text, last_modified text, read_at bigint not null,
      passages bigint not null, unique (project, url))`,
    `create table if not exists ${table("passage")} (
      id ${idType}, page bigint not null, position bigint not null, headings text not null, anchor text, text text not null)`,
    `create index if not exists passage_page on ${table("passage")} (page, position)`,
    // The weight of each word in each passage, computed when the passage is stored.
    `create table if not exists ${table("post")} (
      project ${keyType} not null, word ${keyType} not null, passage bigint not null, weight ${numberType} not null,
      primary key (project, word, passage)) ${clustered}`,
    `create index if not exists post_passage on ${table("post")} (passage)`,
    // In how many passages each word is.
    `create table if not exists ${table("word")} (
      project ${keyType} not null, word ${keyType} not null, count bigint not null,
      primary key (project, word)) ${clustered}`,
    `create table if not exists ${table("gram")} (
      project ${keyType} not null, gram ${keyType} not null, word ${keyType} not null,
      primary key (project, gram, word)) ${clustered}`,
    `create table if not exists ${table("source")} (
      project ${keyType} not null, source ${keyType} not null, boilerplate text not null, primary key (project, source))`,
    `create table if not exists ${table("reading")} (
      project ${keyType} not null primary key, holder text, held_until bigint, result text)`,
    `create table if not exists ${table("vector")} (
      passage bigint not null, model ${keyType} not null, vector ${bytesType} not null, primary key (passage, model))`,
  ];
  for (const statement of statements) await sql.all(statement);
}

import { Client } from "pg";

/** Runs statements on a separate connection, bypassing the storage. */
export async function queryPostgres(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query(text);
    return rows as unknown[];
  } finally {
    await client.end();
  }
}

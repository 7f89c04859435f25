import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { withClient } from "@tapthru/postgres/with-client";
import type { Redis } from "ioredis";

export interface StoredText {
  /** Such as "table clicks" or "access.log". */
  place: string;
  text: string;
}

/** Each row of each table, as text; bytes are in hex. */
export function readTables(databaseUrl: string): Promise<StoredText[]> {
  return withClient(databaseUrl, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(`
      SELECT oid::regclass::text AS name FROM pg_class
      WHERE relkind = 'r' AND relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
    `);
    const texts: StoredText[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ text: string }>(
        `SELECT t::text AS text FROM ${name} t`,
      );
      texts.push({ place: `table ${name}`, text: rows.map(({ text }) => text).join("\n") });
    }
    return texts;
  });
}

/** Each key of a Redis with its value. */
export async function readKeys(redis: Redis): Promise<StoredText[]> {
  const keys = await redis.keys("*");
  const texts = await Promise.all(keys.map(async (key) => [key, await readValue(redis, key)]));
  return texts.map(([key = "", value]) => ({ place: `key ${key}`, text: `${key}\n${value}` }));
}

async function readValue(redis: Redis, key: string): Promise<string> {
  const read: Record<string, () => Promise<unknown>> = {
    string: () => redis.get(key),
    hash: () => redis.hgetall(key),
    list: () => redis.lrange(key, 0, -1),
    set: () => redis.smembers(key),
    zset: () => redis.zrange(key, "0", "-1"),
    stream: () => redis.xrange(key, "-", "+"),
  };
  // A key may expire in between.
  const value = await read[await redis.type(key)]?.();
  return value === undefined ? "" : unpacked(JSON.stringify(value));
}

/** Records every command that a Redis gets, also those whose effect does not last. Call the result to stop. */
export async function recordCommands(port: number): Promise<() => StoredText> {
  const chunks: string[] = [];
  const socket = connect(port, "127.0.0.1");
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => chunks.push(chunk));
  socket.write("MONITOR\r\n");
  await once(socket, "data");
  return () => {
    socket.destroy();
    return { place: `commands to port ${port}`, text: unpacked(chunks.join("")) };
  };
}

/** The records of every process, the gateway's included. */
export async function readLogs(logsDir: string): Promise<StoredText[]> {
  const names = await readdir(logsDir);
  return Promise.all(
    names.map(async (name) => ({ place: name, text: await readFile(join(logsDir, name), "utf8") })),
  );
}

/** Compressed parts, such as batches of clicks, are followed by their contents. */
function unpacked(text: string): string {
  return text.replaceAll(/\bH4sI[\w+/]+=*/g, (packed) => {
    const bytes = gunzipSync(Buffer.from(packed, "base64"));
    return `${packed} ${bytes.toString()}`;
  });
}

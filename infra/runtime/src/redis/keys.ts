import { Cluster } from "ioredis";
import type { RedisClient } from "./client.ts";

/** Reads several keys: with one command, but each with its own in a cluster, where their slots differ. */
export function readKeys(client: RedisClient, keys: readonly string[]): Promise<(string | null)[]> {
  if (client instanceof Cluster) return Promise.all(keys.map((key) => client.get(key)));
  return client.mget([...keys]);
}

/** Deletes several keys, as `readKeys` reads them. */
export async function deleteKeys(client: RedisClient, keys: readonly string[]): Promise<void> {
  if (client instanceof Cluster) await Promise.all(keys.map((key) => client.del(key)));
  else await client.del([...keys]);
}

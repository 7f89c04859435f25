import { IDENTITY_CONNECTIONS, POOL_SIZES, REPORT_CONNECTIONS } from "@tapthru/core/platform/postgres/pool-sizes";
import { UserFacingError } from "@tapthru/core/platform/user-facing-error";
import { withClient } from "./with-client.ts";

interface Replicas {
  api: number;
  redirect: number;
}

const OF_API = POOL_SIZES.api + REPORT_CONNECTIONS + IDENTITY_CONNECTIONS;
/** Connections that Postgres keeps for superusers, and those of a migration, a backup and an exporter. */
const OTHERS = 3 + 5;
/** An upgrade starts one new replica before it stops an old one. */
const DURING_UPGRADE = Math.max(OF_API, POOL_SIZES.redirect);

/** The most connections of an installation on one host with one worker. */
export function connectionsNeeded({ api, redirect }: Replicas): number {
  const ofServices = api * OF_API + redirect * POOL_SIZES.redirect + POOL_SIZES.worker;
  return ofServices + DURING_UPGRADE + OTHERS;
}

/** @throws UserFacingError with the numbers if `max_connections` is too low for these replicas */
export async function checkConnectionCount(databaseUrl: string, replicas: Replicas): Promise<void> {
  const needed = connectionsNeeded(replicas);
  const allowed = await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query("SELECT current_setting('max_connections')::int AS max");
    return Number(rows[0].max);
  });
  if (allowed >= needed) return;
  throw new UserFacingError(
    `REDIRECT_REPLICAS=${replicas.redirect} and API_REPLICAS=${replicas.api} need ${needed} connections to Postgres, and its max_connections is ${allowed}: run fewer replicas, or raise it (POSTGRES_MAX_CONNECTIONS in Compose).`,
  );
}

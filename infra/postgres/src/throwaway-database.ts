import { randomBytes } from "node:crypto";
import pg from "pg";
import { migrate } from "./migrate.ts";

export interface ThrowawayDatabase {
  /** As the superuser, for arranging and looking. */
  url: string;
  /** As a login role with just the rights of one service. */
  urlAs(group: "tapthru_api" | "tapthru_worker" | "tapthru_redirect"): Promise<string>;
  drop(): Promise<void>;
}

/**
 * A migrated database of its own for one test file.
 * @param serverUrl a superuser's address on the test server
 */
export async function createThrowawayDatabase(serverUrl: string): Promise<ThrowawayDatabase> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await execute(serverUrl, `CREATE DATABASE ${name}`);
  const url = withPath(serverUrl, name);
  await migrate({ databaseUrl: url, log: () => {} });
  const roles: string[] = [];

  return {
    url,
    async urlAs(group) {
      const role = `${name}_${group}`;
      if (!roles.includes(role)) {
        await execute(url, `CREATE ROLE ${role} LOGIN PASSWORD 'test' IN ROLE ${group}`);
        roles.push(role);
      }
      const address = new URL(url);
      address.username = role;
      address.password = "test";
      return address.href;
    },
    async drop() {
      await execute(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
      for (const role of roles) await execute(serverUrl, `DROP ROLE ${role}`);
    },
  };
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function withPath(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

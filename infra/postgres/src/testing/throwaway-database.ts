import { randomBytes } from "node:crypto";
import { withClient } from "../with-client.ts";
import { findTemplate, withDatabase } from "./template-database.ts";

export interface ThrowawayDatabase {
  /** URL for connecting as the superuser, to prepare and inspect data. */
  url: string;
  /** URL for connecting as a login role that has only the rights of one service. */
  urlAs(group: "tapthru_api" | "tapthru_worker" | "tapthru_redirect"): Promise<string>;
  /** Runs a statement as the superuser, on a connection of its own. @returns its rows */
  rows(statement: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  drop(): Promise<void>;
}

/**
 * Creates a migrated database for one test file.
 * @param serverUrl a superuser's address on the server, by default that of all tests
 */
export async function createThrowawayDatabase(
  serverUrl = process.env.TEST_DATABASE_URL ?? "",
): Promise<ThrowawayDatabase> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  const template = await findTemplate(serverUrl);
  await withClient(serverUrl, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`));
  const url = withDatabase(serverUrl, name);
  const roles: string[] = [];

  return {
    url,
    async urlAs(group) {
      const role = `${name}_${group}`;
      if (!roles.includes(role)) {
        await withClient(url, (client) => client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'test' IN ROLE ${group}`));
        roles.push(role);
      }
      const address = new URL(url);
      address.username = role;
      address.password = "test";
      return address.href;
    },
    rows: (statement, values = []) =>
      withClient(url, async (client) => (await client.query(statement, [...values])).rows),
    async drop() {
      await withClient(serverUrl, async (client) => {
        await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
        for (const role of roles) await client.query(`DROP ROLE ${role}`);
      });
    },
  };
}

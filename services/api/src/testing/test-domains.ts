import { randomBytes } from "node:crypto";
import type { TestApi } from "./test-api.ts";
import type { TestUser } from "./test-user.ts";

export const newHost = () => `go.${randomBytes(6).toString("hex")}.example`;

/** Gives a user a domain that works. @returns its host */
export async function addWorkingDomain(
  api: Pick<TestApi, "query">,
  { user }: Pick<TestUser, "user">,
  { host = newHost(), isDefault = false } = {},
): Promise<string> {
  await api.query(`
    INSERT INTO domains (user_id, host, proof, is_default, verified_at)
    VALUES (${user.id}, '${host}', 'proof', ${isDefault}, now())
  `);
  return host;
}

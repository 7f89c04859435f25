import { ACCOUNT_HEADER } from "@tapthru/proto/account-header";
import type { Role } from "@tapthru/proto/call";
import type { TestApi } from "./test-api.ts";

/** @param ids of the users */
export async function addMember(
  api: Pick<TestApi, "query">,
  { account, member }: { account: number; member: number },
  role: Role = "editor",
): Promise<void> {
  await api.query(`
    INSERT INTO members (account_id, member_id, name, role) VALUES (${account}, ${member}, 'Ben', '${role}')
    ON CONFLICT (account_id, member_id) DO UPDATE SET role = excluded.role
  `);
}

/** The header of a request in the account of a user. */
export const inAccountOf = ({ user }: { user: { id: number } }) => ({ [ACCOUNT_HEADER]: String(user.id) });

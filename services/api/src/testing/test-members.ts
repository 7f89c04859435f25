import { ACCOUNT_HEADER } from "@tapthru/proto/account-header";
import type { Role } from "@tapthru/proto/call";
import type { TestApi } from "./test-api.ts";

/** @returns the id of the membership */
export async function addMember(
  api: Pick<TestApi, "query">,
  { account, member }: { account: number; member: number },
  role: Role = "editor",
): Promise<string> {
  const [row] = await api.query(`
    INSERT INTO members (account_id, member_id, name, role, joined_at)
    VALUES (${account}, ${member}, 'Ben', '${role}', now()) RETURNING id
  `);
  return String(row?.id);
}

export const inAccountOf = ({ user }: { user: { id: number } }) => ({ [ACCOUNT_HEADER]: String(user.id) });

import { recordAction } from "@tapthru/runtime/audit-log";
import type { Db } from "@tapthru/runtime/postgres/postgres";
import { actAsUser } from "../../http/request-actor.ts";
import { findUser } from "../queries.ts";

/** How users log in; the library keeps it on connections of its own. */
type LoginChange =
  | "display-name.changed"
  | "email.confirmed"
  | "passkey.created"
  | "passkey.deleted"
  | "password.changed"
  | "password.reset"
  | "recovery-codes.replaced"
  | "two-factor.enabled"
  | "two-factor.disabled";

/** Records what the library just changed. An identity without a user has no activity. */
export async function recordLoginChange(
  db: Db<"maybeOne" | "query">,
  uid: string,
  action: LoginChange,
): Promise<void> {
  const user = await findUser(db, uid);
  if (user === null) return;
  const { id, username } = user;
  await actAsUser(id, () =>
    recordAction(db, { action, objectId: String(id), object: username, ownerId: id }),
  );
}

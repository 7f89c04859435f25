import type { Action } from "@tapthru/core/platform/audit-log";
import type pg from "pg";
import { withClient } from "../with-client.ts";

/**
 * Calls `work` in a transaction. Triggers record what it changes as changes by this command.
 * @param name of the command, such as `users make-operator`
 */
export function changeAsCommand<T>(
  databaseUrl: string,
  name: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  return withClient(databaseUrl, async (client) => {
    await client.query("BEGIN");
    const actor = JSON.stringify({ kind: "command", name });
    await client.query("SELECT set_config('tapthru.actor', $1, true)", [actor]);
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  });
}

type CommandAction = Pick<Action, "action"> & Partial<Action>;

/** Records a change that no trigger sees, in the transaction of `changeAsCommand`. */
export async function recordAction(
  client: pg.Client,
  { action, objectId = "", object = "", ownerId = null, before, after }: CommandAction,
): Promise<void> {
  await client.query("SELECT add_to_audit_log($1, $2, $3, $4, $5, $6)", [
    action,
    objectId,
    object,
    ownerId,
    before,
    after,
  ]);
}

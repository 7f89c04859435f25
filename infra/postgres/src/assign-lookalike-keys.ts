import { usernameLookalikeKey } from "@tapthru/proto/rules/username";
import pg from "pg";
import { withClient } from "./with-client.ts";

/**
 * A user without a look-alike key, because the user `keyHolderId` with a similar name has it. Both are `users.id`.
 */
export interface Lookalike {
  userId: number;
  keyHolderId: number;
}

interface NamedUser {
  id: number;
  username: string;
}

/** While a batch is written, inserts of links of its users wait: about 0.2 s. */
const BATCH_ROWS = 2_000;
const UNIQUE_VIOLATION = "23505";

/**
 * Assigns look-alike keys to users without one, the oldest user first: users from before the column, and users that an
 * older release inserted since. Renames no user; idempotent.
 * @returns the users who get no key because another user has it
 */
export function assignLookalikeKeys(databaseUrl: string): Promise<Lookalike[]> {
  return withClient(databaseUrl, async (client) => {
    const lookalikes: Lookalike[] = [];
    for (let lastId = 0; ; ) {
      const users = await findUsersWithoutKey(client, lastId);
      const last = users.at(-1);
      if (last === undefined) return lookalikes;
      lookalikes.push(...(await assignUnlessTaken(client, users)));
      lastId = last.id;
    }
  });
}

async function findUsersWithoutKey(client: pg.Client, afterId: number): Promise<NamedUser[]> {
  const { rows } = await client.query<NamedUser>(
    `SELECT id, username FROM users WHERE username_lookalike_key IS NULL AND id > $1
     ORDER BY id LIMIT ${BATCH_ROWS}`,
    [afterId],
  );
  return rows;
}

async function assignUnlessTaken(client: pg.Client, users: NamedUser[]): Promise<Lookalike[]> {
  const ids = users.map(({ id }) => id);
  const keys = users.map(({ username }) => usernameLookalikeKey(username));
  await retryWhileOthersInsert(() =>
    client.query(
      `UPDATE users SET username_lookalike_key = first.key
       FROM (
         SELECT DISTINCT ON (key) id, key FROM unnest($1::int[], $2::text[]) AS named (id, key)
         WHERE NOT EXISTS (SELECT FROM users WHERE username_lookalike_key = named.key)
         ORDER BY key, id
       ) AS first
       WHERE users.id = first.id AND users.username_lookalike_key IS NULL`,
      [ids, keys],
    ),
  );
  const { rows } = await client.query<Lookalike>(
    `SELECT users.id AS "userId", holder.id AS "keyHolderId"
     FROM unnest($1::int[], $2::text[]) AS named (id, key)
     JOIN users ON users.id = named.id AND users.username_lookalike_key IS NULL
     JOIN users AS holder ON holder.username_lookalike_key = named.key
     ORDER BY users.id`,
    [ids, keys],
  );
  return rows;
}

/** A running api may assign the same key to a new user between the read and the write; the next read sees that user. */
async function retryWhileOthersInsert(update: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await update();
      return;
    } catch (error) {
      if (!(error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION)) throw error;
    }
  }
}

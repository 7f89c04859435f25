import { usernameLookalikeKey } from "@tapthru/proto/rules/username";
import pg from "pg";
import { withClient } from "./with-client.ts";

/** A user whose name looks like that of another user, who has the key of both. Both are `users.id`. */
export interface Lookalike {
  userId: number;
  keyHolderId: number;
}

interface NamedUser {
  id: number;
  username: string;
}

/** While a batch is written, links of its users cannot be inserted: about a fifth of a second. */
const BATCH_ROWS = 2_000;
const UNIQUE_VIOLATION = "23505";

/**
 * Gives each user without a look-alike key theirs, the oldest of those who look alike first: users from before the
 * column, and those whom a release that does not know it inserted since. Renames nobody and repeats safely.
 * @returns the users who are left without a key because another user has it
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

/** A running api may give the same key to a new user between the look and the write; the next look sees that user. */
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

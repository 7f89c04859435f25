import pg from "pg";

/** Calls `work` with a new connection and closes it afterwards. */
export async function withClient<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Executes one statement. Triggers record what it changes as changes by the command.
 * @param command such as `users make-operator`
 */
export function queryAsCommand(databaseUrl: string, command: string, statement: string, values: unknown[]) {
  return withClient(databaseUrl, async (client) => {
    const actor = JSON.stringify({ kind: "command", name: command });
    await client.query("SELECT set_config('tapthru.actor', $1, false)", [actor]);
    return (await client.query(statement, values)).rows;
  });
}

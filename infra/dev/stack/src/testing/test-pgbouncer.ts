import { chown, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withClient } from "@tapthru/postgres/with-client";
import { freePort } from "@tapthru/runtime/testing/free-port";
import { startTemporarily } from "../processes/start-temporarily.ts";
import { findOnPath } from "../programs/on-path.ts";
import { preparePostgresHome } from "../servers/postgres-home.ts";

export interface TestPgBouncer {
  /** The address of a database through PgBouncer, in which each transaction may use another connection. */
  pooled(databaseUrl: string): string;
  /** The same, with one connection for each client. */
  session(databaseUrl: string): string;
  stop(): Promise<void>;
}

const SESSION_SUFFIX = "_session";

/**
 * Starts PgBouncer with the settings of docs/scaling/pgbouncer.md.
 * @param serverUrl a superuser's address on the test server
 * @param database the name of the database that `session` opens
 */
export function startTestPgBouncer(serverUrl: string, database: string): Promise<TestPgBouncer> {
  return startTemporarily(async (folder, stack) => {
    const { folder: home, user } = await preparePostgresHome(folder);
    const server = new URL(serverUrl);
    const port = await freePort();
    const file = (name: string) => join(home, name);
    const to = `host=${server.hostname} port=${server.port || 5432}`;
    const configuration = `
      [databases]
      ${database}${SESSION_SUFFIX} = ${to} dbname=${database} pool_mode=session
      * = ${to}
      [pgbouncer]
      listen_addr = 127.0.0.1
      listen_port = ${port}
      unix_socket_dir =
      auth_type = scram-sha-256
      auth_file = ${file("users.txt")}
      auth_user = ${server.username}
      pool_mode = transaction
      default_pool_size = 3
      ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout
    `;
    const users = `"${server.username}" "${server.password}"\n`;
    await writeFile(file("users.txt"), users, { mode: 0o600 });
    await writeFile(file("pgbouncer.ini"), configuration.replaceAll(/^ +/gm, ""), { mode: 0o600 });
    // It refuses to run as root.
    if (user)
      for (const name of ["users.txt", "pgbouncer.ini"])
        await chown(file(name), user.uid, user.gid);
    await stack.start(
      {
        name: "PgBouncer",
        command: findOnPath("pgbouncer") ?? "pgbouncer",
        args: [file("pgbouncer.ini")],
        logFile: join(folder, "pgbouncer.log"),
        stopSignal: "SIGINT",
        cwd: "/",
        env: process.env,
        ...(user ? { user } : {}),
      },
      () => responds(through(serverUrl)),
    );
    return {
      pooled: (url: string) => through(url),
      session: (url: string) => `${through(url)}${SESSION_SUFFIX}`,
    };

    function through(databaseUrl: string): string {
      const url = new URL(databaseUrl);
      url.hostname = "127.0.0.1";
      url.port = String(port);
      return url.href;
    }
  });
}

function responds(url: string): Promise<boolean> {
  return withClient(url, async () => true).catch(() => false);
}

import pg from "pg";

export interface ChangeListener {
  /** `onChange` is called when rows were inserted into the outbox, and when notifications may have been lost. */
  start(onChange: () => void): void;
  stop(): Promise<void>;
}

const RETRY_MS = 1_000;

/** Uses a separate connection, as slonik does not expose notifications; reconnects when it breaks. */
export function createChangeListener(databaseUrl: string): ChangeListener {
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function connect(onChange: () => void): Promise<void> {
    const current = new pg.Client({
      connectionString: databaseUrl,
      application_name: "tapthru-worker-relay",
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    client = current;
    // The pool, which uses the same server, logs outages.
    current.on("error", () => {});
    current.on("notification", onChange);
    current.on("end", () => {
      if (!isStopped) retry = setTimeout(connect, RETRY_MS, onChange);
    });
    try {
      await current.connect();
      await current.query("LISTEN link_changes");
      onChange();
    } catch {
      await current.end().catch(() => {});
    }
  }

  return {
    start: (onChange) => void connect(onChange),
    async stop() {
      isStopped = true;
      clearTimeout(retry);
      await client?.end().catch(() => {});
    },
  };
}

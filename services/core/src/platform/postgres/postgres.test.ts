import { EventEmitter } from "node:events";
import { Registry } from "prom-client";
import {
  type CommonQueryMethods,
  InputSyntaxError,
  SchemaValidationError,
  StatementTimeoutError,
  sql,
  UniqueIntegrityConstraintViolationError,
} from "slonik";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import * as z from "zod/mini";
import { createTcpProxy, type TcpProxy } from "../testing/tcp-proxy.ts";
import { createTestLogger, type LogLine } from "../testing/test-logger.ts";
import { readableRows } from "../unreadable.ts";
import { registerPostgresMetrics } from "./metrics.ts";
import {
  createPostgres,
  type Postgres,
  PostgresBusyError,
  type PostgresOptions,
  PostgresTimeoutError,
  PostgresUnavailableError,
} from "./postgres.ts";

const WAIT = { timeout: 60_000 };
const Nothing = z.object({});
const Pid = z.object({ pid: z.int() });
const myPid = sql.type(Pid)`SELECT pg_backend_pid() AS pid`;
const endless = sql.type(Nothing)`SELECT FROM pg_sleep(60)`;

let proxy: TcpProxy;
let lines: LogLine[];
const opened: Postgres[] = [];

beforeEach(async () => {
  proxy = await createTcpProxy(String(process.env.TEST_DATABASE_URL));
});
afterEach(async () => {
  proxy.release();
  for (const postgres of opened.splice(0)) await postgres.stop?.();
  await proxy.refuse().catch(() => {});
});

async function connect(options: Partial<PostgresOptions> = {}): Promise<Postgres> {
  const log = createTestLogger();
  lines = log.lines;
  const postgres = createPostgres({
    url: proxy.url,
    applicationName: "runtime-test",
    maxConnections: 2,
    logger: log.logger,
    statementTimeoutMs: 60_000,
    acquireTimeoutMs: 60_000,
    ...options,
  });
  opened.push(postgres);
  await postgres.start?.();
  return postgres;
}

const responds = (postgres: Postgres) => vi.waitFor(() => postgres.oneFirst(myPid), WAIT);

async function holdConnection(postgres: Postgres): Promise<() => Promise<void>> {
  const holding = Promise.withResolvers<void>();
  const held = postgres.transaction(() => holding.promise);
  await vi.waitFor(() => expect(postgres.use().active).toBe(1), WAIT);
  return () => {
    holding.resolve();
    return held;
  };
}

describe("rows", () => {
  it("returns numbers and milliseconds, parsed by the schema", async () => {
    const postgres = await connect();
    const upperCase = z.transform((name: string) => name.toUpperCase());
    const Row = z.object({ big: z.int(), at: z.number(), name: z.pipe(z.string(), upperCase) });
    const at = "2026-01-02T03:04:05.678Z";
    const row = await postgres.one(
      sql.type(Row)`SELECT 9007199254740991 AS big, ${at}::timestamptz AS at, 'ann' AS name`,
    );
    expect(row).toEqual({ big: Number.MAX_SAFE_INTEGER, at: Date.parse(at), name: "ANN" });
  });

  it("throws if rows do not match the schema", async () => {
    const postgres = await connect();
    const query = sql.type(z.object({ id: z.int() }))`SELECT 'x' AS id`;
    await expect(postgres.one(query)).rejects.toBeInstanceOf(SchemaValidationError);
  });

  it("throws if an int8 is outside the safe integer range", async () => {
    const postgres = await connect();
    const query = sql.type(z.object({ big: z.number() }))`SELECT 9007199254740993 AS big`;
    await expect(postgres.one(query)).rejects.toThrow("outside the safe integer range");
  });
});

const Prepared = z.object({ name: z.string() });
const named = sql.prepared("own-statement", Prepared)`SELECT name FROM pg_prepared_statements`;

it("a statement with a name is not prepared with `off`", async () => {
  const postgres = await connect({ preparedStatements: "off" });
  expect(await postgres.any(named)).toEqual([]);
});

const waitUntilOpen = (postgres: Postgres) =>
  vi.waitFor(() => expect(postgres.use()).toMatchObject({ active: 0, idle: 3 }), WAIT);

it("kept connections are opened at startup, and again after an outage", async () => {
  const postgres = await connect({ maxConnections: 4, openConnections: 3 });
  await waitUntilOpen(postgres);
  await proxy.refuse();
  await expect(postgres.exists(myPid)).rejects.toBeInstanceOf(PostgresUnavailableError);
  await proxy.accept();
  await responds(postgres);
  await waitUntilOpen(postgres);
});

it("keeps the connection after an error of a statement", async () => {
  const postgres = await connect({ maxConnections: 1 });
  const pid = await postgres.oneFirst(myPid);
  await postgres.query(sql.type(Nothing)`CREATE TEMP TABLE t (id int PRIMARY KEY)`);
  const insert = sql.type(Nothing)`INSERT INTO t VALUES (1)`;
  await postgres.query(insert);
  await expect(postgres.query(insert)).rejects.toMatchObject({
    constructor: UniqueIntegrityConstraintViolationError,
    constraint: "t_pkey",
  });
  await expect(postgres.query(sql.type(Nothing)`SELEC`)).rejects.toBeInstanceOf(InputSyntaxError);
  await expect(
    postgres.transaction(async (transaction) => {
      await transaction.query(sql.type(Nothing)`DELETE FROM t`);
      throw new Error("ours");
    }),
  ).rejects.toThrow("ours");
  expect(await postgres.oneFirst(sql.type(Pid)`SELECT count(*) AS pid FROM t`)).toBe(1);
  expect(await postgres.oneFirst(myPid)).toBe(pid);
});

describe("work that takes too long", () => {
  it.skipIf(process.env.FAKETIME)(
    "cancels one statement that takes too long, which is no outage of Postgres",
    async () => {
      const postgres = await connect({ statementTimeoutMs: 1_000 });
      await expect(postgres.query(endless)).rejects.toMatchObject({
        constructor: PostgresTimeoutError,
        cause: expect.any(StatementTimeoutError),
      });
      expect(postgres.isAvailable).toBe(true);
      expect(lines.filter(({ level }) => level === "warn")).toEqual([]);
      expect(await postgres.exists(myPid)).toBe(true);
    },
  );

  it("each statement of a transaction has its own time", async () => {
    const postgres = await connect({ statementTimeoutMs: 500 });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    await postgres.transaction(async (transaction) => {
      for (let count = 0; count < 5; count++) {
        await transaction.query(myPid);
        await vi.advanceTimersByTimeAsync(900);
      }
    });
    expect(postgres.isAvailable).toBe(true);
  });

  it("reports no outage if Postgres does not enforce the limit, but responds to others meanwhile", async () => {
    const postgres = await connect({ statementTimeoutMs: 1_000 });
    let isRunning = true;
    const slow = postgres.transaction(async (transaction) => {
      await transaction.query(sql.type(Nothing)`SET LOCAL statement_timeout = 0`);
      await transaction.query(endless);
    });
    const failed = expect(slow).rejects.toMatchObject({
      constructor: PostgresTimeoutError,
      message: "Postgres did not respond in time",
    });
    void failed.finally(() => {
      isRunning = false;
    });
    while (isRunning) await responds(postgres);
    await failed;
    expect(lines.filter(({ level }) => level === "warn")).toEqual([]);
  });

  it("ends a transaction that waits for something else, which is no outage either", async () => {
    const postgres = await connect({ statementTimeoutMs: 1_000 });
    const idle = postgres.transaction(() => new Promise(() => {}));
    await expect(idle).rejects.toBeInstanceOf(PostgresTimeoutError);
    expect(postgres.isAvailable).toBe(true);
    await responds(postgres);
  });
});

describe("when no connection is free", () => {
  it("refuses work after the acquire timeout, and never sends it", async () => {
    // The limit for opening the connection too.
    const postgres = await connect({ maxConnections: 1, acquireTimeoutMs: 2_000 });
    const table = `busy_${Math.random().toString(36).slice(2)}`;
    await postgres.query(sql.type(Nothing)`CREATE TABLE ${sql.identifier([table])} (id int)`);
    const release = await holdConnection(postgres);
    const insert = sql.type(Nothing)`INSERT INTO ${sql.identifier([table])} VALUES (1)`;
    await expect(postgres.query(insert)).rejects.toBeInstanceOf(PostgresBusyError);
    await release();
    await vi.waitFor(() => expect(postgres.use()).toMatchObject({ active: 0, idle: 1, waiting: 0 }), WAIT);
    expect(await postgres.exists(sql.type(Nothing)`SELECT FROM ${sql.identifier([table])}`)).toBe(false);
    await postgres.query(sql.type(Nothing)`DROP TABLE ${sql.identifier([table])}`);
  });

  it("refuses work at once when too much is waiting", async () => {
    const postgres = await connect({ maxConnections: 1 });
    const release = await holdConnection(postgres);
    const waiting = Array.from({ length: 50 }, () => postgres.exists(myPid));
    await vi.waitFor(() => expect(postgres.use().waiting).toBe(50), WAIT);
    await expect(postgres.exists(myPid)).rejects.toBeInstanceOf(PostgresBusyError);
    await release();
    expect(await Promise.all(waiting)).toHaveLength(50);
  });
});

it("serves reserved work while other work has taken all other connections", async () => {
  const postgres = await connect({ maxConnections: 2, reservedConnections: 1 });
  const release = await holdConnection(postgres);
  const waiting = postgres.exists(myPid);
  await vi.waitFor(() => expect(postgres.use().waiting).toBe(1), WAIT);
  expect(await postgres.reserved.exists(myPid)).toBe(true);
  expect(postgres.use().waiting).toBe(1);
  await release();
  expect(await waiting).toBe(true);
});

describe("when Postgres becomes unavailable", () => {
  it("survives the termination of idle and busy backends", async () => {
    const postgres = await connect({ applicationName: "runtime-test-terminated" });
    const other = await connect();
    const terminate = (running: string) => sql.type(z.object({ count: z.int() }))`
      SELECT count(pg_terminate_backend(pid)) AS count FROM pg_stat_activity
      WHERE application_name = 'runtime-test-terminated' AND query LIKE ${`%${running}%`}`;
    expect(await other.oneFirst(terminate(""))).toBe(1);
    await responds(postgres);
    const running = expect(postgres.query(endless)).rejects.toBeInstanceOf(PostgresUnavailableError);
    await vi.waitFor(async () => expect(await other.oneFirst(terminate("pg_sleep"))).toBe(1), WAIT);
    await running;
    await responds(postgres);
  });

  it("refuses work while it is unavailable, continues afterwards, and logs each change once", async () => {
    const postgres = await connect();
    await proxy.refuse();
    for (let i = 0; i < 5; i++) {
      await expect(postgres.exists(myPid)).rejects.toBeInstanceOf(PostgresUnavailableError);
    }
    await proxy.accept();
    await responds(postgres);
    expect(lines.filter(({ level }) => level !== "debug").map(({ msg }) => msg)).toEqual([
      "dependency unavailable",
      "dependency available again",
    ]);
  });

  it("attempts no new connection right after one was refused", async () => {
    const postgres = await connect();
    const now = vi.spyOn(performance, "now").mockReturnValue(performance.now());
    onTestFinished(() => now.mockRestore());
    await proxy.refuse();
    await expect(postgres.exists(myPid)).rejects.toBeInstanceOf(PostgresUnavailableError);
    await expect(postgres.exists(myPid)).rejects.toBeInstanceOf(PostgresUnavailableError);
    await proxy.accept();
    await expect(postgres.exists(myPid)).rejects.toBeInstanceOf(PostgresUnavailableError);
    now.mockRestore();
    await responds(postgres);
  });

  it("discards the connection of work that gets no response, and continues with another one", async () => {
    const postgres = await connect({ statementTimeoutMs: 1_000 });
    const before = await responds(postgres);
    proxy.hold();
    await expect(postgres.exists(myPid)).rejects.toThrow("Postgres did not respond in time");
    proxy.release();
    expect(await responds(postgres)).not.toBe(before);
    await vi.waitFor(() => expect(postgres.use().active).toBe(0), WAIT);
  });

  it("ends a transaction whose connection is closed between two statements", async () => {
    const postgres = await connect();
    const direct = await connect();
    const terminated = postgres.transaction(async (transaction) => {
      const pid = await transaction.oneFirst(myPid);
      await direct.query(sql.type(Nothing)`SELECT pg_terminate_backend(${pid})`);
      await vi.waitFor(() => expect(postgres.use().active).toBe(0), WAIT);
      await transaction.exists(myPid);
    });
    await expect(terminated).rejects.toBeInstanceOf(PostgresUnavailableError);
    await responds(postgres);
  });

  it.skipIf(process.env.FAKETIME)("survives an error that arrives on a connection it has closed", async () => {
    const applicationName = "runtime-test-closed";
    const postgres = await connect({ applicationName, statementTimeoutMs: 200 });
    const direct = await connect({ url: String(process.env.TEST_DATABASE_URL) });
    const connections = sql.type(z.object({ count: z.int() }))`
      SELECT count(*) AS count FROM pg_stat_activity WHERE application_name = ${applicationName}`;
    const off = vi.spyOn(EventEmitter.prototype, "off");
    onTestFinished(() => off.mockRestore());
    const stalled = postgres.transaction(async (transaction) => {
      await transaction.exists(myPid);
      proxy.hold();
      await new Promise(() => {});
    });
    await expect(stalled).rejects.toThrow("The transaction took too long");
    // Postgres ended the idle transaction. The proxy holds its error until slonik no longer listens to the connection.
    await vi.waitFor(async () => expect(await direct.oneFirst(connections)).toBe(0), WAIT);
    await vi.waitFor(() => expect(off).toHaveBeenCalledWith("error", expect.any(Function)), WAIT);
    proxy.release();
    await proxy.drain();
  });

  it("runs new work without waiting for work that timed out during the outage", async () => {
    const postgres = await connect({ maxConnections: 1, statementTimeoutMs: 1_000, acquireTimeoutMs: 1_000 });
    proxy.hold();
    const rounds = vi.fn(async () => {
      const queries = Array.from({ length: 60 }, () => postgres.exists(myPid));
      const outcomes = await Promise.allSettled(queries);
      expect(outcomes.every(({ status }) => status === "rejected")).toBe(true);
      expect(postgres.use()).toMatchObject({ active: 0, idle: 0, waiting: 0 });
    });
    await vi.waitFor(rounds, WAIT);
    proxy.release();
    await responds(postgres);
  });

  it("Postgres may be unavailable at startup, and is used when it becomes available", async () => {
    await proxy.refuse();
    const postgres = await connect();
    expect(postgres.wasReached).toBe(false);
    await expect(postgres.exists(myPid)).rejects.toBeInstanceOf(PostgresUnavailableError);
    await proxy.accept();
    await vi.waitFor(() => expect(postgres.wasReached).toBe(true), WAIT);
  });
});

it("measures each statement by the function that runs it, on its own and in a transaction", async () => {
  const postgres = await connect();
  const { logger } = createTestLogger();
  const one = sql.type(z.object({ one: z.int() }));
  const findOne = (db: CommonQueryMethods) => db.oneFirst(one`SELECT ${1}::int AS one`);
  async function findNothing(db: CommonQueryMethods) {
    await db.query(one`SELECT one FROM nowhere`);
  }
  async function findRows() {
    await readableRows({ db: postgres, logger }, one`SELECT 2 AS one`, []);
  }
  await findOne(postgres);
  await postgres.transaction(findOne);
  await expect(postgres.transaction(findNothing)).rejects.toThrow();
  await findRows();
  const registry = new Registry();
  registerPostgresMetrics(registry, postgres);
  const busy = await postgres.transaction(() => registry.metrics());
  expect(busy).toContain('tapthru_postgres_connections{state="active"} 1');
  const counts = (await registry.metrics()).match(/(?<=statement_duration_seconds_count).*/g);
  expect(counts).toEqual([
    '{statement="unknown"} 1',
    '{statement="findOne"} 2',
    '{statement="findNothing"} 1',
    '{statement="findRows"} 1',
  ]);
});

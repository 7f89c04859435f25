import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MIGRATIONS, migrate } from "@tapthru/postgres/migrate";
import { withClient } from "@tapthru/postgres/with-client";
import { atMost, type CheckResult, equals, observed } from "../check-result.ts";
import { longestLockWait } from "../evidence/postgres-activity.ts";
import { sampleWhile } from "../evidence/sampling.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { underLoad } from "../load/under-load.ts";
import { insertWarmLinks } from "../load/visits/warm-links.ts";
import type { ReplicaName } from "../testbed/testbed-config.ts";

const REPLICAS: readonly ReplicaName[] = ["api-1", "redirect-1", "worker-1", "api-2", "redirect-2"];
const PAUSE_MS = 3_000;
const READER_MS = 5_000;
const LOCK_WAIT_S = 2;

/** A typical pair of migrations: one release adds columns and a table, the next one drops columns. */
const EXPAND = `
ALTER TABLE links ADD note text, ADD opened_at timestamptz NOT NULL DEFAULT now();
ALTER TABLE products ADD brand text;
CREATE TABLE notes (short_code text PRIMARY KEY, note text NOT NULL);
UPDATE links SET note = short_code WHERE id % 10 = 0;
`;
const CONTRACT = `
ALTER TABLE links DROP note, DROP opened_at;
ALTER TABLE products DROP brand;
`;

export const schemaChange: FaultCase = {
  id: "R24",
  title: "Schema change",
  expected: "0 failed; lock_timeout ≤ 2 s, retried; N-1 code works on N schema",
  procedure:
    "1,000 links in memory are visited 480 times per second and 20 creates per second are sent. A migration adds a table, and columns to tables in use, while a transaction of five seconds reads links. The replicas continue on the new schema and are replaced one after the other. Then a second migration drops the columns, again during such a transaction, while the replicas that saw them run.",
  timeoutMs: 6 * 60_000,
  async run(trial) {
    const visits = await insertWarmLinks(trial, 1_000);
    const folder = await mkdtemp(join(tmpdir(), "tapthru-migrations-"));
    try {
      await cp(MIGRATIONS, folder, { recursive: true });
      return [
        ...(await underLoad(trial, visits, { label: "expand" }, async () => {
          await writeFile(join(folder, "9998-expand.sql"), EXPAND);
          return migrateDuringLongRead(trial, folder, "expand");
        })),
        ...(await underLoad(trial, visits, { label: "replace" }, replaceAll)),
        ...(await underLoad(trial, visits, { label: "contract" }, async () => {
          await writeFile(join(folder, "9999-contract.sql"), CONTRACT);
          return migrateDuringLongRead(trial, folder, "contract");
        })),
      ];
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

async function migrateDuringLongRead(
  { testbed: { databaseUrl }, pause }: Trial,
  folder: string,
  what: string,
): Promise<CheckResult[]> {
  const read = () =>
    withClient(databaseUrl, async (client) => {
      await client.query("BEGIN; LOCK TABLE links, products IN ACCESS SHARE MODE");
      await pause(READER_MS);
      await client.query("COMMIT");
    });
  let retries = 0;
  const [waits, applied] = await sampleWhile(
    () => longestLockWait(databaseUrl),
    async () => {
      const [, applied] = await Promise.all([
        read(),
        migrate({ databaseUrl, folder, onRetry: () => retries++ }),
      ]);
      await pause(PAUSE_MS);
      return applied;
    },
    50,
  );
  return [
    equals(`${what}: migrations applied`, applied.length, 1),
    observed(`${what}: retries after a lock timeout`, retries),
    atMost(`${what}: longest wait for a lock`, Math.max(...waits) / 1_000, LOCK_WAIT_S, "s"),
  ];
}

async function replaceAll({ testbed, pause }: Trial): Promise<CheckResult[]> {
  for (const name of REPLICAS) {
    await testbed.processes.end(name, "SIGTERM");
    await testbed.start(name);
    await pause(PAUSE_MS);
  }
  return [observed("replace: replicas replaced", REPLICAS.length)];
}

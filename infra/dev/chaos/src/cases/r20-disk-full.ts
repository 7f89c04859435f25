import { join } from "node:path";
import { clusterFolder, postgresFolder } from "@tapthru/local/servers/postgres-home";
import { atLeast, atMost, type CheckResult, none, observed } from "../check-result.ts";
import { readLinkRows } from "../evidence/link-rows.ts";
import type { FaultCase, Trial } from "../fault-case.ts";
import { readAofStatus } from "../injectors/redis.ts";
import { moveToSmallDisk, type SmallDisk } from "../injectors/small-disk.ts";
import { checkRefusals } from "../load/check-refusals.ts";
import { createLinks, createProbe } from "../load/create-links.ts";
import { newLinksToCreate, productPages, readCreateOutcomes } from "../load/creates.ts";
import { type Exchange, unexpectedResponses } from "../load/exchange.ts";
import { visitWhile } from "../load/visits/visit-load.ts";
import { type Visit, visitFailures } from "../load/visits/visits.ts";
import { insertWarmLinks } from "../load/visits/warm-links.ts";

const POSTGRES_MB = 256;
const REDIS_MB = 64;
const WARM_LINKS = 500;
const VISITS_PER_SECOND = 100;
const CREATES_PER_SECOND = 10;
const FULL_S = 60;
/** As for other creates while Postgres is unavailable. */
const REFUSAL_LIMIT_MS = 1_000;

export const diskFull: FaultCase = {
  id: "R20",
  title: "Disk full",
  expected:
    "creates 503, nothing half-written; cached redirects 0 failed; works again once space is available, at most after a restart of Postgres",
  procedure: `Postgres is on a file system of ${POSTGRES_MB} MB, the append-only file of the queue Redis on one of ${REDIS_MB} MB. ${WARM_LINKS} links in memory are visited ${VISITS_PER_SECOND} times per second through nginx, and ${CREATES_PER_SECOND} creates per second are sent, while a file fills both file systems for ${FULL_S} s. Creates succeed until Postgres needs space that it does not have yet. Then the files are removed. Postgres is started again if it stopped.`,
  timeoutMs: 6 * 60_000,
  async run(trial) {
    const { testbed } = trial;
    const { dataDir } = testbed.config.first;
    await Promise.all([
      testbed.processes.end("queue Redis", "SIGTERM"),
      testbed.processes.end("Postgres", "SIGINT"),
    ]);
    const disks: SmallDisk[] = [];
    try {
      disks.push(moveToSmallDisk(clusterFolder(postgresFolder(dataDir)), POSTGRES_MB));
      disks.push(moveToSmallDisk(join(dataDir, "queue Redis"), REDIS_MB));
      await testbed.start("Postgres", "queue Redis");
      return await fillDisks(trial, disks);
    } finally {
      for (const disk of disks) disk.remove();
    }
  },
};

async function fillDisks(trial: Trial, disks: readonly SmallDisk[]): Promise<CheckResult[]> {
  const { testbed, log, secondsUntil } = trial;
  const { databaseUrl, config } = testbed;
  const visits = await insertWarmLinks(trial, WARM_LINKS);
  const count = CREATES_PER_SECOND * FULL_S;
  const creates = newLinksToCreate(count, productPages(20));
  log("filling both disks, creating and visiting links");
  const [visited, { exchanges, filledBytes, aofStatus, hasStopped, seconds }] = await visitWhile(
    trial,
    { visits, perSecond: VISITS_PER_SECOND },
    async () => {
      const filledBytes = await Promise.all(disks.map((disk) => disk.fill()));
      const exchanges = await createLinks(trial, creates, CREATES_PER_SECOND);
      const aofStatus = await readAofStatus(config.queuePort);
      log("freeing both disks");
      for (const disk of disks) await disk.free();
      const hasStopped = !isRunning(trial, "Postgres");
      if (hasStopped) await testbed.start("Postgres");
      const seconds = await secondsUntil(createProbe(trial), 60_000);
      return { exchanges, filledBytes, aofStatus, hasStopped, seconds };
    },
  );
  log("repeating the refused creates");
  const outcomes = readCreateOutcomes(creates, exchanges);
  const before = await readLinkRows(databaseUrl);
  const repeated = await createLinks(trial, outcomes.notCreated, CREATES_PER_SECOND);
  const after = await readLinkRows(databaseUrl);
  const [postgresMb, redisMb] = filledBytes.map((bytes) => Math.round(bytes / 1e6));
  return [
    observed("written until the disks were full (MB)", `${postgresMb}, ${redisMb}`),
    observed("last write of the append-only file", aofStatus),
    ...checkFilled({ visits, visited, exchanges }),
    none(
      "refused creates with a row",
      outcomes.notCreated.filter(({ url }) => before.codeByUrl.has(url)).map(({ url }) => url),
    ),
    none(
      "created links without a row, or with another code",
      [...outcomes.created]
        .filter(([url, code]) => before.codeByUrl.get(url) !== code)
        .map(([url]) => url),
    ),
    none("links without an outbox row", after.withoutOutboxRow),
    observed("restarts of Postgres that were needed", hasStopped ? 1 : 0),
    atMost("time until a link was created after space was available", seconds, 10, "s"),
    none("repeated creates without 201", unexpectedResponses([201], repeated)),
    none("URLs with two links", after.duplicates),
  ];
}

function checkFilled({
  visits,
  visited,
  exchanges,
}: {
  visits: readonly Visit[];
  visited: readonly Exchange[];
  exchanges: readonly Exchange[];
}): CheckResult[] {
  const isCreated = ({ response }: Exchange) => response?.status === 201;
  const refused = exchanges.filter((exchange) => !isCreated(exchange));
  return [
    observed("visits", visited.length),
    none("failed visits", visitFailures(visits, visited)),
    observed("creates that still succeeded", exchanges.length - refused.length),
    atLeast("creates refused", refused.length, 1),
    ...checkRefusals("refused creates", refused, REFUSAL_LIMIT_MS),
  ];
}

function isRunning({ testbed }: Trial, name: "Postgres"): boolean {
  try {
    return testbed.processes.pid(name) > 0;
  } catch {
    return false;
  }
}

import { randomUUID } from "node:crypto";
import { findTagChannels, tagKey } from "@tapthru/core/earnings/tag-channels";
import { MARKETPLACES, type Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { fractionDigits } from "@tapthru/proto/rules/money";
import type { App, Stoppable } from "../../app.ts";
import { ChildError, type ChildProgram, runInChild } from "../../child-process/run-in-child.ts";
import { dueKind } from "../../due.ts";
import { commonCurrencies } from "./currencies.ts";
import * as queries from "./queries.ts";
import type { FileOptions, FileRefusal, FileResult, ReadReport, ReportSink } from "./read-file.ts";
import { ReportRefusal } from "./refusal.ts";
import type { ReportRow } from "./report-reader.ts";

const DELETED_AT_ONCE = 20_000;
/** Products of which a report has many rows are saved once. */
const REMEMBERED_NAMES = 20_000;
/** The day in the east is ahead of UTC. */
const DAY_MS = 24 * 60 * 60 * 1_000;
/** A file whose runs failed or stopped the worker as often is refused. */
const MAX_ATTEMPTS = 5;
/** A run whose process does not say for so long that it reads is replaced. */
const ALONE_MS = 30_000;
const CONTINUE_MS = 5_000;

/** Another run reads the file, it is to be read again, or its import was removed. */
class ReplacedRunError extends Error {
  override readonly name = "ReplacedRunError";
}

/** A million rows take about a minute. */
export const READER: ChildProgram = {
  module: new URL("./read-file-process.ts", import.meta.url),
  cpuMs: 5 * 60_000,
  memoryMb: 128,
  lifetimeMs: 30 * 60_000,
};

/** Reads files that wait, which begin their lease as they are read. Of several workers that find one, the first reads it. */
export const readReports = dueKind({
  everyMs: 2_000,
  atOnce: 2,
  claim: ({ db }: Pick<App, "db" | "logger">, due) => queries.findWaiting(db, due),
  keyOf: ({ importId }) => importId,
  work: (app, waiting, due) => readEarnings(app, waiting, due),
});

export async function readEarnings(
  { db }: Pick<App, "db">,
  { importId, read }: Omit<queries.Run, "reader">,
  { signal }: Stoppable,
  reader = READER,
): Promise<void> {
  const run = { importId, read, reader: randomUUID() };
  const started = await queries.startRun(db, run, ALONE_MS);
  if (started === null) return;
  const stopping = new AbortController();
  const timer = setInterval(async () => {
    const continues = await queries.continueRun(db, run, ALONE_MS).catch(() => true);
    if (!continues) stopping.abort(new ReplacedRunError());
  }, CONTINUE_MS);
  let isAttempt = false;
  try {
    if (started.attempts >= MAX_ATTEMPTS) {
      await queries.refuse(db, run, { refusal: new ReportRefusal("not-read"), fileName: null });
    } else {
      const stop = AbortSignal.any([signal, stopping.signal]);
      await readAndFinish({ db, reader }, run, started, stop);
    }
  } catch (error) {
    // Its rows and parts may be deleted already.
    if (!(await queries.isCurrent(db, run).catch(() => true))) return;
    isAttempt = !signal.aborted;
    throw error;
  } finally {
    clearInterval(timer);
    // If Postgres is unavailable, the next run waits.
    await queries.leaveRun(db, run, { isAttempt }).catch(() => {});
  }
}

type FileApp = Pick<App, "db"> & { reader: ChildProgram };

async function readAndFinish(
  { db, reader }: FileApp,
  run: queries.Run,
  started: queries.StartedImport,
  signal: AbortSignal,
): Promise<void> {
  const { fileName, marketplace, dateOrder } = started;
  const currency = marketplace && MARKETPLACES[marketplace].currency;
  const lastDay = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
  const options = { fileName, dateOrder, currency, lastDay };
  const reading = await readInChild({ db, reader }, run, { userId: started.userId, options }, signal);
  if (reading === "date-order") return queries.putQuestion(db, run, reading);
  if ("refusal" in reading) {
    await removeReports(db, run, signal);
    return queries.refuse(db, run, reading);
  }
  const stores = marketplace === null ? possibleStores(reading.reports) : [marketplace];
  const tags = [...new Set(reading.reports.flatMap((report) => [...report.tags.keys()]))];
  const known = await findTagChannels(
    db,
    started.userId,
    stores.flatMap((each) => tags.map((tag) => ({ marketplace: each, tag: tag.toLowerCase() }))),
  );
  const has = (store: string, tag: string) => known.has(tagKey({ marketplace: store, tag: tag.toLowerCase() }));
  const store = chooseStore(stores, tags, has);
  if (store === null) return queries.putQuestion(db, run, "marketplace");
  if (reading.digits !== fractionDigits(MARKETPLACES[store].currency)) {
    return readAndFinish({ db, reader }, run, { ...started, marketplace: store }, signal);
  }
  const refusal = findRefusal(reading.reports, MARKETPLACES[store].currency);
  if (refusal !== null) {
    await removeReports(db, run, signal);
    return queries.refuse(db, run, refusal);
  }
  await db.transaction(async (transaction) => {
    const { ignoredFiles } = reading;
    const isFinished = await queries.finishRun(transaction, run, {
      marketplace: store,
      ignoredFiles,
    });
    if (!isFinished) throw new ReplacedRunError();
    for (const { dates, tags, ...report } of reading.reports) {
      if (dates.period === null) throw new TypeError("A report without days was settled");
      await queries.finishReport(transaction, {
        ...report,
        marketplace: store,
        storeId: started.storeId,
        period: dates.period,
        currency: MARKETPLACES[store].currency,
        unmatchedRowCount: countUnmatched(tags, (tag) => has(store, tag)),
      });
    }
  });
}

async function readInChild(
  { db, reader }: FileApp,
  run: queries.Run,
  { userId, options }: { userId: number; options: FileOptions },
  signal: AbortSignal,
): Promise<FileResult> {
  const { size, read } = await queries.openFile(db, run.importId);
  const calls = { ...createSink(db, run, userId, signal), read };
  try {
    return await runInChild<FileResult>(reader, { size, ...options }, { signal, calls });
  } catch (error) {
    if (!(error instanceof ChildError && error.kind === "limit")) throw error;
    return { refusal: new ReportRefusal("takes-too-long"), fileName: null };
  }
}

function createSink(db: App["db"], run: queries.Run, userId: number, signal: AbortSignal) {
  const savedNames = new Set<string>();
  return {
    restart: () => removeReports(db, run, signal),
    async begin(report: Parameters<ReportSink["begin"]>[0]) {
      const id = await queries.insertReport(db, run, report);
      if (id === null) throw new ReplacedRunError();
      return id;
    },
    async insert({ reportId, rows }: { reportId: number; rows: readonly ReportRow[] }) {
      if (!(await queries.insertRows(db, run, reportId, rows))) throw new ReplacedRunError();
      const named = rows.filter(({ asin, name }) => asin && name && !savedNames.has(asin));
      if (named.length === 0) return;
      const names = new Map(named.map(({ asin, name, category }) => [asin, [name, category] as const]));
      await queries.saveProductNames(db, run, userId, names);
      if (savedNames.size > REMEMBERED_NAMES) savedNames.clear();
      for (const asin of names.keys()) savedNames.add(asin);
    },
  };
}

async function removeReports(db: App["db"], run: queries.Run, signal: AbortSignal): Promise<void> {
  // Those of another run are left alone.
  do {
    signal.throwIfAborted();
    if (!(await queries.isCurrent(db, run))) throw new ReplacedRunError();
  } while (await queries.deleteSomeRows(db, run.importId, DELETED_AT_ONCE));
  await queries.deleteReports(db, run.importId);
}

function countUnmatched(tags: ReadonlyMap<string, number>, has: (tag: string) => boolean): number {
  let count = 0;
  for (const [tag, rows] of tags) if (tag !== "" && !has(tag)) count += rows;
  return count;
}

export function possibleStores(reports: readonly Pick<ReadReport, "currencies">[]): Marketplace[] {
  const named = commonCurrencies(reports.map(({ currencies }) => currencies));
  return (Object.keys(MARKETPLACES) as Marketplace[]).filter(
    (store) => named === null || named.includes(MARKETPLACES[store].currency),
  );
}

/** The only one of the stores, or the only one in which the user has some of the tracking ids; else null. */
export function chooseStore(
  stores: readonly Marketplace[],
  tags: readonly string[],
  has: (store: string, tag: string) => boolean,
): Marketplace | null {
  const chosen = stores.length === 1 ? stores : stores.filter((store) => tags.some((tag) => has(store, tag)));
  return chosen.length === 1 ? (chosen[0] ?? null) : null;
}

function findRefusal(reports: readonly ReadReport[], currency: string): FileRefusal | null {
  for (const [index, report] of reports.entries()) {
    const { fileName, currencies, headingLine, headingText, unclear } = report;
    if (unclear !== null) return { fileName, refusal: unclear };
    if (currencies !== null && !currencies.includes(currency)) {
      return { fileName, refusal: new ReportRefusal("wrong-currency", headingLine, headingText) };
    }
    // One of them would replace the other unseen.
    const repeated = reports.slice(0, index).find((earlier) => haveCommonDays(earlier, report));
    if (repeated !== undefined) {
      return { fileName, refusal: new ReportRefusal("repeated-days", null, repeated.fileName) };
    }
  }
  return null;
}

function haveCommonDays(one: ReadReport, other: ReadReport): boolean {
  const [own, others] = [one.dates.period, other.dates.period];
  return (
    one.kind === other.kind &&
    own !== null &&
    others !== null &&
    own.firstDay <= others.lastDay &&
    others.firstDay <= own.lastDay
  );
}

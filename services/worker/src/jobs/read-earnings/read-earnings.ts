import { randomUUID } from "node:crypto";
import { findTagChannels, tagKey } from "@tapthru/core/earnings/tag-channels";
import { MARKETPLACES } from "@tapthru/proto/rules/amazon/marketplaces";
import type { EarningsRefusal } from "@tapthru/proto/rules/earnings";
import type { App, Stoppable } from "../../app.ts";
import { ChildError, type ChildProgram, runInChild } from "../../child-process/run-in-child.ts";
import { dueKind } from "../../due.ts";
import { settleDates } from "./period.ts";
import * as queries from "./queries.ts";
import type { FileOptions, FileReading } from "./read-file.ts";
import { type Refusal, ReportRefusal } from "./refusal.ts";
import type { ReportRow } from "./report-reader.ts";
import { chooseStore, findRefusal, possibleStores, type SettledReport, settleReport } from "./settle-file.ts";

/** The day in the east is ahead of UTC. */
const DAY_MS = 24 * 60 * 60 * 1_000;
/** A file whose runs failed or stopped the worker as often is refused. */
const MAX_ATTEMPTS = 5;
/** A run whose process does not say for so long that it reads is replaced. */
const ALONE_MS = 30_000;
const CONTINUE_MS = 5_000;

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
  { importId }: { importId: string },
  { signal }: Stoppable,
  reader = READER,
): Promise<void> {
  const run = { importId, reader: randomUUID() };
  const started = await queries.startRun(db, run, ALONE_MS);
  if (started === null) return;
  const stopping = new AbortController();
  const continues = () => queries.continueRun(db, run, ALONE_MS).catch(() => true);
  const timer = setInterval(async () => {
    if (!(await continues())) stopping.abort();
  }, CONTINUE_MS);
  let isAttempt = false;
  try {
    const stop = AbortSignal.any([signal, stopping.signal]);
    const hasAttempts = started.attempts < MAX_ATTEMPTS;
    const outcome = hasAttempts ? await readAndStore({ db, reader }, run, started, stop) : refused("not-read");
    await queries.endRun(db, run, outcome);
  } catch (error) {
    // Its rows and parts may be deleted already.
    if (!(await continues())) return;
    isAttempt = !signal.aborted;
    throw error;
  } finally {
    clearInterval(timer);
    // If Postgres is unavailable, the next run waits.
    await queries.leaveRun(db, run, { isAttempt }).catch(() => {});
  }
}

const refused = (reason: EarningsRefusal): queries.Outcome => ({
  state: "refused",
  refusal: new ReportRefusal(reason).refusal,
});

/** Stores the reports and rows of a file, unless it is refused or the user is asked. */
async function readAndStore(
  { db, reader }: Pick<App, "db"> & { reader: ChildProgram },
  run: queries.Run,
  started: queries.StartedImport,
  signal: AbortSignal,
): Promise<queries.Outcome> {
  const { fileName, dateOrder } = started;
  const lastDay = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
  let outcome = refused("not-read");
  const stored = new Map<number, SettledReport>();
  const calls = {
    part: (part: number) => queries.readPart(db, run.importId, part),
    async begin(reading: FileReading | Refusal) {
      outcome = await settleFile(db, started, reading);
      const { marketplace, reports = [] } = outcome;
      if (marketplace === undefined) return [];
      await queries.deleteReports(db, queries.isCurrentRun(run), signal);
      for (const report of reports) stored.set(await queries.insertReport(db, run, marketplace, report), report);
      return [...stored.keys()];
    },
    async insert({ reportId, rows }: { reportId: number; rows: readonly ReportRow[] }) {
      const report = stored.get(reportId);
      if (report !== undefined) await queries.insertRows(db, run, reportId, rows.map(report.storedRow));
    },
  };
  try {
    await runInChild(reader, { fileName, dateOrder, lastDay } satisfies FileOptions, { signal, calls });
  } catch (error) {
    if (!(error instanceof ChildError && error.kind === "limit")) throw error;
    return refused("takes-too-long");
  }
  return outcome;
}

async function settleFile(
  db: App["db"],
  { userId, marketplace }: queries.StartedImport,
  reading: FileReading | Refusal,
): Promise<queries.Outcome> {
  if ("reason" in reading) return { state: "refused", refusal: reading };
  const { reports, ignoredFiles } = reading;
  const dated = settleDates(reports);
  if (dated === null) return { state: "question", question: "date-order" };
  const stores = marketplace === null ? possibleStores(reports) : [marketplace];
  const tags = [...new Set(reports.flatMap((report) => [...report.tags.keys()]))].map((tag) => tag.toLowerCase());
  const known = await findTagChannels(
    db,
    userId,
    stores.flatMap((store) => tags.map((tag) => ({ marketplace: store, tag }))),
  );
  const has = (store: string, tag: string) => known.has(tagKey({ marketplace: store, tag: tag.toLowerCase() }));
  const store = chooseStore(stores, tags, has);
  if (store === null) return { state: "question", question: "marketplace" };
  const ofStore = { currency: MARKETPLACES[store].currency, has: (tag: string) => has(store, tag) };
  const settled = dated.map(([report, dating]) => settleReport(report, dating, ofStore));
  const refusal = findRefusal(settled);
  if (refusal !== null) return { state: "refused", refusal };
  return { state: "ready", marketplace: store, ignoredFiles, reports: settled };
}

import { insertFilePart } from "@tapthru/runtime/earnings/imports";
import type { Logger } from "@tapthru/runtime/logger";
import { SafeFetchError } from "@tapthru/runtime/safe-fetch/errors";
import type { SafeFetch } from "@tapthru/runtime/safe-fetch/safe-fetch";
import { type EarningsSecrets, SealError } from "@tapthru/runtime/sealer";
import {
  type Connection,
  type FetchError,
  finishFetch,
  insertFetchedImport,
  refuseTooLarge,
  setState,
  takeDueConnection,
} from "./fetch-queries.ts";
import { type ReadEarningsDependencies, readEarnings } from "./read-earnings.ts";
import {
  createReportsApi,
  type ReportsApi,
  ReportsApiError,
  ReportTooLargeError,
} from "./reports-api.ts";

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;
/** The next job continues. */
const MAX_CONNECTIONS = 50;
const MAX_REPORTS = 100;
/** Others may still work, but each may take two minutes. */
const MAX_FAILURES = 10;
const PART_BYTES = 1_024 * 1_024;

export interface FetchReportsDependencies extends ReadEarningsDependencies {
  logger: Logger;
  /** With a deadline that is long enough for a file. */
  reportsFetch: SafeFetch;
  /** Null: users cannot have connections. */
  earningsSecrets: EarningsSecrets | null;
}

/** Fetches new reports of each user whose last fetch was a day ago, and stores them. */
export async function fetchReports(
  deps: FetchReportsDependencies,
  signal: AbortSignal,
  maxReports = MAX_REPORTS,
): Promise<void> {
  const { db, earningsSecrets } = deps;
  if (earningsSecrets === null) return;
  for (let count = 0; count < MAX_CONNECTIONS && !signal.aborted; count++) {
    const connection = await takeDueConnection(db, HOUR_MS);
    if (connection === null) return;
    await fetchOf(deps, earningsSecrets, { connection, maxReports }, signal);
  }
}

async function fetchOf(
  { db, jobs, logger, reportsFetch }: FetchReportsDependencies,
  earningsSecrets: EarningsSecrets,
  { connection, maxReports }: { connection: Connection; maxReports: number },
  signal: AbortSignal,
): Promise<void> {
  const { userId, sealedSecret, marketplace, ...others } = connection;
  const fetched = new Set(connection.fetched);
  // Encrypted anew, so that an earlier key is not needed forever.
  let renewedSecret = sealedSecret;
  let error: FetchError | null = null;
  let isLeft = false;
  try {
    const clientSecret = earningsSecrets.open(sealedSecret, connection);
    renewedSecret = earningsSecrets.seal(clientSecret, connection);
    const credentials = { ...others, clientSecret };
    const api = createReportsApi(reportsFetch, credentials, marketplace, signal);
    const reports = await api.list();
    const keys = new Set(reports.map(({ key }) => key));
    for (const key of fetched) if (!keys.has(key)) fetched.delete(key);
    const unfetched = reports.filter(({ key }) => !fetched.has(key));
    isLeft = unfetched.length > maxReports;
    let failures = 0;
    for (const { fileName, key } of unfetched.slice(0, maxReports)) {
      try {
        await fetchReport({ db, jobs }, { connection, api, fileName }, signal);
        fetched.add(key);
      } catch (cause) {
        signal.throwIfAborted();
        error = errorKind(cause);
        if (error === null || ++failures === MAX_FAILURES) throw cause;
      }
    }
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof SealError) {
      logger.error(
        { event: "earnings_fetch_failed", err: cause, userId },
        "failed to fetch reports",
      );
    }
    error = errorKind(cause);
    if (error === null) throw cause;
  }
  const nextMs = error === "unavailable" || isLeft ? HOUR_MS : DAY_MS;
  await finishFetch(db, connection, { error, fetched: [...fetched], nextMs, renewedSecret });
}

/** Null: an error of ours. */
function errorKind(error: unknown): FetchError | null {
  if (error instanceof ReportsApiError) return error.kind;
  // With another key the user has to enter the secret again.
  if (error instanceof SealError) return "refused";
  if (!(error instanceof SafeFetchError)) return null;
  return error.code === "refused-url" ? "unknown-host" : "unavailable";
}

/** Whether it can be read is seen in its import. */
async function fetchReport(
  { db, jobs }: ReadEarningsDependencies,
  { connection, api, fileName }: { connection: Connection; api: ReportsApi; fileName: string },
  signal: AbortSignal,
): Promise<void> {
  const importId = await insertFetchedImport(db, connection, fileName);
  let [part, waiting]: [number, Buffer[]] = [0, []];
  async function insertWaiting() {
    await insertFilePart(db, { importId, part, bytes: Buffer.concat(waiting) });
    [part, waiting] = [part + 1, []];
  }
  try {
    await api.download(fileName, async (chunk) => {
      waiting.push(chunk);
      if (waiting.reduce((sum, { length }) => sum + length, 0) >= PART_BYTES) await insertWaiting();
    });
    if (waiting.length > 0) await insertWaiting();
  } catch (error) {
    if (error instanceof ReportTooLargeError) return refuseTooLarge(db, importId);
    await setState(db, importId, "removed");
    throw error;
  }
  await setState(db, importId, "reading");
  await readEarnings({ db, jobs }, { importId, read: 0 }, signal);
}

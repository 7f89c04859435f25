import { calculateDays, insertFilePart } from "@tapthru/core/earnings/imports";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { EarningsImport } from "@tapthru/proto/http/earnings-imports";
import { EARNINGS_IMPORTS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { ApiError } from "../errors.ts";
import * as queries from "./queries.ts";
import type { QueueRead } from "./queue-read.ts";

export interface EarningsImportsDependencies {
  db: Db<"any" | "maybeOne" | "one" | "oneFirst" | "query" | "transaction">;
  queueRead: QueueRead;
}

interface NewFile {
  userId: number;
  fileName: string | null;
  answers: queries.Answers;
  /** Calls its argument with each part of the file, in order. */
  receive(takePart: (bytes: Buffer) => Promise<void>): Promise<void>;
}

/** Stores a file while it arrives, and lets the worker read it. */
export async function receiveImport(
  { db, queueRead }: EarningsImportsDependencies,
  { userId, fileName, answers, receive }: NewFile,
  requestId: string,
): Promise<EarningsImport> {
  if ((await queries.countStoredFiles(db, userId)) >= EARNINGS_IMPORTS_MAX_COUNT) {
    throw new ApiError("too-many-earnings-imports");
  }
  const id = await queries.insertImport(db, { userId, fileName, answers });
  let part = 0;
  try {
    await receive(async (bytes) => {
      await insertFilePart(db, { importId: id, part, bytes });
      part++;
    });
  } catch (error) {
    await queries.removeImport(db, { userId, id });
    throw error;
  }
  await queries.startReading(db, { userId, id });
  await queueRead({ importId: id, read: 0 }, requestId);
  return getImport({ db }, { userId, id });
}

/** @throws ApiError (import-not-found) also for imports of other users */
export async function getImport(
  { db }: Pick<EarningsImportsDependencies, "db">,
  ref: queries.ImportRef,
): Promise<EarningsImport> {
  return queries.importReply(await findImport(db, ref));
}

async function findImport(db: Db<"maybeOne">, ref: queries.ImportRef) {
  const row = await queries.findImport(db, ref);
  if (row === null) throw new ApiError("import-not-found");
  return row;
}

/** Lets the worker read the file again with what the user said. */
export async function answerImport(
  { db, queueRead }: EarningsImportsDependencies,
  ref: queries.ImportRef,
  answers: queries.Answers,
  requestId: string,
): Promise<EarningsImport> {
  const isReadAgain = await queries.readAgain(db, ref, answers);
  const row = await findImport(db, ref);
  if (!isReadAgain) {
    throw new ApiError(row.state === "stored" ? "earnings-stored" : "earnings-not-ready");
  }
  await queueRead({ importId: row.id, read: row.reads }, requestId);
  return queries.importReply(row);
}

/** From now on the figures of the import count. */
export async function storeImport(
  { db }: EarningsImportsDependencies,
  ref: queries.ImportRef,
): Promise<EarningsImport> {
  await db.transaction(async (transaction) => {
    if (await queries.markStored(transaction, ref)) await calculateDays(transaction, ref.id);
  });
  const stored = await getImport({ db }, ref);
  if (stored.state !== "stored") throw new ApiError("earnings-not-ready");
  return stored;
}

export async function removeImport(
  { db }: EarningsImportsDependencies,
  ref: queries.ImportRef,
): Promise<void> {
  const wasRemoved = await db.transaction(async (transaction) => {
    if (!(await queries.removeImport(transaction, ref))) return false;
    await calculateDays(transaction, ref.id);
    return true;
  });
  if (!wasRemoved) throw new ApiError("import-not-found");
}

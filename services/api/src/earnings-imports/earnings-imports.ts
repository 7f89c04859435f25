import { calculateDays, insertFilePart } from "@tapthru/core/earnings/imports";
import { inserted, recorded } from "@tapthru/core/events";
import { changing, type Db } from "@tapthru/core/platform/postgres/postgres";
import { emailNotConfirmed } from "@tapthru/proto/accounts";
import * as calls from "@tapthru/proto/earnings-imports";
import { type answerEarningsImport, createEarningsImport, importNotFound } from "@tapthru/proto/earnings-imports";
import { EARNINGS_IMPORTS_PAGE_SIZE } from "@tapthru/proto/rules/limits";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import { handlers } from "../callers/handlers.ts";
import { hasConfirmedEmail, requireRoom } from "../callers/users.ts";
import { ApiError } from "../http/errors.ts";
import { receiveFile, requireFile } from "../http/uploads.ts";
import { findImport, findImports, type ImportRef } from "./find-imports.ts";

const EARNINGS_IMPORTS_MAX_COUNT = 500;

const IMPORTED = {
  file: createEarningsImport.file,
  expected: calls.fileExpected,
  tooLarge: calls.earningsFileTooLarge,
};

export const earningsImportHandlers = handlers(calls, {
  createEarningsImport: async (api, { ctx, userId, query }) => {
    const { db } = api;
    if (api.linkLimits.unconfirmed !== null && !(await hasConfirmedEmail(db, userId)))
      throw new ApiError(emailNotConfirmed);
    requireFile(ctx, IMPORTED);
    const stored = sql.fragment`earnings_imports WHERE user_id = ${userId} AND state = 'stored'`;
    await requireRoom(db, stored, EARNINGS_IMPORTS_MAX_COUNT, calls.tooManyEarningsImports);
    const importId = await insertImport(db, userId, query);
    const ref = { userId, id: importId };
    let part = 0;
    const takePart = async (bytes: Buffer) => {
      await insertFilePart(db, { importId, part, bytes });
      part++;
    };
    try {
      await receiveFile(api, { ctx, userId }, IMPORTED, takePart);
    } catch (error) {
      await removeImport(db, ref);
      throw error;
    }
    await startReading(db, ref);
    return requireImport(db, ref);
  },

  listEarningsImports: async ({ db }, { userId, query: { after = null } }) =>
    findImports(db, { userId, after, limit: EARNINGS_IMPORTS_PAGE_SIZE }),

  getEarningsImport: async ({ db }, { userId, params }) => requireImport(db, { userId, ...params }),

  answerEarningsImport: async ({ db }, { userId, params, body }) => {
    const ref = { userId, ...params };
    const isReadAgain = await readAgain(db, ref, body);
    const row = await requireImport(db, ref);
    if (!isReadAgain) {
      throw new ApiError(row.state === "stored" ? calls.earningsStored : calls.earningsNotReady);
    }
    return row;
  },

  storeEarningsImport: async ({ db }, { userId, params: { id } }) => {
    await db.transaction(async (transaction) => {
      const isReady = sql.fragment`id = ${id} AND user_id = ${userId} AND state = 'ready'`;
      const isStored = await changeImports(transaction, isReady, sql.fragment`state = 'stored', stored_at = now()`);
      if (isStored) await calculateDays(transaction, id);
    });
    const stored = await requireImport(db, { userId, id });
    if (stored.state !== "stored") throw new ApiError(calls.earningsNotReady);
    return stored;
  },

  deleteEarningsImport: async ({ db }, { userId, params }) => {
    const wasRemoved = await db.transaction(async (transaction) => {
      if (!(await removeImport(transaction, { userId, ...params }))) return false;
      await calculateDays(transaction, params.id);
      return true;
    });
    if (!wasRemoved) throw new ApiError(importNotFound);
    return params;
  },
});

/** @throws ApiError (import-not-found) also for imports of other users */
async function requireImport(db: Db<"maybeOne">, ref: ImportRef) {
  const row = await findImport(db, ref);
  if (row === null) throw new ApiError(importNotFound);
  return row;
}

const Id = z.object({ id: z.uuid() });
/** What the user says about the file. */
type Answers = z.infer<typeof answerEarningsImport.body>;

function insertImport(
  db: Db<"oneFirst">,
  userId: number,
  { name, marketplace, storeId = "", dateOrder }: Answers & { name?: string | undefined },
): Promise<string> {
  const fileName = name?.replaceAll("\0", "") ?? null;
  return db.oneFirst(changing(Id)`
    WITH ${inserted("earnings-import.created")`(user_id, file_name, state, marketplace, store_id, date_order)
      VALUES (${userId}, ${fileName}, 'receiving', ${marketplace ?? null}, ${storeId}, ${dateOrder ?? null})`}
    SELECT id FROM object
  `);
}

/** Lets the worker read a file that arrived, and removes the user's other files that were not stored. */
async function startReading(db: Db<"any">, { userId, id }: ImportRef): Promise<void> {
  const isNext = sql.fragment`user_id = ${userId} AND (
    id = ${id} AND state = 'receiving'
    OR id <> ${id} AND state NOT IN ('stored', 'receiving', 'removed')
  )`;
  await changeImports(db, isNext, sql.fragment`state = CASE WHEN id = ${id} THEN 'reading' ELSE 'removed' END`);
}

/** Hides an import; the worker deletes it. @returns whether there was one */
function removeImport(db: Db<"any">, { userId, id }: ImportRef): Promise<boolean> {
  const isThere = sql.fragment`id = ${id} AND user_id = ${userId} AND state <> 'removed'`;
  return changeImports(db, isThere, sql.fragment`state = 'removed', stored_at = NULL`);
}

/** @returns whether the import is to be read again: it was neither stored nor refused */
function readAgain(
  db: Db<"any">,
  { userId, id }: ImportRef,
  { marketplace, storeId, dateOrder }: Answers,
): Promise<boolean> {
  const isUnstored = sql.fragment`id = ${id} AND user_id = ${userId} AND state IN ('reading', 'question', 'ready')`;
  return changeImports(
    db,
    isUnstored,
    sql.fragment`marketplace = coalesce(${marketplace ?? null}, marketplace),
      store_id = coalesce(${storeId ?? null}, store_id), date_order = coalesce(${dateOrder ?? null}, date_order),
      state = 'reading', question = NULL, reader = NULL, attempts = 0`,
  );
}

/** Records what is changed, except the rest of an upload. @returns whether there are such imports */
async function changeImports(db: Db<"any">, which: FragmentSqlToken, changes: FragmentSqlToken): Promise<boolean> {
  const changed = await db.any(changing(Id)`
    WITH before AS MATERIALIZED (SELECT * FROM earnings_imports WHERE ${which} FOR NO KEY UPDATE), changed AS (
      UPDATE earnings_imports SET ${changes} WHERE id IN (SELECT id FROM before) RETURNING *
    ), object AS (
      SELECT changed.* FROM changed JOIN before USING (id) WHERE before.state <> 'receiving'
    ), ${recorded("earnings-import.changed")}
    SELECT id FROM changed
  `);
  return changed.length > 0;
}

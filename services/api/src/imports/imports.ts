import { changed } from "@tapthru/core/events";
import { changing, type Db } from "@tapthru/core/platform/postgres/postgres";
import * as calls from "@tapthru/proto/imports";
import { createImport, type Import } from "@tapthru/proto/imports";
import { sql, UniqueIntegrityConstraintViolationError } from "slonik";
import * as z from "zod/mini";
import type { Api } from "../api.ts";
import { handlers, TextReply } from "../calls/handlers.ts";
import { requireOwnChannel } from "../channels/channels.ts";
import { ApiError } from "../http/errors.ts";
import { CSV_TYPE } from "../http/streams.ts";
import { receiveFile, requireFile } from "../http/uploads.ts";
import { createMissingLabels } from "../labels/labels.ts";
import { chooseDomain, findUsableDomains } from "../links/link-domains.ts";
import { type LinesPage, lineReply, listLines, resultCsv } from "./import-lines.ts";
import { prepareImport } from "./prepare-import.ts";
import { deleteEndedImport, findImports, getImport, type ImportRef, ImportRow, importColumns } from "./queries.ts";

const FIRST_PAGE: LinesPage = { show: "all", after: 0, limit: 50 };
const Id = z.object({ id: z.string() });

const IMPORTED = { file: createImport.file, expected: calls.csvExpected, tooLarge: calls.importFileTooLarge };

export const importHandlers = handlers(calls, {
  createImport: async (api, { ctx, userId, query }) => {
    const { db, uploads } = api;
    requireFile(ctx, IMPORTED);
    const usable = await findUsableDomains(api, userId);
    const domain = chooseDomain(usable, query.domain);
    const ownDomains = usable.map(({ host }) => host);
    const { name: fileName = null, channel: channelId = null, usesChannelTag } = query;
    await requireOwnChannel(db, { userId, channelId });
    const file = await receiveFile(api, { ctx, userId }, IMPORTED);
    const { encoding, columns, tz: timeZone } = query;
    const choice = { domain, ownDomains, channelId, usesChannelTag, options: { encoding, columns, timeZone } };
    const row = await uploads.read(() => prepareImport(db, { userId, fileName, ...choice, file }));
    return withLines(api, row, FIRST_PAGE);
  },

  listImports: async ({ db }, { userId }) => (await findImports(db, userId)).map(importReply),

  getImport: async (api, { ctx, userId, params, query }) => {
    const { db, publicBaseUrl } = api;
    const row = await getImport(db, { userId, ...params });
    ctx.vary("Accept");
    if (ctx.accepts("json", "text/csv") !== "text/csv") return withLines(api, row, query);
    ctx.attachment(`import-${row.id}.csv`);
    return new TextReply(CSV_TYPE, resultCsv(db, row.id, publicBaseUrl, query.separator));
  },

  repairImport: ({ db }, { userId, params: { id } }) =>
    db.transaction(async (transaction) => {
      await getImport(transaction, { userId, id });
      const locked = await transaction.maybeOne(sql.type(Id)`
        SELECT id FROM imports WHERE id = ${id} AND state = 'ready' FOR UPDATE
      `);
      if (locked === null) throw new ApiError(calls.importStarted);
      await takeRepairs(transaction, id);
      await countLines(transaction, id);
      return importReply(await getImport(transaction, { userId, id }));
    }),

  /**
   * Lets the worker create the links, except those that the user got since the preview, and creates the labels that they get. A
   * finished import starts again for the lines that can be tried again. An import that is running is returned as it is.
   */
  startImport: async ({ db }, { userId, params: { id } }) => {
    const ref = { userId, id };
    try {
      const isStarted = await db.transaction(async (transaction) => {
        if (!(await startReadyImport(transaction, ref))) return false;
        const names = await findLabelNames(transaction, id);
        if (names.length > 0) await createMissingLabels(transaction, { userId, names });
        return true;
      });
      if (!isStarted) await restartFinishedImport(db, ref);
    } catch (error) {
      if (!(error instanceof UniqueIntegrityConstraintViolationError)) throw error;
      throw new ApiError(calls.importRunning, { cause: error });
    }
    const row = await getImport(db, ref);
    if (row.state !== "running") throw new ApiError(calls.importStarted);
    return importReply(row);
  },

  /** Waits for the batch in progress. One that has ended in the meantime is returned as it is. */
  cancelImport: async ({ db }, { userId, params: { id } }) => {
    const isRunning = sql.fragment`id = ${id} AND user_id = ${userId} AND state = 'running'`;
    const cancelled = await db.maybeOne(changing(ImportRow)`
      WITH ${changed("import.changed", isRunning)`state = 'cancelled', ended_at = now()`}
      SELECT ${importColumns} FROM object AS imports
    `);
    const row = cancelled ?? (await getImport(db, { userId, id }));
    if (row.state === "ready") throw new ApiError(calls.importNotStarted);
    return importReply(row);
  },

  deleteImport: async ({ db }, { userId, params }) => {
    const { id } = await getImport(db, { userId, ...params });
    if (!(await deleteEndedImport(db, id))) throw new ApiError(calls.importNotEnded);
    return params;
  },
});

async function withLines({ db, publicBaseUrl }: Api, row: ImportRow, page: LinesPage) {
  const { lines, nextAfter } = await listLines(db, row.id, page);
  return {
    ...importReply(row),
    lines: lines.map((line) => lineReply(line, publicBaseUrl)),
    nextAfter,
  };
}

/**
 * @returns whether the import was not started before
 * @throws UniqueIntegrityConstraintViolationError on `imports_running_key`
 */
async function startReadyImport(db: Db<"maybeOne">, { userId, id }: ImportRef): Promise<boolean> {
  const isReady = sql.fragment`id = ${id} AND user_id = ${userId} AND state = 'ready'`;
  const started = await db.maybeOne(changing(Id)`
    WITH ${changed("import.changed", isReady)`state = 'running', started_at = now(), progressed_at = now()`}
    SELECT id FROM object
  `);
  return started !== null;
}

/**
 * Starts a finished import again for the lines that were refused because Amazon did not respond, if there are any.
 * @throws UniqueIntegrityConstraintViolationError on `imports_running_key`
 */
async function restartFinishedImport(db: Db<"maybeOne">, { userId, id }: ImportRef): Promise<void> {
  await db.maybeOne(changing(Id)`
    WITH retried AS (
      UPDATE import_lines SET state = 'pending', refusal = NULL, attempts = 0, retry_at = NULL
      WHERE import_id = ${id} AND refusal = 'short-link-failed' AND EXISTS (
        SELECT FROM imports WHERE id = ${id} AND user_id = ${userId} AND imports.state = 'finished'
      )
      RETURNING line
    ), total AS (SELECT count(*)::int AS retried FROM retried), ${changed(
      "import.changed",
      sql.fragment`id = ${id} AND state = 'finished' AND EXISTS (SELECT FROM retried)`,
    )`state = 'running', progressed_at = now(), ended_at = NULL,
      link_count = link_count + (SELECT retried FROM total), refused_count = refused_count - (SELECT retried FROM total)`}
    SELECT id FROM object
  `);
}

async function findLabelNames(db: Db<"any">, importId: string): Promise<string[]> {
  const rows = await db.any(sql.type(z.object({ name: z.string() }))`
    SELECT name FROM import_lines, unnest(labels) AS name
    WHERE import_id = ${importId} AND state = 'pending' GROUP BY name ORDER BY min(line)
  `);
  return rows.map(({ name }) => name);
}

/** Lets each line become what it becomes with the repaired addresses. */
async function takeRepairs(db: Db<"query">, importId: string) {
  await db.query(sql.type(z.object({}))`
    UPDATE import_lines SET
      url = repaired->>'url', refusal = repaired->>'refusal', replacement = repaired->>'replacement',
      state = CASE WHEN repaired->>'refusal' IS NULL THEN 'pending' ELSE 'refused' END, repaired = NULL
    WHERE import_id = ${importId} AND repaired IS NOT NULL
  `);
}

async function countLines(db: Db<"query">, id: string) {
  await db.query(sql.type(z.object({}))`
    UPDATE imports SET link_count = links, refused_count = line_count - links, replaced_count = replaced
    FROM (
      SELECT count(*) FILTER (WHERE state = 'pending') AS links, count(replacement) AS replaced
      FROM import_lines WHERE import_id = ${id}
    ) AS counted
    WHERE id = ${id}
  `);
}

export function importReply({
  lines,
  links,
  replaced,
  refused,
  created,
  retryable,
  lost,
  repairable,
  ...row
}: ImportRow): Import {
  return {
    ...row,
    counts: { lines, links, replaced, refused, created, retryable, lost, repairable },
  };
}

import { linksOf, recordLinks } from "@tapthru/core/events";
import { findChannelTags, NO_CHANNELS, withChannelTag } from "@tapthru/core/links/channel-tags";
import { createLinks } from "@tapthru/core/links/create-links";
import { ID_AND_CODE } from "@tapthru/core/links/insert-links";
import { linksToAddress } from "@tapthru/core/links/links-to-address";
import type { CreatorSettings, NewLink } from "@tapthru/core/links/plan-link";
import { isoOrNull } from "@tapthru/core/platform/postgres/values";
import type { Refusal } from "@tapthru/proto/imports";
import { ownerFieldsOf } from "@tapthru/proto/owner-fields";
import { labelKey } from "@tapthru/proto/rules/labels";
import { shortCodeOf } from "@tapthru/proto/rules/short-code";
import { isReservedName } from "@tapthru/proto/rules/slug";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";
import { findDueLines, finishImport, type PendingLine, postponeLines } from "./queries.ts";
import { type Destinations, divideLines, type FoundLine, retryDelayMs } from "./resolve-lines.ts";
import { type LineResult, storeResults } from "./store-results.ts";

interface Batch {
  importId: string;
  limit: number;
  publicBaseUrl: string;
  /** Lines without one are left to the next batch. */
  destinations: Readonly<Destinations>;
}

/**
 * Creates the links of the next lines and stores their results, in one transaction: a line is pending until its link is
 * committed, and the lock on the import lets one transaction at a time create links for it. Without pending lines the import is
 * finished.
 * @returns `ended` if the import has ended, or all that is left waits to be tried again
 */
export function importBatch(
  db: Pick<CommonQueryMethods, "transaction">,
  { importId, limit, publicBaseUrl, destinations }: Batch,
): Promise<"done" | "ended"> {
  return db.transaction(async (transaction) => {
    const running = await lockRunningImport(transaction, importId);
    if (running === null) return "ended";
    const due = await findDueLines(transaction, importId, limit);
    if (due.length === 0) {
      if (!(await hasPendingLines(transaction, importId))) await finishImport(transaction, importId);
      return "ended";
    }
    const { userId, usesChannelTag } = running;
    const channels = usesChannelTag ? await findChannelTags(transaction, userId) : NO_CHANNELS;
    const settings = { ...running, channels };
    const { found, refusals, postponed } = divideLines(due, destinations);
    await postponeLines(transaction, importId, postponed);
    const wanted = wantedLinks(found, settings, refusals);
    for (const line of await findExisting(transaction, { userId, importId }, wanted)) {
      refusals.set(line, "already-yours");
    }
    const lines = found.filter(({ line }) => !refusals.has(line));
    const links = lines.map((line) => newLink(line, settings));
    const app = { db: transaction, publicBaseUrl };
    const created = await createLinks(app, settings, links, ID_AND_CODE);
    const rows = lines.flatMap(({ line, labels }, at) => {
      const [link, result] = [links[at], created[at]];
      if (link === undefined || result === undefined || result === "slug-taken") return [];
      const { id, shortCode } = result.row;
      const isReplaced = link.slug !== null && shortCode !== shortCodeOf(link.slug, link.domain);
      const replacement: LineResult["replacement"] = isReplaced ? "slug-taken" : null;
      return [{ line, refusal: null, replacement, shortCode, linkId: id, labels }];
    });
    const ids = rows.map(({ linkId }) => linkId);
    await recordLinks(transaction, "link.created", linksOf(ids), () => addLabels(transaction, userId, rows));
    const refused = [...refusals].map(([line, refusal]) => {
      return { line, refusal, replacement: null, shortCode: null };
    });
    await storeResults(transaction, importId, [...refused, ...rows]);
    return "done";
  });
}

/** Lets a due line wait of which no link could be created, and refuses it after the last attempt. */
export function postponeFailed(
  db: Pick<CommonQueryMethods, "transaction">,
  importId: string,
  { line, attempts }: Pick<PendingLine, "line" | "attempts">,
): Promise<void> {
  return db.transaction(async (transaction) => {
    if ((await lockRunningImport(transaction, importId)) === null) return;
    const [due] = await findDueLines(transaction, importId, 1);
    if (due?.line !== line) return;
    const delayMs = retryDelayMs(attempts + 1, "not-requested");
    const refused = { line, refusal: "unusable-link" as const, replacement: null, shortCode: null };
    if (delayMs === null) await storeResults(transaction, importId, [refused]);
    else await postponeLines(transaction, importId, [{ line, delayMs }]);
  });
}

type Settings = RunningImport & CreatorSettings;

/** The links of lines, to find those that the user has. Adds the refusals of lines that a short link turned into an earlier one. */
function wantedLinks(
  lines: readonly FoundLine[],
  { domain: domainOfAll, channels, ...choice }: Settings,
  refusals: Map<number, Refusal>,
) {
  const links = new Set<string>();
  return lines.map(({ line, url, wantedCode: name, slug, nickname, destination, ...rest }) => {
    const domain = rest.domain ?? domainOfAll;
    const { webUrl } = withChannelTag(destination.page, choice, channels);
    const isResolved = destination.originalUrl !== url;
    if (isResolved) {
      const link = JSON.stringify([webUrl, slug, slug === null ? nickname : domain]);
      if (links.has(link)) refusals.set(line, "repeated-line");
      links.add(link);
    }
    const wantedCode = name && shortCodeOf(name, domain);
    return { line, webUrl, isResolved, wantedCode, slug, nickname };
  });
}

function newLink(line: FoundLine, { domain: domainOfAll, channelId, usesChannelTag }: Settings) {
  const domain = line.domain ?? domainOfAll;
  // Of an import to a domain that the user cannot use any more.
  const isReserved = line.slug !== null && isReservedName(line.slug, domain);
  return {
    destination: line.destination,
    channelId,
    usesChannelTag,
    slug: isReserved ? null : line.slug,
    mayReplaceSlug: true,
    domain,
    ...ownerFieldsOf(line),
    startsAt: isoOrNull(line.startsAt),
    expiresAt: isoOrNull(line.expiresAt),
  } satisfies NewLink;
}

const RunningImport = z.object({
  userId: z.int(),
  domain: z.nullable(z.string()),
  channelId: z.nullable(z.int()),
  usesChannelTag: z.boolean(),
});
type RunningImport = z.infer<typeof RunningImport>;

/**
 * Lets no other transaction change the import. Its domain is null if the user cannot use it any more.
 * @returns null if it is not running
 */
function lockRunningImport(transaction: Pick<CommonQueryMethods, "maybeOne">, importId: string) {
  return transaction.maybeOne(sql.type(RunningImport)`
    SELECT user_id AS "userId", (
      SELECT host FROM domains
      WHERE domains.user_id = imports.user_id AND host = imports.domain
        AND verified_at IS NOT NULL AND off_at IS NULL
    ) AS domain, channel_id AS "channelId", uses_channel_tag AS "usesChannelTag"
    FROM imports WHERE id = ${importId} AND state = 'running'
      AND EXISTS (SELECT FROM users WHERE users.id = imports.user_id AND users.state = 'enabled')
    FOR UPDATE
  `);
}

interface WantedLink extends Pick<PendingLine, "line" | "wantedCode" | "slug" | "nickname"> {
  webUrl: string;
  /** Whether the address is known only once a short link is resolved. */
  isResolved: boolean;
}

/**
 * Those of the lines whose link the user has: its current or an earlier code is the one in the file, or the line has no code of its
 * own and the same name or none. The preview did not know the addresses of short links, nor the links that the user got between
 * it and the start.
 */
async function findExisting(
  transaction: Pick<CommonQueryMethods, "any">,
  { userId, importId }: { userId: number; importId: string },
  lines: readonly WantedLink[],
): Promise<number[]> {
  if (lines.length === 0) return [];
  const rows = await transaction.any(sql.type(z.object({ line: z.int() }))`
    SELECT line FROM jsonb_to_recordset(${sql.jsonb(lines)}) AS wanted (
      line integer, "webUrl" text, "isResolved" boolean, "wantedCode" text, slug text, nickname text
    ), imports import
    WHERE import.id = ${importId} AND EXISTS (
      SELECT FROM (${linksToAddress(userId, sql.fragment`"webUrl"`)}) AS link
      WHERE ("isResolved" OR link.created_at <= import.started_at)
        AND (
          id = find_link_id("wantedCode")
          OR slug IS NULL AND (wanted.nickname IS NULL OR link.nickname = wanted.nickname)
        )
    )
  `);
  return rows.map(({ line }) => line);
}

/** Puts the user's labels on links. Names for which the user has no label are left out. */
async function addLabels(
  transaction: Pick<CommonQueryMethods, "query">,
  userId: number,
  links: readonly { linkId: number; labels: readonly string[] }[],
): Promise<void> {
  const wanted = links.flatMap(({ linkId, labels }) => labels.map((name) => ({ linkId, key: labelKey(name) })));
  if (wanted.length === 0) return;
  await transaction.query(sql.type(z.object({}))`
    INSERT INTO link_labels (link_id, label_id)
    SELECT "linkId", label.id
    FROM jsonb_to_recordset(${sql.jsonb(wanted)}) AS wanted ("linkId" bigint, key text)
    JOIN labels label ON label.user_id = ${userId} AND label.name_key = wanted.key
    ORDER BY "linkId", label.id
    ON CONFLICT DO NOTHING
  `);
}

function hasPendingLines(db: Pick<CommonQueryMethods, "oneFirst">, importId: string): Promise<boolean> {
  return db.oneFirst(sql.type(z.object({ exists: z.boolean() }))`
    SELECT EXISTS (SELECT FROM import_lines WHERE import_id = ${importId} AND state = 'pending')
  `);
}

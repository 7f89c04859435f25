import { changed, deleted, inserted, linksOf, recordLinks } from "@tapthru/core/events";
import { addBulkUpdate } from "@tapthru/core/links/bulk-updates";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { countUpTo } from "@tapthru/core/platform/postgres/values";
import { internal, linkNotFound } from "@tapthru/proto/general-errors";
import * as calls from "@tapthru/proto/labels";
import { CountedLabel, Label, type LabelRef } from "@tapthru/proto/labels";
import type { LabelLinksResult } from "@tapthru/proto/links";
import { labelKey, nextColour } from "@tapthru/proto/rules/labels";
import { COUNTED_LINKS_MAX, LABELS_PER_LINK_MAX_COUNT, LABELS_PER_USER_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { sql } from "slonik";
import * as z from "zod/mini";
import { handlers } from "../callers/handlers.ts";
import { lockingUser } from "../callers/users.ts";
import { ApiError } from "../http/errors.ts";

type ChangeableDb = Db<"transaction">;

export const labelHandlers = handlers(calls, {
  listLabels: ({ db }, { userId }) =>
    db.any(sql.type(CountedLabel)`
      SELECT ${labelColumns},
        ${countUpTo(
          COUNTED_LINKS_MAX,
          sql.fragment`link_labels WHERE label_id = label.id
          AND link_id NOT IN (SELECT id FROM all_links WHERE user_id = ${userId} AND deleted_at IS NOT NULL)`,
        )} AS "linkCount"
      FROM labels label WHERE user_id = ${userId} ORDER BY name, id
    `),

  createLabel: ({ db }, { userId, body: { name, colour } }) =>
    lockingUser(db, userId, async (transaction) => {
      const labels = await findLabels(transaction, userId);
      const [label] = await insertLabels(transaction, { userId, labels, names: [name], colour });
      if (label === undefined) throw new ApiError(internal);
      return label;
    }),

  updateLabel: ({ db }, { userId, params: { id }, body: { name = null, colour = null } }) =>
    db.transaction(async (transaction) => {
      const isOwn = sql.fragment`id = ${id} AND user_id = ${userId}`;
      const row = await transaction.maybeOne(sql.type(z.extend(Label, { isRenamed: z.boolean() }))`
        WITH ${changed("label.changed", isOwn)`name = coalesce(${name}, name),
          name_key = coalesce(${name && labelKey(name)}, name_key), colour = coalesce(${colour}, colour)`}
        SELECT ${labelColumns}, label.name <> before.name AS "isRenamed" FROM object AS label JOIN before USING (id)
      `);
      if (row === null) throw new ApiError(calls.labelNotFound);
      const { isRenamed, ...label } = row;
      const isAwaited = sql.fragment`${isRenamed} AND EXISTS (
        SELECT FROM webhooks WHERE user_id = ${userId} AND disabled_at IS NULL AND 'link.changed' = ANY (events)
      )`;
      await addBulkUpdate(transaction, "label", { userId, labelId: id }, isAwaited);
      return label;
    }),

  deleteLabel: ({ db }, { userId, params: { id } }) =>
    lockingUser(db, userId, async (transaction) => {
      const { rowCount } = await transaction.query(sql.type(Nothing)`
        WITH ${deleted("label.deleted")`id = ${id} AND user_id = ${userId}`} SELECT FROM object
      `);
      if (rowCount === 0) throw new ApiError(calls.labelNotFound);
      await addBulkUpdate(transaction, "label", { userId, labelId: id, isDeleted: true });
      return { id };
    }),
});

interface LinksToLabel {
  userId: number;
  ids: readonly number[];
  addLabels: readonly LabelRef[];
  removeLabels: readonly LabelRef[];
}

/** Changes the labels of those of the links that the user owns. Creates labels only if a link gets them. */
export function labelLinks(
  db: ChangeableDb,
  { userId, ids, addLabels: add, removeLabels: remove }: LinksToLabel,
): Promise<LabelLinksResult[]> {
  return lockingUser(db, userId, async (transaction) => {
    const labels = await findLabels(transaction, userId);
    const links = new Map((await lockLinks(transaction, { userId, ids })).map((link) => [link.id, link]));
    const added = chooseLabels(labels, add);
    const { ids: removed } = chooseLabels(labels, remove);
    const results = ids.map((id): LabelLinksResult => {
      const link = links.get(id);
      if (link === undefined) return { id, error: "link-not-found" };
      const isRefused = wouldHaveTooMany(link, added, removed);
      return { id, error: isRefused ? "too-many-labels-on-link" : null };
    });
    const linkIds = results.filter(({ error }) => error === null).map(({ id }) => id);
    if (linkIds.length === 0) return results;
    await recordLinks(transaction, "link.changed", linksOf(linkIds), () =>
      changeLabels(transaction, { userId, labels, linkIds, added, removed }),
    );
    return results;
  });
}

export interface LabelReplacement {
  userId: number;
  linkId: number;
  refs: readonly LabelRef[];
  /** Undefined: whatever labels the link has are replaced. */
  revision?: string | undefined;
}

export function replaceLabels(db: ChangeableDb, { userId, linkId, refs, revision }: LabelReplacement): Promise<void> {
  return lockingUser(db, userId, async (transaction) => {
    const labels = await findLabels(transaction, userId);
    const [link] = await lockLinks(transaction, { userId, ids: [linkId] });
    if (link === undefined) throw new ApiError(linkNotFound);
    if (revision !== undefined && labelsRevision(link.labelIds) !== revision) throw new ApiError(calls.labelsChanged);
    const added = chooseLabels(labels, refs);
    const removed = link.labelIds.filter((id) => !added.ids.includes(id));
    await changeLabels(transaction, { userId, labels, linkIds: [linkId], added, removed });
  });
}

/** Creates labels for those of the names that are new, until the user has as many labels as they can have. */
export function createMissingLabels(
  db: ChangeableDb,
  { userId, names }: { userId: number; names: readonly string[] },
): Promise<void> {
  return lockingUser(db, userId, async (transaction) => {
    const labels = await findLabels(transaction, userId);
    const { newNames } = chooseLabels(labels, names);
    const room = Math.max(0, LABELS_PER_USER_MAX_COUNT - labels.length);
    await insertLabels(transaction, { userId, labels, names: newNames.slice(0, room) });
  });
}

const labelColumns = sql.fragment`label.id, label.name, label.colour`;
const Nothing = z.object({});
const Id = z.object({ id: z.int() });

export function findLabels(db: Db<"any">, userId: number) {
  return db.any(sql.type(Label)`
    SELECT ${labelColumns} FROM labels label WHERE user_id = ${userId} ORDER BY name, id
  `);
}

interface NewLabels {
  userId: number;
  labels: readonly Label[];
  names: readonly string[];
  colour?: Label["colour"] | undefined;
}

/** @param labels those that the user has @throws ApiError if they cannot have so many */
function insertLabels(transaction: Db<"any">, { userId, labels, names, colour }: NewLabels): Promise<readonly Label[]> {
  if (labels.length + names.length > LABELS_PER_USER_MAX_COUNT) throw new ApiError(calls.tooManyLabels);
  const rows = names.map((name, index) => {
    return { name, key: labelKey(name), colour: colour ?? nextColour(labels.length + index) };
  });
  return transaction.any(sql.type(Label)`
    WITH ${inserted("label.created")`(user_id, name, name_key, colour)
      SELECT ${userId}, value->>'name', value->>'key', value->>'colour'
      FROM jsonb_array_elements(${sql.jsonb(rows)}) WITH ORDINALITY AS row (value, at) ORDER BY at`}
    SELECT ${labelColumns} FROM object AS label ORDER BY id
  `);
}

async function lockLinks(
  transaction: Db<"any" | "query">,
  { userId, ids }: { userId: number; ids: readonly number[] },
): Promise<readonly LabelledLink[]> {
  const locked = await transaction.any(sql.type(Id)`
    SELECT id FROM links WHERE id = ANY(${sql.array(ids, "int8")}) AND user_id = ${userId}
    ORDER BY id FOR KEY SHARE
  `);
  const lockedIds = locked.map(({ id }) => id);
  return transaction.any(sql.type(LabelledLink)`
    SELECT id, ARRAY(
      SELECT label_id FROM link_labels JOIN labels ON labels.id = label_id WHERE link_id = link.id
    ) AS "labelIds"
    FROM unnest(${sql.array(lockedIds, "int8")}) AS link (id)
  `);
}

interface LabelsChange {
  userId: number;
  /** Those that the user has. */
  labels: readonly Label[];
  linkIds: readonly number[];
  added: ChosenLabels;
  removed: readonly number[];
}

async function changeLabels(transaction: Db<"any" | "query">, change: LabelsChange): Promise<void> {
  const { userId, labels, linkIds, added, removed } = change;
  const created = await insertLabels(transaction, { userId, labels, names: added.newNames });
  const labelIds = [...added.ids, ...created.map(({ id }) => id)];
  const links = sql.array(linkIds, "int8");
  await transaction.query(sql.type(Nothing)`
    DELETE FROM link_labels WHERE link_id = ANY(${links}) AND label_id = ANY(${sql.array(removed, "int4")})
  `);
  await transaction.query(sql.type(Nothing)`
    INSERT INTO link_labels (link_id, label_id)
    SELECT link_id, label_id FROM unnest(${links}) AS link_id, unnest(${sql.array(labelIds, "int4")}) AS label_id
    ORDER BY link_id
    ON CONFLICT DO NOTHING
  `);
}

/** Puts labels on new links. Names for which the user has no label are left out. @returns those of each link, by name */
export async function labelNewLinks(
  transaction: Db<"any">,
  userId: number,
  links: readonly { linkId: number; names: readonly string[] }[],
) {
  const wanted = links.flatMap(({ linkId, names }) => names.map((name) => ({ linkId, key: labelKey(name) })));
  return transaction.any(sql.type(z.extend(Label, { linkId: z.int() }))`
    WITH added AS (
      INSERT INTO link_labels (link_id, label_id)
      SELECT "linkId", label.id
      FROM jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) AS wanted ("linkId" bigint, key text)
      JOIN labels label ON label.user_id = ${userId} AND label.name_key = wanted.key
      ORDER BY "linkId", label.id
      ON CONFLICT DO NOTHING
      RETURNING link_id, label_id
    )
    SELECT link_id AS "linkId", ${labelColumns} FROM added JOIN labels label ON label.id = label_id
    ORDER BY label.name, label.id
  `);
}

const LabelledLink = z.object({ id: z.int(), labelIds: z.array(z.int()) });
type LabelledLink = z.infer<typeof LabelledLink>;

interface ChosenLabels {
  ids: readonly number[];
  /** Of labels that do not exist yet. */
  newNames: readonly string[];
}

/** @throws ApiError if one is the id of no label of the user */
function chooseLabels(labels: readonly Label[], refs: readonly LabelRef[]): ChosenLabels {
  const ids = new Set(labels.map(({ id }) => id));
  const byKey = new Map(labels.map(({ id, name }) => [labelKey(name), id]));
  const chosen = new Set<number>();
  const newNames = new Map<string, string>();
  for (const ref of refs) {
    const id = typeof ref === "number" ? ref : byKey.get(labelKey(ref));
    if (id !== undefined && ids.has(id)) chosen.add(id);
    else if (typeof ref === "number") throw new ApiError(calls.labelNotFound);
    else if (!newNames.has(labelKey(ref))) newNames.set(labelKey(ref), ref);
  }
  return { ids: [...chosen], newNames: [...newNames.values()] };
}

export function labelsRevision(labelIds: readonly number[]): string {
  return labelIds.toSorted((one, other) => one - other).join("-");
}

function wouldHaveTooMany({ labelIds }: LabelledLink, added: ChosenLabels, removed: readonly number[]): boolean {
  const kept = labelIds.filter((id) => !removed.includes(id));
  return new Set([...kept, ...added.ids]).size + added.newNames.length > LABELS_PER_LINK_MAX_COUNT;
}

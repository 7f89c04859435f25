import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { CountedLabel, Label } from "@tapthru/proto/http/labels";
import { labelKey } from "@tapthru/proto/rules/labels";
import { sql } from "slonik";
import * as z from "zod/mini";

const labelColumns = sql.fragment`label.id, label.name, label.colour`;
const Id = z.object({ id: z.int() });

/** The user's labels, by name. */
export function findLabels(db: Db<"any">, userId: number) {
  return db.any(sql.type(Label)`
    SELECT ${labelColumns} FROM labels label WHERE user_id = ${userId} ORDER BY name, id
  `);
}

/** The same with their numbers of links. */
export function findCountedLabels(db: Db<"any">, userId: number) {
  return db.any(sql.type(CountedLabel)`
    SELECT ${labelColumns},
      (SELECT count(*)::int FROM link_labels WHERE label_id = label.id) AS "linkCount"
    FROM labels label WHERE user_id = ${userId} ORDER BY name, id
  `);
}

/** Inserts labels of a user. @returns them in the same order */
export function insertLabels(
  transaction: Db<"any">,
  userId: number,
  labels: readonly Omit<Label, "id">[],
): Promise<readonly Label[]> {
  const rows = labels.map(({ name, colour }) => ({ name, key: labelKey(name), colour }));
  return transaction.any(sql.type(Label)`
    WITH label AS (
      INSERT INTO labels (user_id, name, name_key, colour)
      SELECT ${userId}, value->>'name', value->>'key', value->>'colour'
      FROM jsonb_array_elements(${sql.jsonb(rows)}) WITH ORDINALITY AS row (value, at) ORDER BY at
      RETURNING *
    )
    SELECT ${labelColumns} FROM label ORDER BY id
  `);
}

export async function changeLabel(transaction: Db<"query">, { id, name, colour }: Label) {
  await transaction.query(sql.type(z.object({}))`
    UPDATE labels SET name = ${name}, name_key = ${labelKey(name)}, colour = ${colour} WHERE id = ${id}
  `);
}

export async function removeLabel(transaction: Db<"query">, id: number) {
  await transaction.query(sql.type(z.object({}))`
    DELETE FROM labels WHERE id = ${id}
  `);
}

/** Locks links of a label in the order of their ids, like all statements that delete links, to avoid deadlocks. */
export async function lockLabelledLinks(
  transaction: Db<"any">,
  { id, limit }: { id: number; limit: number },
): Promise<readonly number[]> {
  const links = await transaction.any(sql.type(Id)`
    SELECT id FROM links WHERE id IN (
      SELECT link_id FROM link_labels WHERE label_id = ${id} ORDER BY link_id LIMIT ${limit}
    ) ORDER BY id FOR KEY SHARE
  `);
  return links.map((link) => link.id);
}

const LabelledLink = z.object({ id: z.int(), labelIds: z.array(z.int()) });
export type LabelledLink = z.infer<typeof LabelledLink>;

/** Locks those of the links that the user owns, and returns their labels. */
export async function lockLinks(
  transaction: Db<"any" | "query">,
  { userId, ids }: { userId: number; ids: readonly number[] },
): Promise<readonly LabelledLink[]> {
  const locked = await transaction.any(sql.type(Id)`
    SELECT id FROM links WHERE id = ANY(${sql.array(ids, "int8")}) AND user_id = ${userId}
    ORDER BY id FOR KEY SHARE
  `);
  const lockedIds = locked.map(({ id }) => id);
  return transaction.any(sql.type(LabelledLink)`
    SELECT id, ARRAY(SELECT label_id FROM link_labels WHERE link_id = id) AS "labelIds"
    FROM unnest(${sql.array(lockedIds, "int8")}) AS link (id)
  `);
}

interface LinksAndLabels {
  linkIds: readonly number[];
  labelIds: readonly number[];
}

export async function addLabels(transaction: Db<"query">, { linkIds, labelIds }: LinksAndLabels) {
  await transaction.query(sql.type(z.object({}))`
    INSERT INTO link_labels (link_id, label_id)
    SELECT link_id, label_id
    FROM unnest(${sql.array(linkIds, "int8")}) AS link_id, unnest(${sql.array(labelIds, "int4")}) AS label_id
    ORDER BY link_id
    ON CONFLICT DO NOTHING
  `);
}

export async function removeLabels(
  transaction: Db<"query">,
  { linkIds, labelIds }: LinksAndLabels,
) {
  await transaction.query(sql.type(z.object({}))`
    DELETE FROM link_labels
    WHERE link_id = ANY(${sql.array(linkIds, "int8")}) AND label_id = ANY(${sql.array(labelIds, "int4")})
  `);
}

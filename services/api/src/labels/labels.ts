import { unrecorded } from "@tapthru/core/platform/audit-log";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { Label, LabelLinksResult, LabelRef } from "@tapthru/proto/http/labels";
import { type LabelColour, labelKey, nextColour } from "@tapthru/proto/rules/labels";
import { LABELS_PER_USER_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { lockUser } from "../accounts/queries.ts";
import { ApiError } from "../errors.ts";
import { chooseLabels, labelsRevision, wouldHaveTooMany } from "./choose-labels.ts";
import {
  addLabels,
  changeLabel,
  findLabels,
  insertLabels,
  lockLabelledLinks,
  lockLinks,
  removeLabel,
  removeLabels,
} from "./queries.ts";

/** Changing a batch takes well under the statement timeout. */
const LINKS_PER_BATCH = 500;

export type LabelsDb = Db<"transaction">;
interface NewLabel {
  userId: number;
  name: string;
  colour?: LabelColour | undefined;
}

export function createLabel(db: LabelsDb, { userId, name, colour }: NewLabel): Promise<Label> {
  return changingLabels(db, userId, async (transaction, labels) => {
    requireFreeName(labels, name);
    requireRoom(labels, 1);
    const fields = { name, colour: colour ?? nextColour(labels.length) };
    const [label] = await insertLabels(transaction, userId, [fields]);
    if (label === undefined) throw new ApiError("internal");
    return label;
  });
}

/** Undefined fields are not changed. */
interface LabelEdit extends Omit<NewLabel, "name"> {
  id: number;
  name?: string | undefined;
}

export function updateLabel(db: LabelsDb, { userId, id, ...change }: LabelEdit): Promise<Label> {
  return changingLabels(db, userId, async (transaction, labels) => {
    const label = requireLabel(labels, id);
    const { name = label.name, colour = label.colour } = change;
    requireFreeName(
      labels.filter((other) => other !== label),
      name,
    );
    await changeLabel(transaction, { id, name, colour });
    return { id, name, colour };
  });
}

/** Removes the label from its links, of many links in several transactions, and deletes it in the last one. */
export async function deleteLabel(
  db: LabelsDb,
  { userId, id }: { userId: number; id: number },
): Promise<{ id: number }> {
  const deleteBatch = () =>
    changingLabels(db, userId, async (transaction, labels) => {
      requireLabel(labels, id);
      const linkIds = await lockLabelledLinks(transaction, { id, limit: LINKS_PER_BATCH });
      if (linkIds.length < LINKS_PER_BATCH) await removeLabel(transaction, id);
      else {
        await unrecorded(transaction, () => removeLabels(transaction, { linkIds, labelIds: [id] }));
      }
      return linkIds.length;
    });
  while ((await deleteBatch()) === LINKS_PER_BATCH);
  return { id };
}

interface LabelReplacement {
  userId: number;
  linkId: number;
  refs: readonly LabelRef[];
  revision: string;
}

/** Replaces the labels that a link had at the revision. */
export function replaceLabels(
  db: LabelsDb,
  { userId, linkId, refs, revision }: LabelReplacement,
): Promise<void> {
  return changingLabels(db, userId, async (transaction, labels) => {
    const [link] = await lockLinks(transaction, { userId, ids: [linkId] });
    if (link === undefined) throw new ApiError("link-not-found");
    if (labelsRevision(link.labelIds) !== revision) throw new ApiError("labels-changed");
    const labelIds = await labelIdsOf(transaction, { userId, labels, refs });
    const removed = link.labelIds.filter((id) => !labelIds.includes(id));
    await removeLabels(transaction, { linkIds: [linkId], labelIds: removed });
    await addLabels(transaction, { linkIds: [linkId], labelIds });
  });
}

interface LabelChange {
  userId: number;
  ids: readonly number[];
  add: readonly LabelRef[];
  remove: readonly LabelRef[];
}

/** Removes and adds labels of those of the links that the user owns. Creates labels only if a link gets them. */
export function labelLinks(
  db: LabelsDb,
  { userId, ids, add, remove }: LabelChange,
): Promise<LabelLinksResult[]> {
  return changingLabels(db, userId, async (transaction, labels) => {
    const links = new Map(
      (await lockLinks(transaction, { userId, ids })).map((link) => [link.id, link]),
    );
    const { newNames } = chooseLabels(labels, add);
    const change = {
      added: existingIds(labels, add),
      newCount: newNames.length,
      removed: existingIds(labels, remove),
    };
    const results = ids.map((id): LabelLinksResult => {
      const link = links.get(id);
      if (link === undefined) return { id, error: "link-not-found" };
      const isRefused = wouldHaveTooMany(link, change);
      return { id, error: isRefused ? "too-many-labels-on-link" : null };
    });
    const linkIds = results.filter(({ error }) => error === null).map(({ id }) => id);
    if (linkIds.length === 0) return results;
    await removeLabels(transaction, { linkIds, labelIds: change.removed });
    const labelIds = await labelIdsOf(transaction, { userId, labels, refs: add });
    await addLabels(transaction, { linkIds, labelIds });
    return results;
  });
}

/** Creates labels for those of the names that are new, until the user has as many labels as they can have. */
export function createMissingLabels(
  db: LabelsDb,
  { userId, names }: { userId: number; names: readonly string[] },
): Promise<void> {
  return changingLabels(db, userId, async (transaction, labels) => {
    const { newNames } = chooseLabels(labels, names);
    const room = Math.max(0, LABELS_PER_USER_MAX_COUNT - labels.length);
    await insertLabels(transaction, userId, coloured(labels, newNames.slice(0, room)));
  });
}

/** Runs `change` with the user's labels, which no other request changes until it ends. */
function changingLabels<Result>(
  db: LabelsDb,
  userId: number,
  change: (
    transaction: Db<"any" | "maybeOne" | "query">,
    labels: readonly Label[],
  ) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (transaction) => {
    if (!(await lockUser(transaction, userId))) throw new ApiError("login-required");
    return change(transaction, await findLabels(transaction, userId));
  });
}

interface LabelChoice {
  userId: number;
  labels: readonly Label[];
  refs: readonly LabelRef[];
}

/** Creates a label for each name that is new. */
async function labelIdsOf(
  transaction: Db<"any">,
  { userId, labels, refs }: LabelChoice,
): Promise<number[]> {
  const { newNames } = chooseLabels(labels, refs);
  const ids = existingIds(labels, refs);
  requireRoom(labels, newNames.length);
  const inserted = await insertLabels(transaction, userId, coloured(labels, newNames));
  return [...ids, ...inserted.map(({ id }) => id)];
}

/** New labels with the colours that follow those of the user's labels. */
function coloured(labels: readonly Label[], names: readonly string[]) {
  return names.map((name, index) => ({ name, colour: nextColour(labels.length + index) }));
}

function existingIds(labels: readonly Label[], refs: readonly LabelRef[]): number[] {
  const { ids, unknownIds } = chooseLabels(labels, refs);
  if (unknownIds.length > 0) throw new ApiError("label-not-found");
  return ids;
}

function requireLabel(labels: readonly Label[], id: number): Label {
  const label = labels.find((candidate) => candidate.id === id);
  if (label === undefined) throw new ApiError("label-not-found");
  return label;
}

function requireFreeName(labels: readonly Label[], name: string): void {
  const isTaken = labels.some((label) => labelKey(label.name) === labelKey(name));
  if (isTaken) throw new ApiError("label-taken", { field: "name" });
}

function requireRoom(labels: readonly Label[], count: number): void {
  if (labels.length + count > LABELS_PER_USER_MAX_COUNT) throw new ApiError("too-many-labels");
}

import { type Label, type LabelRef, labelNotFound } from "@tapthru/proto/labels";
import { labelKey } from "@tapthru/proto/rules/labels";
import { LABELS_PER_LINK_MAX_COUNT } from "@tapthru/proto/rules/limits";
import * as z from "zod/mini";
import { ApiError } from "../http/errors.ts";

export const LabelledLink = z.object({ id: z.int(), labelIds: z.array(z.int()) });
export type LabelledLink = z.infer<typeof LabelledLink>;

/** @throws ApiError if one is the id of no label of the user */
export function chooseLabels(
  labels: readonly Label[],
  refs: readonly LabelRef[],
): { ids: number[]; newNames: string[] } {
  const ids = new Set(labels.map(({ id }) => id));
  const byKey = new Map(labels.map(({ id, name }) => [labelKey(name), id]));
  const chosen = new Set<number>();
  const newNames = new Map<string, string>();
  for (const ref of refs) {
    const id = typeof ref === "number" ? ref : byKey.get(labelKey(ref));
    if (id !== undefined && ids.has(id)) chosen.add(id);
    else if (typeof ref === "number") throw new ApiError(labelNotFound);
    else if (!newNames.has(labelKey(ref))) newNames.set(labelKey(ref), ref);
  }
  return { ids: [...chosen], newNames: [...newNames.values()] };
}

export function labelsRevision(labelIds: readonly number[]): string {
  return labelIds.toSorted((one, other) => one - other).join("-");
}

interface LabelIdsChange {
  added: readonly number[];
  /** Labels that do not exist yet, and are added too. */
  newCount: number;
  removed: readonly number[];
}

export function wouldHaveTooMany({ labelIds }: LabelledLink, { added, newCount, removed }: LabelIdsChange): boolean {
  const kept = labelIds.filter((id) => !removed.includes(id));
  return new Set([...kept, ...added]).size + newCount > LABELS_PER_LINK_MAX_COUNT;
}

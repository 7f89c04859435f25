import { caseless, normalized } from "./names.ts";

export const LABEL_COLOURS = ["grey", "red", "orange", "green", "teal", "blue", "purple", "pink"] as const;
export type LabelColour = (typeof LABEL_COLOURS)[number];

/**
 * Two labels of a user cannot have the same key. `name` is a valid name.
 * Stored in `labels.name_key`: changing this function requires a migration.
 */
export function labelKey(name: string): string {
  return normalized("NFKC", caseless(name));
}

/** The colour of a new label for which none was chosen: another one than that of the label before it. */
export function nextColour(labelCount: number): LabelColour {
  return LABEL_COLOURS[(labelCount + 1) % LABEL_COLOURS.length] ?? "grey";
}

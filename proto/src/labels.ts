import * as z from "zod/mini";
import { resource } from "./call.ts";
import { inputs, labelName, numberText, rowId, someField } from "./fields.ts";
import { error } from "./rules/error.ts";
import { LABEL_COLOURS } from "./rules/labels.ts";
import { LABELS_PER_LINK_MAX_COUNT, LABELS_PER_USER_MAX_COUNT } from "./rules/limits.ts";

export const labelNotFound = error("label-not-found", 404, "Label not found.");
export const labelTaken = error("label-taken", 409, "You already have a label with this name.");
export const labelsChanged = error(
  "labels-changed",
  409,
  "The labels of this link were changed since they were read. Please read them again.",
);
export const tooManyLabels = error("too-many-labels", 422, `You can have at most ${LABELS_PER_USER_MAX_COUNT} labels.`);
export const tooManyLabelsOnLink = error(
  "too-many-labels-on-link",
  422,
  `A link can have at most ${LABELS_PER_LINK_MAX_COUNT} labels.`,
);

const colour = z.enum(LABEL_COLOURS);

export const Label = z.object({ id: z.int(), name: z.string(), colour });
export type Label = z.infer<typeof Label>;

export const CountedLabel = z.extend(Label, {
  /** Number of links that have the label, up to 10,000. */
  linkCount: z.int(),
});
export type CountedLabel = z.infer<typeof CountedLabel>;

/** An id, or a name. The name of no label of the user creates one. */
export const labelRef = z.union([rowId, labelName]);
export type LabelRef = z.output<typeof labelRef>;

export const labelRefs = z.array(labelRef).check(z.maxLength(LABELS_PER_LINK_MAX_COUNT, tooManyLabelsOnLink.message));

const labels = resource("Labels", { reads: "links:read", writes: "links:write" });

export const listLabels = labels.get("/api/labels", {
  summary: "List labels",
  description: "The user's labels, by name, with the number of links that have each.",
  replies: { 200: z.array(CountedLabel) },
});

export const createLabel = labels.post("/api/labels", {
  summary: "Create a label",
  description:
    "Names are unique for a user; names that differ only in case are the same. Without `colour` one is chosen.",
  body: z.strictObject({ name: labelName, colour: z.optional(colour) }),
  replies: { 201: Label },
  errors: [labelTaken, tooManyLabels],
  records: "label.created",
});

const params = z.object({ id: numberText(/^\d{1,9}$/, labelNotFound.message) });

export const updateLabel = labels.patch("/api/labels/:id", {
  summary: "Change a label",
  description: "Changes name or colour, on all links that have the label.",
  params,
  body: z
    .strictObject({
      name: z.optional(labelName),
      colour: z.optional(colour),
    })
    .check(someField)
    .register(inputs, { also: { minProperties: 1 } }),
  stale: ["Links"],
  replies: { 200: Label },
  errors: [labelNotFound, labelTaken],
  records: "label.changed",
});

export const deleteLabel = labels.delete("/api/labels/:id", {
  summary: "Delete a label",
  description: "Removes the label from its links, which are kept.",
  params,
  stale: ["Links"],
  isFinal: true,
  replies: { 200: z.object({ id: z.int() }) },
  errors: [labelNotFound],
  records: "label.deleted",
});

import * as z from "zod/mini";
import { LABEL_COLOURS } from "../rules/labels.ts";
import {
  LABELS_PER_LINK_MAX_COUNT,
  LABELS_PER_USER_MAX_COUNT,
  LINKS_LABEL_MAX_COUNT,
} from "../rules/limits.ts";
import { messages } from "../rules/messages.ts";
import type { Call } from "./call.ts";
import { labelName, numberText } from "./fields.ts";

const colour = z.enum(LABEL_COLOURS);

export const Label = z.object({ id: z.int(), name: z.string(), colour });
export type Label = z.infer<typeof Label>;

export const CountedLabel = z.extend(Label, {
  /** Number of links that have the label. */
  linkCount: z.int(),
});
export type CountedLabel = z.infer<typeof CountedLabel>;

/** An id, or a name. The name of no label of the user creates one. */
const labelRef = z.union([z.int(), labelName]);
export type LabelRef = z.output<typeof labelRef>;

/** Labels by id or name. */
export const labelRefs = z
  .array(labelRef)
  .check(z.maxLength(LABELS_PER_LINK_MAX_COUNT, messages.tooManyLabelsOnLink));

/** The user's labels, by name. */
export const listLabels = {
  method: "GET",
  path: "/api/labels",
  access: "links:read",
  replies: { 200: z.array(CountedLabel) },
} as const satisfies Call;

/** Names that differ in case only are the same. 409: the user has a label with this name. */
export const createLabel = {
  method: "POST",
  path: "/api/labels",
  access: "links:write",
  body: z.strictObject({ name: labelName, colour: z.optional(colour) }),
  replies: { 201: Label },
} as const satisfies Call;

const params = z.object({ id: numberText(/^\d{1,9}$/, messages.labelNotFound) });

/** Changes name or colour. */
export const updateLabel = {
  method: "PATCH",
  path: "/api/labels/:id",
  access: "links:write",
  params,
  body: z
    .strictObject({
      name: z.optional(labelName),
      colour: z.optional(colour),
    })
    .check(z.refine((change) => Object.keys(change).length > 0)),
  replies: { 200: Label },
} as const satisfies Call;

/** Deletes the label, and removes it from its links. */
export const deleteLabel = {
  method: "DELETE",
  path: "/api/labels/:id",
  access: "links:write",
  params,
  replies: { 200: z.object({ id: z.int() }) },
} as const satisfies Call;

/**
 * Removes and then adds labels of several links. The result of each link, in the order of `ids`: `error` is the code of the
 * error for which the link was not changed, or null.
 */
export const labelLinks = {
  method: "PATCH",
  path: "/api/links/bulk",
  access: "links:write",
  body: z
    .strictObject({
      ids: z.array(z.int()).check(z.minLength(1), z.maxLength(LINKS_LABEL_MAX_COUNT)),
      addLabels: z._default(labelRefs, []),
      removeLabels: z._default(z.array(labelRef).check(z.maxLength(LABELS_PER_USER_MAX_COUNT)), []),
    })
    .check(z.refine(({ addLabels, removeLabels }) => addLabels.length + removeLabels.length > 0)),
  replies: {
    200: z.object({
      results: z.array(
        z.object({
          id: z.int(),
          error: z.nullable(z.enum(["link-not-found", "too-many-labels-on-link"])),
        }),
      ),
    }),
  },
} as const satisfies Call;
export type LabelLinksResult = z.infer<(typeof labelLinks.replies)[200]>["results"][number];

import type * as labelsCalls from "../http/labels.ts";
import type { DocumentationOf } from "./call-documentation.ts";
import { EXAMPLE_LABEL, EXAMPLE_LINK } from "./example-values.ts";

const { id, name, colour } = EXAMPLE_LABEL;

export const labelsDocumentation: DocumentationOf<typeof labelsCalls> = {
  listLabels: {
    tag: "Labels",
    summary: "List labels",
    description: "The user's labels, by name, with the number of links that have each.",
    errors: [],
    example: { replies: { 200: [{ ...EXAMPLE_LABEL, linkCount: 12 }] } },
  },
  createLabel: {
    tag: "Labels",
    summary: "Create a label",
    description:
      "Names are unique for a user; names that differ in case only are the same. Without `colour` one is chosen.",
    errors: ["label-taken", "too-many-labels"],
    example: { body: { name, colour }, replies: { 201: EXAMPLE_LABEL } },
  },
  updateLabel: {
    tag: "Labels",
    summary: "Change a label",
    description: "Changes name or colour, on all links that have the label.",
    errors: ["label-not-found", "label-taken"],
    example: {
      params: { id: String(id) },
      body: { colour },
      replies: { 200: EXAMPLE_LABEL },
    },
  },
  deleteLabel: {
    tag: "Labels",
    summary: "Delete a label",
    description: "Removes the label from its links, which are kept.",
    errors: ["label-not-found"],
    example: { params: { id: String(id) }, replies: { 200: { id } } },
  },
  labelLinks: {
    tag: "Labels",
    summary: "Label several links",
    description:
      "Removes and then adds labels, each given by its id or its name. A name that is new creates a label. Each link has its own result, in the order of `ids`; `error` is the code of the error for which the link was not changed, or null. Repeating the request changes nothing more.",
    errors: ["label-not-found", "too-many-labels"],
    example: {
      body: { ids: [EXAMPLE_LINK.id, 8], addLabels: [name], removeLabels: [9] },
      replies: {
        200: {
          results: [
            { id: EXAMPLE_LINK.id, error: null },
            { id: 8, error: "link-not-found" },
          ],
        },
      },
    },
  },
};

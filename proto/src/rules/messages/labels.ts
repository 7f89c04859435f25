import type { LabelColour } from "../labels.ts";
import {
  LABEL_NAME_MAX_LENGTH,
  LABELS_PER_LINK_MAX_COUNT,
  LABELS_PER_USER_MAX_COUNT,
  LINKS_EXPORT_SELECTED_MAX_COUNT,
} from "../limits.ts";

// Errors
export const labelNameRequired = "A label needs a name";
export const labelNameTooLong = `The name of a label must be at most ${LABEL_NAME_MAX_LENGTH} characters`;
export const labelTaken = "You already have a label with this name.";
export const labelNotFound = "Label not found.";
export const labelsChanged =
  "The labels of this link were changed since they were read. Please read them again.";
export const tooManyLabels = `You can have at most ${LABELS_PER_USER_MAX_COUNT} labels.`;
export const tooManyLabelsOnLink = `A link can have at most ${LABELS_PER_LINK_MAX_COUNT} labels.`;

// Labels of one link or several
export const label = "Label";
export const labels = "Labels";
export const moreLabels = (count: number) => `+${count}`;
export const editLabels = "Edit labels";
export const labelLinks = (count: number) =>
  count === 1 ? "Labels for 1 link" : `Labels for ${count} links`;
export const newLabel = "New label";
export const addLabel = "Add";
export const noLabels = "You have no labels yet.";
export const labelsSaved = "The labels are saved.";
export const labelsNotSaved = "The labels could not be saved. Please try again.";
export const labelsNotLoaded = "Your labels could not be loaded. Please try again.";
export const linksHaveTooManyLabels = (count: number) =>
  `${count === 1 ? "1 link was" : `${count} links were`} not changed: a link can have at most ${LABELS_PER_LINK_MAX_COUNT} labels.`;

// The filter, and the dialog that changes labels
export const allLabels = "All labels";
export const unknownLabel = "Deleted label";
export const manageLabels = "Manage labels";
export const labelName = "Name";
export const labelColour = "Colour";
export const labelColours = {
  grey: "Grey",
  red: "Red",
  orange: "Orange",
  green: "Green",
  teal: "Teal",
  blue: "Blue",
  purple: "Purple",
  pink: "Pink",
} as const satisfies Record<LabelColour, string>;
export const saveLabel = (name: string) => `Save label ${name}`;
export const deleteLabel = (name: string) => `Delete label ${name}`;
export const confirmDeleteLabel = (name: string, count: number) =>
  `Delete "${name}"? ${count === 1 ? "1 link loses" : `${count} links lose`} this label. The links are kept.`;
export const labelSaved = (name: string) => `Label "${name}" saved.`;
export const labelDeleted = (name: string) => `Label "${name}" deleted.`;

// Export
export const exportLinks = "Export";
export const exportText = {
  all: "All your links with labels, addresses and clicks.",
  filtered: "The links that match your search and filters, with labels, addresses and clicks.",
  selected: (count: number) =>
    `${count === 1 ? "1 selected link" : `${count} selected links`} with labels, addresses and clicks.`,
};
export const exportFormats =
  "CSV opens in spreadsheets, and can be imported again. JSON is for programs.";
export const exportAs = { csv: "Download CSV", json: "Download JSON" } as const;
export const exporting = "Preparing the file...";
export const tooManyLinksToExport = `At most ${LINKS_EXPORT_SELECTED_MAX_COUNT} selected links can be exported at once.`;
export const failedToExport = "The links could not be exported. Please try again.";
export const exportedLinksFileName = (productName: string, day: string, format: string) =>
  `${productName.toLowerCase()}-links-${day}.${format}`;

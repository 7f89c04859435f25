import { LABEL_NAME_MAX_LENGTH, LABELS_PER_LINK_MAX_COUNT, LABELS_PER_USER_MAX_COUNT } from "../limits.ts";

export const labelNameRequired = "A label needs a name";
export const labelNameTooLong = `The name of a label must be at most ${LABEL_NAME_MAX_LENGTH} characters`;
export const labelTaken = "You already have a label with this name.";
export const labelNotFound = "Label not found.";
export const labelsChanged = "The labels of this link were changed since they were read. Please read them again.";
export const tooManyLabels = `You can have at most ${LABELS_PER_USER_MAX_COUNT} labels.`;
export const tooManyLabelsOnLink = `A link can have at most ${LABELS_PER_LINK_MAX_COUNT} labels.`;

export const addYourTag = "Add your tag";
export const yourTagFor = (store: string) => `Your Associates tag for ${store}`;
export const tagExample = (suffix: string | null) => `For example mystore${suffix ?? "-20"}`;
export const tagRequired = "Please enter your tag";
export const tagMalformed =
  "A tag has only letters, digits, hyphens and underscores, at most 64 in total";
export const addTagKeepsLink = "Creates a new short link. The one without a tag keeps working.";
export const createLinkWithTag = "Create link with tag";
export const failedToOpenTagForm = "Failed to open the form. Please try again.";

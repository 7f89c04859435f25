export const storesIntro =
  "A tag earns only in the store that it was issued for. Save your Associates tag of each store: it is then filled in when you add a tag to a link.";
export const yourTags = "Your tags";
export const storeIn = (store: string, country: string) => `${store} (${country})`;
export const moreStores = "More stores";
export const unsavedChanges = "You have unsaved changes.";
export const failedToSaveTag = "Not saved. Please try again.";
export const oneLinkPaysHere = (tag: string) => `Amazon OneLink pays your tag ${tag} here.`;
export const oneLink = "Amazon OneLink";
export const oneLinkText =
  "With OneLink, your tag for amazon.com can earn in other stores too. Select those that you set up at Amazon. We can't check this.";
export const oneLinkNeedsTag =
  "OneLink pays your tag for amazon.com. You have not saved one above.";
export const oneLinkStores = "Stores where OneLink pays your tag for amazon.com";
export const showOneLink = "Show the stores of OneLink";
export const hideOneLink = "Hide the stores of OneLink";
export const errorLoadingStores = "Error loading your stores. Please try again.";

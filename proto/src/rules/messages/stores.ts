export const storesIntro =
  "A tag earns only in the store that it was issued for. Save your Associates tag of each store: it is then filled in when you add a tag to a link.";
export const storesText = "Your Associates tag in each Amazon store, and where OneLink pays it.";
export const manageStores = "Manage stores";
export const yourTags = "Your tags";
export const storeIn = (store: string, country: string) => `${store} (${country})`;
export const saveTagFor = (store: string) => `Save the tag for ${store}`;
export const removeTag = "Remove";
export const removeTagFor = (store: string) => `Remove the tag for ${store}`;
export const tryAgainFor = (store: string) => `Try again to save the tag for ${store}`;
export const tagRemoved = "Removed.";
export const failedToSaveTag = "Not saved. Please try again.";
export const tagSavedElsewhere = (tag: string) =>
  `Saved in another tab: ${tag}. Saving replaces it.`;
export const tagRemovedElsewhere = "Removed in another tab. Saving adds it again.";
export const oneLinkPaysHere = (tag: string) => `Amazon OneLink pays your tag ${tag} here.`;
export const oneLink = "Amazon OneLink";
export const oneLinkText =
  "With OneLink, your tag for amazon.com can earn in these stores too. Select those that you set up at Amazon. We can't check this.";
export const oneLinkNeedsTag =
  "OneLink pays your tag for amazon.com. You have not saved one above.";
export const oneLinkStores = "Stores where OneLink pays your tag for amazon.com";
export const tryAgainOneLink = (store: string) => `Try again to save ${store}`;
export const errorLoadingStores = "Error loading your stores. Please try again.";

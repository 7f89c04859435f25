// A pasted link
export const enterAmazonUrl = "Please enter an Amazon URL";
export const enterValidAmazonUrl = "Please enter a valid Amazon URL";
export const invalidAmazonUrl = "Invalid Amazon URL";
export const notAShoppingPage = (host: string) => `${host} is not an Amazon shopping page`;
export const linkTooLong = "This link is too long. Please use a shorter link to the same page.";
export const linkIsIncomplete = "This link is incomplete. Please copy the whole link.";
export const homeTitle = "Amazon links that open in the app";
export const homeTagline =
  "Paste a link, share the short one. On a phone it opens the Amazon app, and your tag stays on it.";
export const failedToProcessShortLink =
  "Failed to process the shortened Amazon link. Please try using the full Amazon URL.";
export const notAShortLink = "This is not a shortened Amazon link.";
export const serverFailedToResolve = "Server failed to resolve the short link";
export const failedToResolveShortLink = "Failed to resolve Amazon short link";

export const tagRequired = "Please enter your tag";
export const tagMalformed = "A tag has only letters, digits, hyphens and underscores, at most 64 in total";

import { error } from "./error.ts";

export const LINK_NOT_FOUND = "Link not found.";

export const linkIncomplete = error("link-incomplete", 422, "This link is incomplete. Please copy the whole link.");
export const linkMissing = error("link-missing", 422, "Please enter an Amazon URL");
export const linkTooLong = error(
  "link-too-long",
  422,
  "This link is too long. Please use a shorter link to the same page.",
);
export const notAnAmazonLink = error("not-an-amazon-link", 422, "Please enter a valid Amazon URL");
export const unusableLink = error("unusable-link", 422, "Invalid Amazon URL");
export const notAShoppingPage = error("not-a-shopping-page", 422, unusableLink.message);

export const shortLinkFailed = error(
  "short-link-failed",
  502,
  "Failed to process the shortened Amazon link. Please try using the full Amazon URL.",
);
export const shortLinkTooSlow = error("short-link-too-slow", 504, shortLinkFailed.message);

export const ADDRESS_ERRORS = [
  linkIncomplete,
  linkMissing,
  linkTooLong,
  notAnAmazonLink,
  notAShoppingPage,
  shortLinkFailed,
  shortLinkTooSlow,
  unusableLink,
] as const;

export type LinkRefusal = Exclude<(typeof ADDRESS_ERRORS)[number], typeof shortLinkFailed | typeof shortLinkTooSlow>;

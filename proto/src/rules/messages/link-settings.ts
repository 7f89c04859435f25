import {
  CODES_PER_LINK_MAX_COUNT,
  LINKS_CREATE_MAX_COUNT,
  SHORT_LINKS_CREATE_MAX_COUNT,
  SLUG_MAX_LENGTH,
  SLUG_MIN_LENGTH,
} from "../limits.ts";

// The card "Short link" of a link's page
export const shortLink = "Short link";
export const shortLinkName = "Short link name";
export const editShortLinkName = "Edit short link name";
export const nameForOneLink = "A name is for one link. The links below have names of their own.";
export const shortLinkNameHint = `${SLUG_MIN_LENGTH} to ${SLUG_MAX_LENGTH} letters, digits, hyphens and underscores; on your own domains from 1. The earlier short link goes on working.`;
export const failedToChangeShortLink = "Failed to change the short link. Please try again.";
export const expiry = "Expiry";
export const neverExpires = "Never expires";
export const expires = (date: string) => `Expires at the end of ${date}`;
export const editExpiry = "Edit expiry";
export const expiryDay = "Last day on which the link works";
export const expiryDayHint = "Leave it empty for a link that never expires.";
export const failedToChangeExpiry = "Failed to change the expiry. Please try again.";

export const fallback = "When the link ends";
export const editFallback = "Edit what opens when the link ends";
export const fallbackLabel = "Amazon page in place of the link";
export const fallbackHint =
  "It opens, with the tag of the channel, once the link has expired or its product is gone. Leave it empty for that of the channel.";
export const fallbackOfChannel = "As the channel:";
export const noFallback =
  "Visitors see that the link is no longer available, or Amazon's own page.";
export const fallbackOpensNow = "Visitors get this page instead:";
export const fallbackIsShort =
  "Please paste the long address of the page, which starts with https://www.amazon.";
export const failedToChangeFallback = "Failed to change the page. Please try again.";

// The card with the destination
export const changeDestination = "Change destination";
export const newDestination = "New Amazon link";
export const newDestinationHint =
  "The short link stays the same, and opens this page instead, wherever you shared it.";
export const changeUndone = "Undone.";
export const destinationChanged = "Saved. The short link opens this page now.";
export const failedToChangeDestination = "Failed to change the destination. Please try again.";

// The name of a new link
export const chooseShortLinkName = "Choose a short link name";
export const useRandomShortLinkName = "Use a random short link name";
export const newShortLinkNameHint = `${SLUG_MIN_LENGTH} to ${SLUG_MAX_LENGTH} letters, digits, hyphens and underscores; on your own domains from 1. For one link.`;
export const enterShortLinkName = "Please enter a name for the short link";

// Creating and changing links
export const slugMalformed = `A short link name has ${SLUG_MIN_LENGTH} to ${SLUG_MAX_LENGTH} letters a to z, digits and single hyphens or underscores between them; on own domains from 1`;
export const slugReserved = "This short link name is reserved. Please choose another.";
export const tooManyShortCodes = `A link can have at most ${CODES_PER_LINK_MAX_COUNT} short link names. Please use one of its earlier ones.`;
export const slugTaken = "This short link name is taken. Please choose another.";
export const enterWholeDate = "Please enter a day, month and year";
export const expiryInPast = "The expiry date must be in the future";
export const expiryTooFar = "The expiry date must be before December 31, 9999";
export const linksCountOutOfRange = `Send 1 to ${LINKS_CREATE_MAX_COUNT} links.`;
export const tooManyShortLinks = `At most ${SHORT_LINKS_CREATE_MAX_COUNT} of Amazon's short links can be created at once. Please send this one again.`;

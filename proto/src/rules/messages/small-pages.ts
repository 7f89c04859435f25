import { bodyTooLarge, tooManyRequests } from "./replies.ts";

export const goToSite = (productName: string) => `Go to ${productName}`;
export const viewOnAmazon = (host: string) => `View on Amazon: ${host}`;
export const opensOnAmazon = "Opens on Amazon:";
export const smallPages = {
  linkNotFound: {
    heading: "Link not found",
    sentence: "There is no link at this address. It may have been deleted, or the address may be mistyped.",
  },
  linkGone: {
    heading: "This link is no longer available",
    sentence: "It has expired or was removed. The person who shared it can send you a new one.",
  },
  tooManyCodes: {
    heading: "Too many attempts",
    sentence: "Please check the address and try again in a minute.",
  },
  linkUnavailable: {
    heading: "We'll be right back",
    sentence: "We can't look up this link right now. Please try again in a few seconds.",
  },
  malformed: {
    heading: "Bad request",
    sentence: "The server could not read this request.",
  },
  pageNotFound: {
    heading: "Page not found",
    sentence: "There is nothing at this address.",
  },
  methodNotAllowed: {
    heading: "Not supported",
    sentence: "This address does not accept this kind of request.",
  },
  bodyTooLarge: {
    heading: "Request too large",
    sentence: bodyTooLarge,
  },
  addressTooLong: {
    heading: "Address too long",
    sentence: "The address of the request is too long.",
  },
  headersTooLarge: {
    heading: "Request headers too large",
    sentence: "Clearing the cookies of this site may help.",
  },
  tooManyAtOnce: {
    heading: "Too many requests",
    sentence: tooManyRequests,
  },
  failed: {
    heading: "Something went wrong",
    sentence: "Please try again. If this keeps happening, try again later.",
  },
  notOffered: {
    heading: "Not supported",
    sentence: "The request uses a feature that this server does not support.",
  },
  unavailable: {
    heading: "We'll be right back",
    sentence: "This part of the site is temporarily unavailable. Please try again in a few seconds.",
  },
  tooSlow: {
    heading: "This took too long",
    sentence: "The server did not respond in time. Please try again in a few seconds.",
  },
  oldHttp: {
    heading: "Not supported",
    sentence: "The request uses a version of HTTP that this server does not support.",
  },
} as const;

export const opensYourStore = (store: string) => `This opens ${store}, the store for your country.`;
export const openOriginalStore = (store: string) => `Go to ${store} instead`;

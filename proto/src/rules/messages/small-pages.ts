import { bodyTooLarge, tooManyRequests } from "./replies.ts";

export const goToSite = (productName: string) => `Go to ${productName}`;
export const viewOnAmazon = (host: string) => `View on Amazon: ${host}`;
export const opensOnAmazon = "Opens on Amazon:";
export const smallPages = {
  linkNotFound: {
    heading: "Link not found",
    sentence: "There is no link at this address. Please check it for typing mistakes.",
  },
  linkGone: {
    heading: "This link has ended",
    sentence: "It is no longer available. The person who shared it can send you a new one.",
  },
  tooManyCodes: {
    heading: "Too many invalid links",
    sentence: "Please check the address and try again in a minute.",
  },
  linkUnavailable: {
    heading: "We will be right back",
    sentence: "We cannot look up this link at the moment. Please try again in a few seconds.",
  },
  malformed: {
    heading: "We could not read that",
    sentence: "The request was malformed.",
  },
  pageNotFound: {
    heading: "Page not found",
    sentence: "There is nothing at this address.",
  },
  methodNotAllowed: {
    heading: "That does not work here",
    sentence: "This address does not take that kind of request.",
  },
  bodyTooLarge: {
    heading: "That is too much",
    sentence: bodyTooLarge,
  },
  addressTooLong: {
    heading: "That address is too long",
    sentence: "The address of the request is too long.",
  },
  headersTooLarge: {
    heading: "Your browser sent too much",
    sentence:
      "The headers of the request are too large. Clearing the cookies of this site may help.",
  },
  tooManyAtOnce: {
    heading: "That is too much at once",
    sentence: tooManyRequests,
  },
  failed: {
    heading: "Something went wrong",
    sentence: "Something went wrong on our side. Please try again.",
  },
  notOffered: {
    heading: "That does not work here",
    sentence: "The request uses something this server does not offer.",
  },
  unavailable: {
    heading: "We will be right back",
    sentence:
      "This part of the site is not available at the moment. Please try again in a few seconds.",
  },
  tooSlow: {
    heading: "That took too long",
    sentence: "This part of the site did not respond in time. Please try again in a few seconds.",
  },
  oldHttp: {
    heading: "That does not work here",
    sentence: "The request uses a version of HTTP this server does not offer.",
  },
} as const;

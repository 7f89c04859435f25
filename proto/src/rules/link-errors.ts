import { messages } from "./messages.ts";

/** The errors of a pasted link, a part of ERRORS that the browser loads too. */
export const LINK_ERRORS = {
  "link-incomplete": { status: 422, message: messages.linkIsIncomplete },
  "link-missing": { status: 422, message: messages.enterAmazonUrl },
  "link-too-long": { status: 422, message: messages.linkTooLong },
  "not-a-shopping-page": { status: 422, message: messages.invalidAmazonUrl },
  "not-an-amazon-link": { status: 422, message: messages.enterValidAmazonUrl },
  "unusable-link": { status: 422, message: messages.invalidAmazonUrl },
} as const;

export type LinkError =
  | { code: Exclude<keyof typeof LINK_ERRORS, "not-a-shopping-page"> }
  /** `host` belongs to Amazon, but is not a store. */
  | { code: "not-a-shopping-page"; host: string };

/** The message of the error, which names the host if the error has one. */
export function linkErrorMessage(error: LinkError): string {
  return "host" in error ? messages.notAShoppingPage(error.host) : LINK_ERRORS[error.code].message;
}

import type * as digestCalls from "../http/digest.ts";
import type { DocumentationOf } from "./call-documentation.ts";

const settings = { isAvailable: true, isOn: true, emailIsVerified: true };

export const digestDocumentation: DocumentationOf<typeof digestCalls> = {
  getDigest: {
    tag: "Accounts",
    summary: "Get the settings of the weekly email",
    description:
      "The email lists links that need attention. It is sent at most once in seven days, only to users with such links, and only to an address that is confirmed at the login service.",
    errors: [],
    example: { replies: { 200: settings } },
  },
  saveDigest: {
    tag: "Accounts",
    summary: "Switch the weekly email on or off",
    description: "The link in each email switches it off without a login.",
    errors: [],
    example: { body: { isOn: true }, replies: { 200: settings } },
  },
};

import { readText, writeText } from "../../lib/stored-texts.ts";

const KEY = "invitation";

/** The token of the invitation with which this tab was opened, until it is used. It outlives a login at an OpenID provider. */
export const invitation = {
  get: () => readText(KEY, "sessionStorage") ?? undefined,
  set: (token: string | null) => writeText(KEY, token, "sessionStorage"),
};

import * as z from "zod/mini";

function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** A name of the IANA time zone database; default: UTC. */
export const timeZone = z._default(
  z.string().check(z.regex(/^[\w+/-]{1,64}$/), z.refine(isTimeZone)),
  "UTC",
);

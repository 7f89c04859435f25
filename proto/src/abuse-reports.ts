import * as z from "zod/mini";
import { resource } from "./call.ts";
import { ABUSE_REASONS, chooseReason, enterShortLink } from "./rules/abuse-reasons.ts";
import { URL_MAX_BYTES } from "./rules/limits.ts";

const abuseReports = resource("Abuse reports", { reads: "anyone", writes: "anyone" });

export const reportLink = abuseReports.post("/api/reports", {
  summary: "Report a link",
  description:
    "`code` is a short code or the address of a short link. Reports are anonymous. The reply is the same for an unknown link.",
  limit: "abuseReports",
  body: z.strictObject({
    /** A short code, or the address of a short link. */
    code: z.string().check(z.maxLength(URL_MAX_BYTES, enterShortLink)),
    reason: z.enum(ABUSE_REASONS, chooseReason),
  }),
  replies: { 202: z.object({}) },
});

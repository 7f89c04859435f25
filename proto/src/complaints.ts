import * as z from "zod/mini";
import { resource } from "./call.ts";
import { EXAMPLE_CODE } from "./example-values.ts";
import { COMPLAINT_REASONS, chooseReason, enterShortLink } from "./rules/complaint-reasons.ts";
import { URL_MAX_BYTES } from "./rules/limits.ts";

const reports = resource("Reports", { reads: "anyone", writes: "anyone" });

export const reportLink = reports.post("/api/reports", {
  summary: "Report a link",
  description:
    "`code` is a short code or the address of a short link. Reports are anonymous. The reply is the same for an unknown link.",
  limit: "reports",
  body: z.strictObject({
    /** A short code, or the address of a short link. */
    code: z.string().check(z.maxLength(URL_MAX_BYTES, enterShortLink)),
    reason: z.enum(COMPLAINT_REASONS, chooseReason),
  }),
  replies: { 202: z.object({}) },
  example: { body: { code: EXAMPLE_CODE, reason: "misleading" }, replies: { 202: {} } },
});

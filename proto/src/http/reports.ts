import * as z from "zod/mini";
import { URL_MAX_BYTES } from "../rules/limits.ts";
import { messages } from "../rules/messages.ts";
import { REPORT_REASONS } from "../rules/report-reasons.ts";
import type { Call } from "./call.ts";

/** Reports a link. The response is the same for an unknown link. */
export const reportLink = {
  method: "POST",
  path: "/api/reports",
  access: "anyone",
  limit: "reports",
  body: z.strictObject({
    /** A short code, or the address of a short link. */
    code: z.string().check(z.maxLength(URL_MAX_BYTES, messages.enterShortLink)),
    reason: z.enum(REPORT_REASONS, messages.chooseReason),
  }),
  replies: { 202: z.object({}) },
} as const satisfies Call;

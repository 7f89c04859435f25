import * as z from "zod/mini";
import { SHORT_CODE_PATTERN } from "../redirect/short-code.ts";
import { messages } from "../rules/messages.ts";
import { REPORT_REASONS } from "../rules/report-reasons.ts";
import type { Call } from "./call.ts";

/** Reports a link. The response is the same for an unknown link. */
export const reportLink = {
  method: "POST",
  path: "/api/reports",
  body: z.strictObject({
    code: z.string().check(z.regex(SHORT_CODE_PATTERN, messages.enterShortLink)),
    reason: z.enum(REPORT_REASONS, messages.chooseReason),
  }),
  replies: { 202: z.object({}) },
} as const satisfies Call;

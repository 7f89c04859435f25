import * as z from "zod/mini";
import { SHORT_CODE_PATTERN } from "../redirect/short-code.ts";
import { messages } from "../rules/messages.ts";
import { REPORT_REASONS } from "../rules/report-reasons.ts";
import type { Call } from "./call.ts";

/** Says that something is wrong with a link. The answer is the same where there is no such link. */
export const reportLink = {
  method: "POST",
  path: "/api/reports",
  body: z.strictObject({
    code: z.string().check(z.regex(SHORT_CODE_PATTERN, messages.enterShortLink)),
    reason: z.enum(REPORT_REASONS, messages.chooseReason),
  }),
  replies: { 202: z.object({}) },
} as const satisfies Call;

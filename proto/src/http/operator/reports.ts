import * as z from "zod/mini";
import { REPORT_REASONS } from "../../rules/report-reasons.ts";
import type { Call } from "../call.ts";
import { shortCode } from "../fields.ts";
import { UserName } from "./fields.ts";

/** `open`: undecided. A new report of a dismissed link opens it again. */
export const REPORT_STATES = ["open", "dismissed", "taken-down"] as const;

/** A link that visitors reported. */
export const ReportedLink = z.object({
  shortCode: z.string(),
  shortUrl: z.string(),
  /** Where visitors arrive. */
  webUrl: z.string(),
  /** What the link's preview shows. */
  title: z.nullable(z.string()),
  imageUrl: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
  /** Null: the link was created without an account. */
  owner: z.nullable(UserName),
  state: z.enum(REPORT_STATES),
  counts: z.partialRecord(z.enum(REPORT_REASONS), z.int()),
  firstReportedAt: z.iso.datetime(),
  lastReportedAt: z.iso.datetime(),
  decidedAt: z.nullable(z.iso.datetime()),
});
export type ReportedLink = z.infer<typeof ReportedLink>;

/** Open: the longest waiting first. Decided: the latest decision first. At most REPORTED_LINKS_MAX_COUNT. */
export const listReportedLinks = {
  method: "GET",
  path: "/api/operator/reports",
  access: "operator",
  query: z.object({ state: z.optional(z.enum(["open", "decided"])) }),
  replies: { 200: z.object({ links: z.array(ReportedLink), openCount: z.int() }) },
} as const satisfies Call;

/**
 * Decides about a reported link. `taken-down`: visitors get 410. `open` undoes a decision: the link works again. Returns the link
 * as it then is, also if another operator decided the same before.
 */
export const decideReports = {
  method: "PUT",
  path: "/api/operator/reports/:shortCode",
  access: "operator",
  params: z.object({ shortCode }),
  body: z.strictObject({ state: z.enum(REPORT_STATES) }),
  replies: { 200: ReportedLink },
} as const satisfies Call;

import * as z from "zod/mini";
import { resource } from "../call.ts";
import { shortCode } from "../fields.ts";
import { linkNotFound, notFound } from "../general-errors.ts";
import { ABUSE_REASONS } from "../rules/abuse-reasons.ts";
import { UserName } from "./fields.ts";

/** `open`: undecided. A new report of a dismissed link opens it again. */
const ABUSE_REPORT_STATES = ["open", "dismissed", "taken-down"] as const;

export const ReportedLink = z.object({
  shortCode: z.string(),
  shortUrl: z.string(),
  webUrl: z.string(),
  title: z.nullable(z.string()),
  imageUrl: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
  /** Null if the link was created without an account. */
  owner: z.nullable(UserName),
  state: z.enum(ABUSE_REPORT_STATES),
  counts: z.partialRecord(z.enum(ABUSE_REASONS), z.int()),
  firstReportedAt: z.iso.datetime(),
  lastReportedAt: z.iso.datetime(),
  decidedAt: z.nullable(z.iso.datetime()),
});
export type ReportedLink = z.infer<typeof ReportedLink>;

const operator = resource("Operator", { reads: "operator", writes: "operator" });

export const listReportedLinks = operator.get("/api/operator/abuse-reports", {
  summary: "List reported links",
  description:
    "`state=open`, the default: undecided, the longest waiting first. `state=decided`: the latest decision first.",
  query: z.object({ state: z.optional(z.enum(["open", "decided"])) }),
  replies: { 200: z.object({ links: z.array(ReportedLink), openCount: z.int() }) },
  errors: [notFound],
});

export const decideAbuseReports = operator.put("/api/operator/abuse-reports/:shortCode", {
  summary: "Decide about a reported link",
  description: "`taken-down`: visitors get 410. `dismissed`: the link stays. `open` undoes either.",
  params: z.object({ shortCode }),
  body: z.strictObject({ state: z.enum(ABUSE_REPORT_STATES) }),
  replies: { 200: ReportedLink },
  errors: [linkNotFound],
  records: "link.changed",
});

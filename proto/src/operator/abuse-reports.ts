import * as z from "zod/mini";
import { EXAMPLE_OWNER } from "../accounts.ts";
import { resource } from "../call.ts";
import { EXAMPLE_CODE } from "../example-values.ts";
import { shortCode } from "../fields.ts";
import { linkNotFound, notFound } from "../general-errors.ts";
import { EXAMPLE_LINK } from "../links.ts";
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

const REPORTED: ReportedLink = {
  shortCode: EXAMPLE_CODE,
  shortUrl: EXAMPLE_LINK.shortUrl,
  webUrl: EXAMPLE_LINK.webUrl,
  title: EXAMPLE_LINK.title,
  imageUrl: EXAMPLE_LINK.imageUrl,
  createdAt: EXAMPLE_LINK.createdAt,
  owner: EXAMPLE_OWNER,
  state: "open",
  counts: { misleading: 2, spam: 1 },
  firstReportedAt: "2026-11-26T08:00:00.000Z",
  lastReportedAt: "2026-11-26T09:00:00.000Z",
  decidedAt: null,
};

export const listReportedLinks = operator.get("/api/operator/abuse-reports", {
  summary: "List reported links",
  description:
    "`state=open`, the default: undecided, the longest waiting first. `state=decided`: the latest decision first.",
  query: z.object({ state: z.optional(z.enum(["open", "decided"])) }),
  replies: { 200: z.object({ links: z.array(ReportedLink), openCount: z.int() }) },
  errors: [notFound],
  example: { query: { state: "open" }, replies: { 200: { links: [REPORTED], openCount: 1 } } },
});

export const decideAbuseReports = operator.put("/api/operator/abuse-reports/:shortCode", {
  summary: "Decide about a reported link",
  description: "`taken-down`: visitors get 410. `dismissed`: the link stays. `open` undoes either.",
  params: z.object({ shortCode }),
  body: z.strictObject({ state: z.enum(ABUSE_REPORT_STATES) }),
  replies: { 200: ReportedLink },
  errors: [linkNotFound],
  records: "link.changed",
  example: {
    params: { shortCode: EXAMPLE_CODE },
    body: { state: "taken-down" },
    replies: {
      200: { ...REPORTED, state: "taken-down", decidedAt: "2026-11-26T09:05:00.000Z" },
    },
  },
});

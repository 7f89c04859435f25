import * as z from "zod/mini";
import { csvSeparator, numberText } from "./fields.ts";
import { links } from "./links.ts";
import { VIOLATION_KINDS } from "./rules/amazon/violations.ts";
import { REPORTED_LINKS_MAX } from "./rules/limits.ts";

export const Violation = z.object({
  kind: z.enum(VIOLATION_KINDS),
  object: z.string(),
  /** Null if it is about the account. */
  shortCode: z.nullable(z.string()),
});
export type Violation = z.infer<typeof Violation>;

const CSV = `section,item,details\r\nDomains,t.example,Whose: this service's\r\n`;

export const getComplianceReport = links.get("/api/compliance-report", {
  summary: "Check links against Amazon's rules",
  description: `Today's violations of Amazon's rules, worst first, in the newest ${REPORTED_LINKS_MAX.toLocaleString("en-US")} links, or as many as \`newest\` says. As text/html or text/csv the compliance report for Amazon: domains, channels with the taps of the last 90 days, links without a tag, and changes of tags. It names no visitors.`,
  credentials: [["session"], ["links:read", "clicks:read"]],
  limit: "exportLinks",
  query: z.object({
    separator: csvSeparator,
    newest: z._default(
      z.pipe(numberText(/^\d{1,5}$/), z.int().check(z.gte(1), z.lte(REPORTED_LINKS_MAX))),
      REPORTED_LINKS_MAX,
    ),
  }),
  replies: {
    200: z.object({
      linkCount: z.int(),
      /** All that are certain, also beyond those that are listed. */
      violationCount: z.int(),
      violations: z.array(Violation),
    }),
  },
  otherTypes: { "text/csv": CSV, "text/html": "<!doctype html>\n<title>Compliance report for Amazon</title>\n" },
  example: { query: { newest: "200" } },
});

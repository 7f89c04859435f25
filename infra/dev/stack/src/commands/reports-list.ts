import type { ReportedLink } from "@tapthru/postgres/moderation";

/** Each link with its reports and its destination, for the terminal. */
export function reportsList(links: readonly ReportedLink[]): string {
  if (links.length === 0) return "No link was reported.";
  return links.map(entry).join("\n\n");
}

function entry({ shortCode, webUrl, counts, lastReportedAt }: ReportedLink): string {
  const reasons = Object.entries(counts)
    .sort(([, one], [, other]) => other - one)
    .map(([reason, count]) => `${reason} ${count}`)
    .join(", ");
  return `${shortCode}  ${reasons}  last ${lastReportedAt.toISOString()}\n  ${webUrl}`;
}

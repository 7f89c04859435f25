import { UserFacingError } from "@tapthru/core/platform/user-facing-error";
import { parseShortLink } from "@tapthru/proto/rules/parse-short-link";
import { dismissReports, type ReportedLink, reportedLinks, restoreLink, takeDownLink } from "./moderation.ts";

const USAGE = `Usage:
  links reports             lists reported links that wait for a decision
  links dismiss <link>      dismisses the reports of a link
  links take-down <link>    blocks a link: visitors get an error page
  links reinstate <link>    unblocks a link
<link> is its address or its short code, such as https://go.anna.example/mug or mug@go.anna.example.`;

const CHANGES = {
  dismiss: { change: dismissReports, done: "Dismissed the reports of" },
  "take-down": { change: takeDownLink, done: "Took down" },
  reinstate: { change: restoreLink, done: "Reinstated" },
} as const;

/**
 * Runs one of the commands in USAGE and prints its result.
 * @throws UserFacingError if the command is unknown or changes nothing
 */
export async function runLinksCommand(databaseUrl: string, publicBaseUrl: string, args: string[]): Promise<void> {
  const [command = "", link] = args;
  if (command === "reports") {
    const links = await reportedLinks(databaseUrl);
    console.log(links.length === 0 ? "No link was reported." : links.map(entry).join("\n\n"));
    return;
  }
  if (!isChange(command) || link === undefined) throw new UserFacingError(USAGE);
  const { change, done } = CHANGES[command];
  const code = parseShortLink(link, new URL(publicBaseUrl).host) ?? link;
  if (!(await change(databaseUrl, code))) {
    throw new UserFacingError(`Nothing to change: check the code ${code}.`);
  }
  console.log(`${done} ${code}.`);
}

/** A reported link with its destination, for the terminal. */
function entry({ shortCode, webUrl, counts, lastReportedAt }: ReportedLink): string {
  const reasons = Object.entries(counts)
    .sort(([, one], [, other]) => other - one)
    .map(([reason, count]) => `${reason} ${count}`)
    .join(", ");
  return `${shortCode}  ${reasons}  last ${lastReportedAt.toISOString()}\n  ${webUrl}`;
}

function isChange(command: string): command is keyof typeof CHANGES {
  return Object.hasOwn(CHANGES, command);
}

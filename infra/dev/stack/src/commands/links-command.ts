import {
  dismissReports,
  type ReportedLink,
  reportedLinks,
  restoreLink,
  takeDownLink,
} from "@tapthru/postgres/moderation";
import { withDatabase } from "../servers/database.ts";
import { UserFacingError } from "../user-facing-error.ts";

const USAGE = `Usage:
  pnpm links reports             lists the links that visitors reported
  pnpm links dismiss <code>      deletes the reports of a link
  pnpm links take-down <code>    blocks a link: visitors get an error page
  pnpm links reinstate <code>    unblocks a link`;

const CHANGES = {
  dismiss: { change: dismissReports, done: "Dismissed the reports of" },
  "take-down": { change: takeDownLink, done: "Took down" },
  reinstate: { change: restoreLink, done: "Reinstated" },
} as const;

await withDatabase(async (databaseUrl) => {
  const [command = "", code] = process.argv.slice(2);
  if (command === "reports") {
    const links = await reportedLinks(databaseUrl);
    console.log(links.length === 0 ? "No link was reported." : links.map(entry).join("\n\n"));
    return;
  }
  if (!isChange(command) || code === undefined) throw new UserFacingError(USAGE);
  const { change, done } = CHANGES[command];
  if (!(await change(databaseUrl, code))) {
    throw new UserFacingError(`Nothing to change: check the code ${code}.`);
  }
  console.log(`${done} ${code}.`);
});

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

import {
  dismissReports,
  reportedLinks,
  restoreLink,
  takeDownLink,
} from "@tapthru/postgres/moderation";
import { withDatabase } from "../servers/on-database.ts";
import { UserFacingError } from "../user-facing-error.ts";
import { reportsList } from "./reports-list.ts";

const USAGE = `Say what to do:
  pnpm links reports             what visitors have reported
  pnpm links dismiss <code>      nothing is wrong with it: forget its reports
  pnpm links take-down <code>    visitors are told that it is gone
  pnpm links reinstate <code>    undo that`;

const CHANGES = {
  dismiss: { change: dismissReports, done: "Forgot the reports of" },
  "take-down": { change: takeDownLink, done: "Took down" },
  reinstate: { change: restoreLink, done: "Reinstated" },
} as const;

await withDatabase(async (databaseUrl) => {
  const [verb = "", code] = process.argv.slice(2);
  if (verb === "reports") {
    console.log(reportsList(await reportedLinks(databaseUrl)));
    return;
  }
  if (!isChange(verb) || code === undefined) throw new UserFacingError(USAGE);
  const { change, done } = CHANGES[verb];
  if (!(await change(databaseUrl, code))) {
    throw new UserFacingError(`There was nothing to do: is ${code} right?`);
  }
  console.log(`${done} ${code}.`);
});

function isChange(verb: string): verb is keyof typeof CHANGES {
  return Object.hasOwn(CHANGES, verb);
}

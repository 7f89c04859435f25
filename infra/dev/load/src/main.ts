import { fillPostgres } from "@tapthru/bench/redirect/populate";
import { runCommand } from "@tapthru/local/run-command";
import { UserFacingError } from "@tapthru/local/user-facing-error";
import { readCommand, readLinks } from "./command-line.ts";
import { withFilledStack } from "./filled-stack.ts";
import { findK6 } from "./find-k6.ts";
import { writeReport } from "./report/write-report.ts";
import { runK6 } from "./run-k6.ts";
import type { ScenarioName } from "./scenarios.ts";

const { BASE_URL, DATABASE_URL, RATE, PEAK, DURATION, LINKS } = process.env;
const fromEnvironment = Object.entries({ RATE, PEAK, DURATION, LINKS });
const parameters = Object.fromEntries(fromEnvironment.filter(([, value]) => value !== undefined));

await runCommand(async (signal) => {
  const command = readCommand(process.argv.slice(2));
  const links = readLinks(parameters);
  if (command === "report") writeReport();
  else if (command === "seed") await seedGivenDatabase(links);
  else if (!(await load(command, links, signal)))
    throw new UserFacingError("The run was aborted or crossed a threshold.");
  return true;
});

async function seedGivenDatabase(links: number): Promise<void> {
  if (DATABASE_URL === undefined) throw new UserFacingError("Set DATABASE_URL.");
  await fillPostgres(DATABASE_URL, links);
}

async function load(name: ScenarioName, links: number, signal: AbortSignal): Promise<boolean> {
  await findK6();
  const run = (baseUrl: string) => runK6(name, { baseUrl, parameters }, signal);
  return BASE_URL === undefined ? withFilledStack(links, signal, run) : run(BASE_URL);
}

import { watchInterruption } from "@tapthru/local/stack/interruption";
import { printError, UserFacingError } from "@tapthru/local/user-facing-error";
import { readCommand } from "./command-line.ts";
import { withFilledStack } from "./filled-stack.ts";
import { findK6 } from "./find-k6.ts";
import { writeReport } from "./report/write-report.ts";
import { runK6 } from "./run-k6.ts";
import { linksOf, type ScenarioName } from "./scenarios.ts";
import { seed } from "./seed.ts";

const interruption = watchInterruption(() => process.exit(130));
const { BASE_URL, DATABASE_URL, RATE, PEAK, DURATION, LINKS } = process.env;
const fromEnvironment = Object.entries({ RATE, PEAK, DURATION, LINKS });
const parameters = Object.fromEntries(fromEnvironment.filter(([, value]) => value !== undefined));
const links = linksOf(parameters);

process.exitCode = 1;
try {
  const command = readCommand(process.argv.slice(2));
  if (command === "report") writeReport();
  else if (command === "seed") await seedGivenDatabase();
  else if (!(await load(command)))
    throw new UserFacingError("The run was aborted or crossed a threshold.");
  process.exitCode = 0;
} catch (error) {
  if (!interruption.aborted) printError(error);
}

async function seedGivenDatabase(): Promise<void> {
  if (DATABASE_URL === undefined) throw new UserFacingError("Set DATABASE_URL.");
  await seed(DATABASE_URL, links);
}

async function load(name: ScenarioName): Promise<boolean> {
  await findK6();
  const run = (baseUrl: string) => runK6(name, { baseUrl, parameters }, interruption);
  return BASE_URL === undefined ? withFilledStack(links, interruption, run) : run(BASE_URL);
}

import { fileURLToPath } from "node:url";
import { readMetric } from "@tapthru/chaos/evidence/metrics";
import { describeMachine } from "@tapthru/chaos/report";
import { offFirstCore } from "@tapthru/chaos/testbed/cores";
import { today } from "@tapthru/local/processes/machine";
import { findOnPath } from "@tapthru/local/programs/on-path";
import { withTemporaryStack } from "@tapthru/local/test-servers/start-temporarily";
import { UserFacingError } from "@tapthru/local/user-facing-error";
import { execa } from "execa";
import { median, ratioRange } from "../median.ts";
import { codeOf } from "../redirect/codes.ts";
import { fillRedis } from "../redirect/populate.ts";
import { AGENTS } from "../redirect/visits.ts";
import { type Replica, startReplicas } from "./replicas.ts";

const SCRIPT = fileURLToPath(new URL("./visits.lua", import.meta.url));
const CONNECTIONS = 32;
const ROUNDS = 15;
/** Visits of each replica before the first round, so that its code is compiled. */
const FIRST_VISITS = 30_000;

/** Arguments of the script. */
type Visits = [agent: string, address: string];

const VISITS: Record<string, Visits> = {
  "a redirect, the same visitor": [AGENTS.desktop, "84.12.33.44"],
  "a redirect, a new visitor each time": [AGENTS.desktop, "new4"],
  "a redirect, a new visitor with an IPv6 address each time": [AGENTS.desktop, "new6"],
  "an app-opening page, a new visitor each time": [AGENTS.phone, "new4"],
  "a preview card": [AGENTS.crawler, "84.12.33.44"],
};

/** Measures the CPU time of a visit with and without counting it. */
export async function benchClicks(signal: AbortSignal): Promise<string> {
  if (!findOnPath("wrk"))
    throw new UserFacingError("Missing: wrk. Install with `sudo apt-get install wrk`.");
  const machine = `${today()}, ${describeMachine()}.`;
  const rows = await withTemporaryStack(signal, async (folder, stack) => {
    const { on, off, redisPort } = await startReplicas(folder, stack);
    await fillRedis(redisPort, 0, 1);
    const measured: string[] = [];
    for (const [label, visits] of Object.entries(VISITS)) {
      signal.throwIfAborted();
      measured.push(await compare(label, { on, off }, visits));
      console.log(measured.at(-1));
    }
    return measured;
  });
  const head = "| visit | not counted | counted | ratio (range) |\n|---|---|---|---|";
  return `${machine}\n\n${head}\n${rows.join("\n")}`;
}

/** Visits both replicas in alternation, so that other load on the machine affects both. */
async function compare(
  label: string,
  { on, off }: { on: Replica; off: Replica },
  visits: Visits,
): Promise<string> {
  for (const replica of [off, on]) await warmUp(replica, visits);
  const rounds: { on: number; off: number }[] = [];
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({ off: await microsPerVisit(off, visits), on: await microsPerVisit(on, visits) });
  const micros = (values: number[]) => `${median(values).toFixed(1)} µs`;
  const columns = [
    label,
    micros(rounds.map((round) => round.off)),
    micros(rounds.map((round) => round.on)),
    ratioRange(rounds.map((round) => round.on / round.off)),
  ];
  return `| ${columns.join(" | ")} |`;
}

async function warmUp({ origin }: Replica, visits: Visits): Promise<void> {
  for (let served = 0; served < FIRST_VISITS; ) served += await visit(origin, visits);
}

/** CPU time of the process, of all threads, for each visit. */
async function microsPerVisit({ origin, adminPort }: Replica, visits: Visits): Promise<number> {
  const cpuSeconds = () => readMetric(adminPort, "process_cpu_seconds_total");
  const before = await cpuSeconds();
  const served = await visit(origin, visits);
  return (((await cpuSeconds()) - before) * 1e6) / served;
}

/** Visits the link for a second. Returns the number of responses. */
async function visit(origin: string, visits: Visits): Promise<number> {
  const options = ["-t1", `-c${CONNECTIONS}`, "-d1", "-s", SCRIPT, origin];
  const { command, args } = offFirstCore({
    command: "wrk",
    args: [...options, "--", `/l/${codeOf(0)}`, ...visits],
  });
  const { stdout } = await execa(command, args);
  const served = Number(stdout.split("\n").at(-1));
  if (!(served > 0)) throw new Error(`no visit was served: ${stdout}`);
  return served;
}

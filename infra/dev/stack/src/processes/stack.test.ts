import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Guard, startGuard } from "./guard.ts";
import { createStack, type Stack } from "./stack.ts";

let folder: string;
let guard: Guard;
let stack: Stack;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tapthru-stack-"));
  guard = startGuard({ temporaryFolders: [folder] });
  stack = createStack(guard, undefined, true);
  vi.spyOn(console, "log").mockReturnValue();
});
afterEach(async () => {
  await stack.stop();
  await guard.close();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const printed = () => vi.mocked(console.log).mock.calls.map(([line]) => String(line));

/** Starts a process that prints its name when it is told to end, and does not start while there is a file `broken`. */
function start(name: string): Promise<void> {
  const script = `
    if [ -e "${folder}/broken" ]; then echo "out of memory"; exit 3; fi
    trap 'echo ${name} >> "${folder}/ended"; exit' TERM
    echo started; while :; do sleep 0.05; done`;
  const logFile = join(folder, `${name}.log`);
  const isReady = async () => readFileSync(logFile, "utf8").endsWith("started\n");
  return stack.start({ name, command: "/bin/sh", args: ["-c", script], logFile }, isReady);
}

async function kill(name: string): Promise<void> {
  const count = printed().length;
  process.kill(stack.pid(name), "SIGKILL");
  await vi.waitUntil(() => printed().slice(count).at(-1)?.startsWith(`✓ ${name}`), { timeout: 60_000 });
}

it("a process that was killed is started again, and stopped in its order", async () => {
  await start("Postgres");
  await start("api");
  await kill("Postgres");
  expect(printed()[0]).toBe(`Postgres was killed by SIGKILL. It is started again. Its log is ${folder}/Postgres.log`);
  await stack.stop();
  expect(readFileSync(join(folder, "ended"), "utf8")).toBe("api\nPostgres\n");
});

it("a process that does not start again is given up after three attempts in a minute", async () => {
  await start("api");
  writeFileSync(join(folder, "broken"), "");
  process.kill(stack.pid("api"), "SIGKILL");
  const why = "api ended with exit code 3. It was started again 3 times in the last minute.";
  expect(await stack.died).toBe(`${why}\nstarted${"\nout of memory".repeat(3)}`);
  expect(printed().filter((line) => line.includes("It is started again"))).toHaveLength(3);
});

it("a process is started again each time that it ends, up to three times in a minute", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  await start("api");
  for (let count = 0; count < 4; count += 1) {
    await kill("api");
    vi.advanceTimersByTime(25_000);
  }
  expect(printed()).toHaveLength(8);
});

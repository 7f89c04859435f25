import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it, vi } from "vitest";
import type { LogLine } from "./testing/test-logger.ts";

const PROGRAM = fileURLToPath(new URL("./testing/lifecycle-process.ts", import.meta.url));
const children: ChildProcessWithoutNullStreams[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

function start(...args: string[]) {
  const child = spawn(process.execPath, [PROGRAM, ...args]);
  children.push(child);
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  const lines = (): LogLine[] =>
    output
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  const messages = () => lines().map(({ msg }) => msg);
  return {
    child,
    lines,
    messages,
    waitForMessage: (message: string) => vi.waitFor(() => expect(messages()).toContain(message), { timeout: 60_000 }),
    ended: once(child, "close").then(([code]) => code as number | null),
  };
}

it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "stops the components in reverse order and exits with 0 after %s",
  async (signal) => {
    const { child, messages, waitForMessage, ended } = start();
    await waitForMessage("running");
    child.kill(signal);
    child.stdin.write("go\n");
    expect(await ended).toBe(0);
    expect(messages()).toEqual([
      "start first",
      "start second",
      "start third",
      "running",
      "shutting down",
      "stop third",
      "stop second",
      "stop first",
      "stopped",
    ]);
  },
);

it("ignores a signal that is repeated immediately", async () => {
  const { child, waitForMessage, ended } = start();
  await waitForMessage("running");
  child.kill("SIGINT");
  child.kill("SIGTERM");
  await waitForMessage("stop third");
  child.stdin.write("go\n");
  expect(await ended).toBe(0);
});

it("exits at once on a second signal", async () => {
  const { child, messages, waitForMessage, ended } = start();
  await waitForMessage("running");
  const repeatedSignal = setInterval(() => child.kill("SIGTERM"), 100);
  expect(await ended.finally(() => clearInterval(repeatedSignal))).toBe(1);
  expect(messages().at(-1)).toBe("second signal: exiting at once");
});

it("exits with 1 at the deadline, and names the component it waited for", async () => {
  const { child, lines, waitForMessage, ended } = start("none", "50");
  await waitForMessage("running");
  child.kill("SIGTERM");
  expect(await ended).toBe(1);
  expect(lines().at(-1)).toMatchObject({ msg: "shutdown timed out", waitingFor: "second" });
});

it.each([
  ["throw", "uncaught exception"],
  ["reject", "unhandled rejection"],
])("logs a fatal record after a %s, shuts down gracefully and exits with 1", async (fault, message) => {
  const { child, lines, messages, ended } = start(fault);
  child.stdin.write("go\n");
  expect(await ended).toBe(1);
  expect(lines().find(({ level }) => level === "fatal")?.msg).toBe(message);
  expect(messages().slice(-3)).toEqual(["stop second", "stop first", "stopped"]);
});

it("stops the started components if one cannot start, and exits with 1", async () => {
  const { child, messages, ended } = start("start second");
  child.stdin.write("go\n");
  expect(await ended).toBe(1);
  const stopped = ["stop second", "stop first", "stopped"];
  expect(messages()).toEqual(["start first", "start second", "second could not start", ...stopped]);
});

it("stops the other components if one cannot stop", async () => {
  const { child, messages, waitForMessage, ended } = start("stop third");
  await waitForMessage("running");
  child.kill("SIGTERM");
  child.stdin.write("go\n");
  expect(await ended).toBe(0);
  expect(messages().slice(-4)).toEqual(["failed to stop component", "stop second", "stop first", "stopped"]);
});

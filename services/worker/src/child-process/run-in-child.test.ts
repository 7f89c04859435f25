import { fork } from "node:child_process";
import { once } from "node:events";
import { expect, it, onTestFinished, vi } from "vitest";
import { NEVER } from "../testing/test-database.ts";
import { runInChild } from "./run-in-child.ts";

const module = new URL("./testing/hostile-program.ts", import.meta.url);
const PROGRAM = { module, cpuMs: 20_000, memoryMb: 64, lifetimeMs: 60_000 };
/** Variables that macOS adds to the environment of every process. */
const SYSTEM_VARIABLES = ["__CF_USER_TEXT_ENCODING"];

const run = (name: string, limits = {}, options = {}) =>
  runInChild<unknown>({ ...PROGRAM, ...limits }, name, { signal: NEVER, ...options });

it("a program has none of the worker's environment", async () => {
  vi.stubEnv("DATABASE_URL", "postgres://worker:canary@127.0.0.1/tapthru");
  onTestFinished(() => void vi.unstubAllEnvs());
  const names = Object.keys(Object(await run("environment")));
  expect(names.filter((name) => !SYSTEM_VARIABLES.includes(name))).toEqual([]);
});

it("a program gets the replies to its calls", async () => {
  const add = async ([a, b]: [number, number]) => a + b;
  expect(await run("calls", {}, { calls: { add } })).toEqual([3, 7]);
});

it("a program ends with the error of a call", async () => {
  const error = new Error("Postgres is unavailable");
  const add = () => Promise.reject(error);
  await expect(run("calls", {}, { calls: { add } })).rejects.toBe(error);
});

it.each([
  ["loops", { cpuMs: 500 }, { kind: "limit" }],
  ["allocates", {}, { kind: "limit" }],
  ["waits", { lifetimeMs: 1_000 }, { kind: "failed" }],
  ["exits", {}, { kind: "failed" }],
  ["throws", {}, { kind: "failed", message: expect.stringContaining("TypeError: No number") }],
])("a program that %s ends", async (name, limits, error) => {
  await expect(run(name, limits)).rejects.toMatchObject(error);
});

it("a program ends when it is aborted", async () => {
  const stopping = new AbortController();
  const running = run("loops", {}, { signal: stopping.signal });
  stopping.abort(new Error("stop"));
  await expect(running).rejects.toThrow("stop");
});

it("a program ends at its limit although its parent ended before", async () => {
  const child = fork(module, ["500"], { env: {}, serialization: "advanced" });
  child.send({ input: "loops" });
  expect(await once(child, "exit")).toEqual([null, "SIGVTALRM"]);
});

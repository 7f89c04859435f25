import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { runExperiment } from "./run-case.ts";

vi.mock("./injectors/fault-proxy.ts", () => ({
  startFaultProxy: () => Promise.reject(new Error("no proxy")),
}));

const openServers = () =>
  process.getActiveResourcesInfo().filter((name) => name === "TCPServerWrap").length;

it("leaves no server and no folder behind when a part of the stack does not start", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tapthru-experiment-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  vi.stubEnv("TMPDIR", folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const before = openServers();
  const experiment = { id: "none", timeoutMs: 1_000, run: async () => [] };

  const running = runExperiment(experiment, 1, new AbortController().signal);

  await expect(running).rejects.toThrow("no proxy");
  await vi.waitFor(() => expect(openServers()).toBe(before));
  expect(await readdir(folder)).toEqual([]);
});

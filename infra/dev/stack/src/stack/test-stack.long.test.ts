import { expect, it, vi } from "vitest";
import { runOf } from "../processes/guard.ts";
import { withTestStack } from "./test-stack.ts";

it("a run of tests fails if a process of its stack ended, although it was started again", async ({ signal }) => {
  const run = withTestStack(signal, async ({ settings: { dataDir } }) => {
    const pid = async () => (await runOf(dataDir))?.processes.find(({ name }) => name === "worker")?.pid ?? Number.NaN;
    const killed = await pid();
    process.kill(killed, "SIGKILL");
    await vi.waitUntil(async () => ![killed, Number.NaN].includes(await pid()), {
      timeout: 30_000,
    });
  });
  await expect(run).rejects.toThrow("worker was killed by SIGKILL. It is started again.");
}, 300_000);

import { join } from "node:path";
import { freePort } from "@tapthru/runtime/testing/free-port";
import { expect, it, onTestFinished } from "vitest";
import { startTemporarily } from "../test-servers/start-temporarily.ts";
import { startEmulator } from "./emulator.ts";

it("reports the end of an emulator that is required, as in the demo's container", async () => {
  const { stack, stop } = await startTemporarily(async (folder, stack) => {
    const ports = { port: await freePort(), hubPort: await freePort() };
    const plan = { ...ports, projectId: "demo-tapthru", loggingPort: await freePort() };
    const logFile = join(folder, "emulator.log");
    await startEmulator(
      { ...plan, homeDir: join(folder, "home"), exportsDir: null, logFile },
      stack,
    );
    return { stack };
  });
  onTestFinished(stop);
  process.kill(stack.pid("Firebase emulator"), "SIGKILL");
  expect(await stack.died).toMatch(/^Firebase emulator was killed by SIGKILL/);
}, 120_000);

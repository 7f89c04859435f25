import { once } from "node:events";
import { join } from "node:path";
import { UserFacingError } from "@tapthru/runtime/user-facing-error";
import { startTemporarily } from "../processes/start-temporarily.ts";
import { runCommand } from "../run-command.ts";
import { DEMO_ACCOUNTS_WARNING, startEmulator } from "./emulator.ts";
import { watchEmulator } from "./watch-emulator.ts";

/** Runs in the demo's container of the Firebase emulator; the accounts are in /data. */
const emulator = { projectId: "demo-tapthru", port: 9099, hubPort: 4400 };
const exportsDir = join("/data", "exports");
const publicBaseUrl = process.env.PUBLIC_BASE_URL ?? "http://localhost:8080";

await runCommand(async (interruption) => {
  const { died, stop } = await startTemporarily(async (folder, stack) => {
    const homeDir = join("/data", "home");
    const logFile = join(folder, "emulator.log");
    const plan = { ...emulator, host: "0.0.0.0", loggingPort: 4500, homeDir, exportsDir, logFile };
    await startEmulator(plan, stack);
    return { died: stack.died };
  }, interruption);
  console.log(`The Firebase emulator is ready. ${DEMO_ACCOUNTS_WARNING}`);
  void watchEmulator({ emulator, exportsDir, publicBaseUrl }, interruption);
  const failure = await Promise.race([died, once(interruption, "abort")]);
  await stop();
  if (typeof failure === "string") throw new UserFacingError(failure);
  return true;
});

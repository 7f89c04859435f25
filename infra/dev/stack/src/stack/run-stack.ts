import { once } from "node:events";
import { chmodSync, mkdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { UserFacingError } from "@tapthru/core/platform/user-facing-error";
import { guardDataFolder } from "../processes/guard.ts";
import { createStack } from "../processes/stack.ts";
import { runCommand } from "../run-command.ts";
import { unusedSettings } from "./inherited-environment.ts";
import { readSettings } from "./settings.ts";
import { startAll } from "./start-all.ts";

/** Runs the whole stack until it is interrupted or a process ends again and again. */
export async function runStack({ isDev }: { isDev: boolean }): Promise<void> {
  await runCommand(async (interruption) => {
    const { values: flags } = parseArgs({ options: { demo: { type: "boolean", default: false } } });
    const mode = { isDev, isDemo: flags.demo };
    const settings = readSettings(process.env);
    const unused = unusedSettings(process.env);
    if (unused.length > 0) console.log(`Ignored, because start sets them: ${unused.join(", ")}`);
    mkdirSync(settings.dataDir, { recursive: true });
    chmodSync(settings.dataDir, 0o700);
    const guard = await guardDataFolder(settings.dataDir);
    const stack = createStack(guard, interruption, true);
    try {
      await startAll(settings, mode, stack, interruption);
      interruption.throwIfAborted();
      const died = await Promise.race([stack.died, once(interruption, "abort")]);
      if (typeof died === "string") throw new UserFacingError(died);
    } catch (error) {
      if (!interruption.aborted) throw error;
    } finally {
      if (interruption.aborted) console.log("Stopping …");
      await stack.stop();
      await guard.close();
    }
    return true;
  });
}

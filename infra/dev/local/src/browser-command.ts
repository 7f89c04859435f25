import { join } from "node:path";
import { findChromium } from "./programs/chromium.ts";
import { findOnPath } from "./programs/on-path.ts";
import { runWebTool } from "./run-tool.ts";
import { respondsOverHttp } from "./stack/http-health.ts";
import { CHECKOUT } from "./stack/settings.ts";
import { printError, UserFacingError } from "./user-facing-error.ts";

/** Runs a command that needs a browser, with this machine's Chromium or a downloaded one. */
const WEB = join(CHECKOUT, "web");
const { E2E_BASE_URL = "http://localhost:8080" } = process.env;

interface BrowserCommand {
  command: string;
  args: readonly string[];
  needsStack: boolean;
  needsFfmpeg: boolean;
}

const script = (file: string) => ({ command: process.execPath, args: [join(WEB, file)] });
const COMMANDS = new Map<string, BrowserCommand>([
  ["pictures", { ...script("take-pictures.ts"), needsStack: false, needsFfmpeg: false }],
  ["screenshot", { ...script("take-screenshot.ts"), needsStack: true, needsFfmpeg: false }],
  [
    "screenshots",
    {
      command: "playwright",
      args: ["test", "--config", "screenshots.config.ts"],
      needsStack: true,
      needsFfmpeg: false,
    },
  ],
  [
    "demo-video",
    { ...script("demo-video/make-demo-video.ts"), needsStack: true, needsFfmpeg: true },
  ],
]);

process.exitCode = 1;
try {
  const [name = "", ...options] = process.argv.slice(2);
  const command = COMMANDS.get(name);
  if (!command) throw new UserFacingError(`Name a command: ${[...COMMANDS.keys()].join(" | ")}`);
  if (command.needsFfmpeg && !findOnPath("ffmpeg")) {
    throw new UserFacingError("Missing: ffmpeg. Install with `sudo apt-get install ffmpeg`.");
  }
  if (command.needsStack && !(await respondsOverHttp(E2E_BASE_URL))) {
    throw new UserFacingError(
      `No response from ${E2E_BASE_URL}: run \`pnpm start --demo\` first, or set E2E_BASE_URL.`,
    );
  }
  const chromium = await findChromium();
  const { exitCode = 1 } = await runWebTool(command.command, [...command.args, ...options], {
    stdin: "inherit",
    stdout: "inherit",
    stderr: "inherit",
    env: chromium === null ? {} : { CHROMIUM_PATH: chromium },
  });
  process.exitCode = exitCode;
} catch (error) {
  printError(error);
}

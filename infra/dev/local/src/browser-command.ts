import { join } from "node:path";
import { execa } from "execa";
import { findChromium } from "./programs/chromium.ts";
import { onPath } from "./programs/on-path.ts";
import { respondsOverHttp } from "./stack/http-health.ts";
import { CHECKOUT } from "./stack/settings.ts";
import { printError, UserFacingError } from "./user-facing-error.ts";

/** Runs what needs a browser, with the Chromium of this machine or one that is fetched. */
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
  const wanted = COMMANDS.get(name);
  if (!wanted) throw new UserFacingError(`Say what: ${[...COMMANDS.keys()].join(" | ")}`);
  if (wanted.needsFfmpeg && !onPath("ffmpeg")) {
    throw new UserFacingError("Missing: ffmpeg. Install with `sudo apt-get install ffmpeg`.");
  }
  if (wanted.needsStack && !(await respondsOverHttp(E2E_BASE_URL))) {
    throw new UserFacingError(
      `Nothing answers on ${E2E_BASE_URL}: run \`pnpm start --demo\` first, or set E2E_BASE_URL.`,
    );
  }
  const chromium = await findChromium();
  const { exitCode = 1 } = await execa(wanted.command, [...wanted.args, ...options], {
    cwd: WEB,
    preferLocal: true,
    localDir: WEB,
    stdio: "inherit",
    reject: false,
    env: chromium === null ? {} : { CHROMIUM_PATH: chromium },
  });
  process.exitCode = exitCode;
} catch (error) {
  printError(error);
}

import { join } from "node:path";
import { execa } from "execa";
import { TOOLS_DIR } from "../stack/settings.ts";
import { UserFacingError } from "../user-facing-error.ts";
import { aptHasPackage, extractFromApt } from "./apt.ts";
import { isDockerAvailable, wrapInDocker } from "./docker.ts";
import { executable, onPath } from "./on-path.ts";
import { NGINX, type Program, REDIS } from "./programs.ts";

/**
 * The paths of Redis and nginx. Each is found on PATH, else unpacked from the system's packages, else
 * installed with Homebrew, else run in a container. No daemon is started.
 * @throws UserFacingError with the command that installs the missing programs
 */
export async function findServerPrograms(): Promise<{ redisServer: string; nginx: string }> {
  const redisServer = await findProgram(REDIS);
  const nginx = await findProgram(NGINX);
  if (redisServer && nginx) return { redisServer, nginx };
  const missing = [...(redisServer ? [] : [REDIS]), ...(nginx ? [] : [NGINX])];
  throw new UserFacingError(howToInstall(missing));
}

async function findProgram(program: Program): Promise<string | null> {
  const { name } = program;
  const installed = onPath(name) ?? executable(join(TOOLS_DIR, "bin", name));
  if (installed) return installed;
  if (onPath("apt-get") && (await aptHasPackage(program.aptPackage))) {
    console.log(`Downloading ${name} from the system's packages …`);
    return extractFromApt(program, TOOLS_DIR);
  }
  if (onPath("brew")) {
    console.log(`Installing ${name} with Homebrew …`);
    const args = ["install", "--quiet", program.brewFormula];
    await execa("brew", args, { stdin: "ignore", reject: false });
    return onPath(name);
  }
  if (await isDockerAvailable()) return wrapInDocker(program, TOOLS_DIR);
  return null;
}

function howToInstall(missing: readonly Program[]): string {
  const names = missing.map((program) => program.name).join(" and ");
  const command =
    process.platform === "darwin"
      ? `brew install ${missing.map((program) => program.brewFormula).join(" ")}`
      : `sudo apt-get install ${missing.map((program) => program.aptPackage).join(" ")}`;
  return `Missing: ${names}. Install with \`${command}\`, or start Docker.`;
}

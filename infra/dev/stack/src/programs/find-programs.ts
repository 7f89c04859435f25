import { join } from "node:path";
import { execa } from "execa";
import { TOOLS_DIR } from "../stack/settings.ts";
import { UserFacingError } from "../user-facing-error.ts";
import { aptHasPackage, extractFromApt } from "./apt.ts";
import { isDockerAvailable, wrapInDocker } from "./docker.ts";
import { executable, findOnPath } from "./on-path.ts";
import { installAdvice, NGINX, type Program, REDIS } from "./programs.ts";

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
  throw new UserFacingError(installAdvice(missing, process.platform));
}

async function findProgram(program: Program): Promise<string | null> {
  const { name, aptPackage, brewFormula } = program;
  const installed = findOnPath(name) ?? executable(join(TOOLS_DIR, "bin", name));
  if (installed) return installed;
  if (findOnPath("apt-get") !== null && (await aptHasPackage(aptPackage))) {
    console.log(`Downloading ${name} from the system's packages …`);
    return extractFromApt(program, TOOLS_DIR);
  }
  if (findOnPath("brew") !== null) {
    console.log(`Installing ${name} with Homebrew …`);
    await execa("brew", ["install", "--quiet", brewFormula], { stdin: "ignore", reject: false });
    return findOnPath(name);
  }
  return (await isDockerAvailable()) ? wrapInDocker(program, TOOLS_DIR) : null;
}

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { execa } from "execa";
import { aptOffers, extractFromApt } from "./apt.ts";
import { dockerAnswers, writeDockerWrapper } from "./docker.ts";
import { PlainError } from "./plain-error.ts";
import type { Program } from "./programs.ts";

/** Folders of servers' programs that are often not on the PATH of a person. */
const SERVER_FOLDERS = ["/usr/sbin", "/usr/local/sbin", "/usr/local/bin", "/opt/homebrew/bin"];

/**
 * The path of the program: from PATH, else unpacked from the system's packages into `toolsDir`, else
 * from Homebrew, else a wrapper around a Docker container. No system daemon is left running.
 */
export async function findProgram(
  program: Program,
  { toolsDir, log }: { toolsDir: string; log: (line: string) => void },
): Promise<string> {
  const present = onPath(program.name) ?? executable(join(toolsDir, "bin", program.name));
  if (present) return present;
  if (onPath("apt-get") && (await aptOffers(program.aptPackage))) {
    log(`fetching ${program.name} from the system's packages`);
    return extractFromApt(program, toolsDir);
  }
  if (onPath("brew")) {
    log(`installing ${program.name} with Homebrew`);
    await execa("brew", ["install", "--quiet", program.brewFormula], { stdin: "ignore" });
    const installed = onPath(program.name);
    if (installed) return installed;
  }
  if (await dockerAnswers()) return writeDockerWrapper(program, toolsDir);
  throw new PlainError(
    `${program.name} is missing: install it with \`${installCommand(program)}\`, or start Docker.`,
  );
}

export function onPath(name: string): string | null {
  const folders = [...(process.env.PATH ?? "").split(delimiter), ...SERVER_FOLDERS];
  for (const folder of folders) {
    const found = folder === "" ? null : executable(join(folder, name));
    if (found) return found;
  }
  return null;
}

function executable(path: string): string | null {
  try {
    accessSync(path, constants.X_OK);
    return path;
  } catch {
    return null;
  }
}

function installCommand(program: Program): string {
  return process.platform === "darwin"
    ? `brew install ${program.brewFormula}`
    : `sudo apt-get install ${program.aptPackage}`;
}

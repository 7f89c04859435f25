import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { PlainError } from "./plain-error.ts";
import type { Program } from "./programs.ts";
import { writeWrapper } from "./wrapper.ts";

const isRoot = process.getuid?.() === 0;

/** Whether a candidate of the package is known; refreshes the package lists when root finds none. */
export async function aptOffers(name: string): Promise<boolean> {
  if (await hasCandidate(name)) return true;
  if (!isRoot) return false;
  await updateLists();
  return hasCandidate(name);
}

async function hasCandidate(name: string): Promise<boolean> {
  const { stdout } = await execa("apt-cache", ["policy", name], {
    reject: false,
    env: { LC_ALL: "C" },
  });
  return /Candidate: (?!\(none\))/.test(stdout);
}

/**
 * Downloads the packages the program still lacks and unpacks them, without installing anything or
 * starting a daemon.
 * @returns the path of a wrapper that runs the program with its libraries
 */
export async function extractFromApt(program: Program, toolsDir: string): Promise<string> {
  await mkdir(toolsDir, { recursive: true });
  const work = await mkdtemp(join(toolsDir, "apt-"));
  try {
    await mkdir(join(work, "archives", "partial"), { recursive: true });
    await aptInstall(program.aptPackage, [
      "--download-only",
      `--option=Dir::Cache::archives=${join(work, "archives")}`,
      "--option=Debug::NoLocking=1",
    ]);
    const root = join(work, "root");
    for (const file of await readdir(join(work, "archives"))) {
      if (file.endsWith(".deb")) await execa("dpkg", ["-x", join(work, "archives", file), root]);
    }
    await rename(root, join(toolsDir, program.name)).catch(unlessAnotherRunDidIt);
    return await writeWrapper(program.name, toolsDir, aptWrapper(program.name));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** @throws PlainError with what apt-get said */
export async function aptInstall(aptPackage: string, options: readonly string[] = []) {
  const args = ["install", "-y", "-q", "--no-install-recommends", ...options, aptPackage];
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  const run = () => execa("apt-get", args, { stdin: "ignore", reject: false, all: true, env });
  let result = await run();
  if (result.failed && isRoot) {
    // The lists may name versions that the mirror no longer has.
    await updateLists();
    result = await run();
  }
  if (result.failed) throw new PlainError(`apt-get could not fetch ${aptPackage}:\n${result.all}`);
}

async function updateLists(): Promise<void> {
  await execa("apt-get", ["update", "-q"], { stdin: "ignore", reject: false });
}

function unlessAnotherRunDidIt(error: NodeJS.ErrnoException) {
  if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
}

function aptWrapper(name: string): string {
  return `home=\${0%/*}/../${name}
libraries=$(printf '%s:' "$home"/usr/lib/*-linux-gnu* "$home"/lib/*-linux-gnu*)
export LD_LIBRARY_PATH="$libraries\${LD_LIBRARY_PATH:-}"
for folder in sbin bin; do
  if [ -x "$home/usr/$folder/${name}" ]; then exec "$home/usr/$folder/${name}" "$@"; fi
done
echo "${name} is not among the unpacked packages" >&2
exit 127
`;
}

import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { TOOLS_DIR } from "../stack/settings.ts";
import { UserFacingError } from "../user-facing-error.ts";
import type { Program } from "./programs.ts";
import { writeWrapper } from "./wrapper.ts";

const isRoot = process.getuid?.() === 0;
const LISTS = join(TOOLS_DIR, "apt", "lists");
const CACHE = join(TOOLS_DIR, "apt", "cache");

/** Only root may update the system's package lists; other users have lists in TOOLS_DIR. */
const OPTIONS = isRoot
  ? []
  : [
      `--option=Dir::State::lists=${LISTS}`,
      `--option=Dir::Cache=${CACHE}`,
      "--option=Debug::NoLocking=1",
    ];

/** Whether apt can install the package; updates the package lists if they do not have it. */
export async function aptHasPackage(name: string): Promise<boolean> {
  if (await hasCandidate(name)) return true;
  await updateLists();
  return hasCandidate(name);
}

async function hasCandidate(name: string): Promise<boolean> {
  const { stdout } = await execa("apt-cache", [...OPTIONS, "policy", name], {
    reject: false,
    env: { LC_ALL: "C" },
  });
  return /Candidate: (?!\(none\))/.test(stdout);
}

/**
 * Downloads the program's missing packages and unpacks them, without installing them or starting a
 * daemon.
 * @returns the path of a wrapper that runs the program with its libraries
 */
export async function extractFromApt(
  program: Pick<Program, "name" | "aptPackage">,
  toolsDir: string,
): Promise<string> {
  await mkdir(toolsDir, { recursive: true });
  const workDir = await mkdtemp(join(toolsDir, "apt-"));
  try {
    await mkdir(join(workDir, "archives", "partial"), { recursive: true });
    await aptInstall(program.aptPackage, [
      "--download-only",
      `--option=Dir::Cache::archives=${join(workDir, "archives")}`,
      "--option=Debug::NoLocking=1",
    ]);
    const root = join(workDir, "root");
    for (const file of await readdir(join(workDir, "archives"))) {
      if (file.endsWith(".deb")) await execa("dpkg", ["-x", join(workDir, "archives", file), root]);
    }
    await writeFile(join(root, "fonts.conf"), FONTS);
    await rename(root, join(toolsDir, program.name)).catch(ignoreExisting);
    return await writeWrapper(program.name, toolsDir, aptWrapper(program.name));
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

/** @throws UserFacingError with apt-get's output */
export async function aptInstall(aptPackage: string, options: readonly string[] = []) {
  const args = ["install", "-y", "-q", "--no-install-recommends", ...options, aptPackage];
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  const run = () =>
    execa("apt-get", [...OPTIONS, ...args], { stdin: "ignore", reject: false, all: true, env });
  let result = await run();
  if (result.failed) {
    // The lists may have versions that the mirror has removed.
    await updateLists();
    result = await run();
  }
  if (result.failed)
    throw new UserFacingError(`apt-get could not download ${aptPackage}:\n${result.all}`);
}

async function updateLists(): Promise<void> {
  if (!isRoot) {
    await mkdir(join(LISTS, "partial"), { recursive: true });
    await mkdir(join(CACHE, "archives", "partial"), { recursive: true });
  }
  await execa("apt-get", [...OPTIONS, "update", "-q"], { stdin: "ignore", reject: false });
}

/** Another run may have created the folder in the meantime. */
function ignoreExisting(error: NodeJS.ErrnoException) {
  if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
}

/** Makes the unpacked fonts available on a system without fontconfig. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">usr/share/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <dir prefix="xdg">fonts</dir>
  <alias><family>sans-serif</family><prefer><family>DejaVu Sans</family></prefer></alias>
  <alias><family>serif</family><prefer><family>DejaVu Serif</family></prefer></alias>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

/** Programs in `usr/lib/NAME` come first: `usr/bin` then has a script with absolute paths. */
function aptWrapper(name: string): string {
  return `home=\${0%/*}/../${name}
libraries=$(printf '%s:' "$home"/usr/lib/*-linux-gnu* "$home"/lib/*-linux-gnu* "$home"/usr/lib/*-linux-gnu*/pulseaudio)
export LD_LIBRARY_PATH="$libraries\${LD_LIBRARY_PATH:-}"
if [ ! -e /etc/fonts/fonts.conf ]; then export FONTCONFIG_FILE="$home/fonts.conf"; fi
for folder in lib/${name} sbin bin; do
  if [ -x "$home/usr/$folder/${name}" ]; then exec "$home/usr/$folder/${name}" "$@"; fi
done
echo "${name} is not among the unpacked packages" >&2
exit 127
`;
}

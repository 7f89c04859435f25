import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { UserFacingError } from "@tapthru/core/platform/user-facing-error";
import { execa } from "execa";
import { TOOLS_DIR } from "../stack/settings.ts";
import { findOnPath } from "./on-path.ts";

/** Package lists of our own, because only root may update the system's. */
const LISTS = join(TOOLS_DIR, "apt", "lists");
const OPTIONS = [
  `--option=Dir::State::lists=${LISTS}`,
  `--option=Dir::Cache=${join(TOOLS_DIR, "apt", "cache")}`,
  "--option=Debug::NoLocking=1",
  // Root would download as a user who may not write to the checkout.
  "--option=APT::Sandbox::User=root",
];

/** Returns true if apt can install the package; updates the package lists if they do not have it. */
export async function aptHasPackage(name: string): Promise<boolean> {
  if (findOnPath("apt-get") === null) return false;
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
 * Downloads these packages, and what they need and the system lacks, and unpacks them, without installing them or
 * starting a daemon.
 * @returns a shell script that runs the program with its libraries, from the folder `bin` beside them
 * @throws UserFacingError with apt-get's output
 */
export async function unpackFromApt(name: string, packages: readonly string[]): Promise<string> {
  await mkdir(TOOLS_DIR, { recursive: true });
  const workDir = await mkdtemp(join(TOOLS_DIR, "apt-"));
  const [archives, root] = [join(workDir, "archives"), join(workDir, "root")];
  await mkdir(join(archives, "partial"), { recursive: true });
  const download = () =>
    execa(
      "apt-get",
      [
        ...OPTIONS,
        `--option=Dir::Cache::archives=${archives}`,
        "install",
        "-y",
        "-q",
        "--no-install-recommends",
        "--download-only",
        // Also those that are installed.
        "--reinstall",
        ...packages,
      ],
      { stdin: "ignore", reject: false, all: true },
    );
  try {
    let result = await download();
    if (result.failed) {
      // The lists may have versions that the mirror has removed.
      await updateLists();
      result = await download();
    }
    if (result.failed)
      throw new UserFacingError(`apt-get could not download ${packages.join(" and ")}:\n${result.all}`);
    for (const file of await readdir(archives)) {
      if (file.endsWith(".deb")) await execa("dpkg", ["-x", join(archives, file), root]);
    }
    await writeFile(join(root, "fonts.conf"), FONTS);
    await rename(root, join(TOOLS_DIR, name)).catch(ignoreExisting);
    return scriptFor(name);
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

async function updateLists(): Promise<void> {
  await mkdir(join(LISTS, "partial"), { recursive: true });
  await mkdir(join(TOOLS_DIR, "apt", "cache", "archives", "partial"), { recursive: true });
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
function scriptFor(name: string): string {
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

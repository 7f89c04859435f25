import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { TOOLS_DIR } from "../stack/settings.ts";

/** Package lists of our own, because only root may update the system's. */
const LISTS = join(TOOLS_DIR, "apt", "lists");
const OPTIONS = [
  `--option=Dir::State::lists=${LISTS}`,
  `--option=Dir::Cache=${join(TOOLS_DIR, "apt", "cache")}`,
  "--option=Debug::NoLocking=1",
  // Root would download as a user who may not write to the checkout.
  "--option=APT::Sandbox::User=root",
];

/**
 * Downloads these packages, and what they need and the system lacks, and unpacks them, without installing them or
 * starting a daemon.
 * @returns a shell script that runs the program with its libraries, from the folder `bin` beside them; null if apt cannot
 * download them
 */
export async function unpackFromApt(name: string, packages: readonly string[]): Promise<string | null> {
  await mkdir(TOOLS_DIR, { recursive: true });
  const workDir = await mkdtemp(join(TOOLS_DIR, "apt-"));
  const [archives, root] = [join(workDir, "archives"), join(workDir, "root")];
  await mkdir(join(archives, "partial"), { recursive: true });
  // --reinstall: also those that are installed.
  const arguments_ = ["install", "-y", "-q", "--no-install-recommends", "--download-only", "--reinstall", ...packages];
  const download = () => apt([`--option=Dir::Cache::archives=${archives}`, ...arguments_]);
  try {
    let result = await download();
    if (result.failed) {
      // There are no lists yet, or they have versions that the mirror has removed.
      await updateLists();
      result = await download();
    }
    if (result.failed) {
      console.log(`apt-get could not download ${packages.join(" and ")}: ${result.all.trim().split("\n").at(-1)}`);
      return null;
    }
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

const apt = (args: readonly string[]) =>
  execa("apt-get", [...OPTIONS, ...args], { stdin: "ignore", reject: false, all: true, env: { LC_ALL: "C" } });

async function updateLists(): Promise<void> {
  await mkdir(join(LISTS, "partial"), { recursive: true });
  await mkdir(join(TOOLS_DIR, "apt", "cache", "archives", "partial"), { recursive: true });
  await apt(["update", "-q"]);
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

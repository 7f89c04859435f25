import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { aptHasPackage, unpackFromApt } from "./apt.ts";
import { pullImage } from "./docker.ts";
import { findOnPath } from "./on-path.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tapthru-programs-"));
  mkdirSync(join(folder, "bin"));
  vi.stubEnv("PATH", [join(folder, "bin"), process.env.PATH].join(delimiter));
  vi.stubEnv("FOLDER", folder);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** Puts a shell script on PATH; `$FOLDER` is the test's folder. */
function fakeProgram(name: string, script: string): string {
  const path = join(folder, "bin", name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

it("finds an executable on PATH, and no other file", () => {
  const path = fakeProgram("tool-on-path", "");
  expect(findOnPath("tool-on-path")).toBe(path);
  chmodSync(path, 0o644);
  expect(findOnPath("tool-on-path")).toBeNull();
});

describe("apt", () => {
  const update = '*"update -q"*) touch "$FOLDER/updated" ;;';
  const toolsDir = () => join(folder, "tools");

  it.each([
    ["updates the package lists if they lack the package", '[ -e "$FOLDER/updated" ]', true],
    ["does not have an unknown package", "false", false],
  ])("%s", async (_title, isListed, expected) => {
    fakeProgram("apt-get", `case "$*" in ${update} esac`);
    fakeProgram("apt-cache", `echo "  Candidate: $(${isListed} && echo 1.0 || echo "(none)")"`);
    expect(await aptHasPackage("tool-package")).toBe(expected);
  });

  it("unpacks a program, after an update if the lists are stale", async () => {
    const download = `*"--download-only tool-package"*)
      [ -e "$FOLDER/updated" ] || exit 100
      for option in "$@"; do
        case "$option" in --option=Dir::Cache::archives=*) touch "\${option##*=}/tool_1.deb" ;; esac
      done ;;`;
    fakeProgram("apt-get", `case "$*" in ${update} ${download} esac`);
    fakeProgram("dpkg", 'mkdir -p "$3/usr/bin" && echo unpacked > "$3/usr/bin/tool"');
    await unpackFromApt("tool", "tool-package", toolsDir());
    expect(readFileSync(join(toolsDir(), "tool", "usr", "bin", "tool"), "utf8")).toBe("unpacked\n");
  });

  it("throws apt's output if the download fails", async () => {
    fakeProgram("apt-get", "echo 'no network'; exit 100");
    await expect(unpackFromApt("tool", "tool-package", toolsDir())).rejects.toThrow(
      "apt-get could not download tool-package:\nno network",
    );
  });
});

describe("Docker", () => {
  it("pulls a missing image", async () => {
    fakeProgram("docker", 'echo "$*" >> "$FOLDER/log"; [ "$1 $2" != "image inspect" ]');
    expect(await pullImage("tool", "tool:1")).toContain('--entrypoint tool tool:1 "$@"');
    const log = readFileSync(join(folder, "log"), "utf8");
    expect(log).toBe("image inspect tool:1\npull --quiet tool:1\n");
  });

  it("throws Docker's output if it cannot pull the image", async () => {
    fakeProgram("docker", '[ "$1" = pull ] && echo "no registry" >&2; exit 1');
    await expect(pullImage("tool", "tool:1")).rejects.toThrow(
      "Docker could not pull tool:1: no registry",
    );
  });
});

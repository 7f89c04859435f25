import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { unpackFromApt } from "./apt.ts";
import { pullImage } from "./docker.ts";
import { findUnpacked } from "./find-programs.ts";

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
function fakeProgram(name: string, script: string): void {
  const path = join(folder, "bin", name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

describe("apt", () => {
  it("throws apt's output if the download fails", async () => {
    fakeProgram("apt-get", "echo 'no network'; exit 100");
    await expect(unpackFromApt("tool", ["tool-package"], join(folder, "tools"))).rejects.toThrow(
      "apt-get could not download tool-package:\nno network",
    );
  });

  const tool = { name: "tool", packages: ["tool", "tool-part"], versionOption: "-v" } as const;

  /** Of the packages, tool-part is installed. The program in tool is a link to the one in tool-part. */
  function fakeApt(): void {
    fakeProgram("apt-cache", "echo '  Candidate: 1'");
    fakeProgram(
      "apt-get",
      `for each in "$@"; do case $each in *::archives=*) cd "\${each#*archives=}";; esac; done
       touch tool.deb
       case "$*" in *--reinstall*tool-part*) touch tool-part.deb;; esac`,
    );
    fakeProgram(
      "dpkg",
      `mkdir -p "$3/usr/bin" && cd "$3/usr/bin"
       case $2 in *tool.deb) ln -s tool-part tool;; *) cp "$FOLDER/bin/apt-cache" tool-part;; esac`,
    );
  }

  it("downloads a part of the program that the system has already", async () => {
    fakeApt();
    const path = await findUnpacked(tool, join(folder, "tools"));
    expect((await execa(path ?? "")).stdout).toBe("  Candidate: 1");
  });

  it("downloads a program again that does not work", async () => {
    fakeApt();
    await findUnpacked(tool, join(folder, "tools"));
    rmSync(join(folder, "tools", "tool", "usr", "bin", "tool-part"));
    const path = await findUnpacked(tool, join(folder, "tools"));
    expect((await execa(path ?? "")).stdout).toBe("  Candidate: 1");
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
    await expect(pullImage("tool", "tool:1")).rejects.toThrow("Docker could not pull tool:1: no registry");
  });
});

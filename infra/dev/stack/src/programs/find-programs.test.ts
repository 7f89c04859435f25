import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { aptHasPackage, extractFromApt } from "./apt.ts";
import { isDockerAvailable, wrapInDocker } from "./docker.ts";
import { findOnPath } from "./on-path.ts";
import { installAdvice, NGINX, type Program, REDIS } from "./programs.ts";

const TOOL: Program = {
  name: "tool",
  aptPackage: "tool-package",
  brewFormula: "tool",
  dockerImage: "tool:1",
};

let folder: string;
let toolsDir: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tapthru-programs-"));
  toolsDir = join(folder, "data", "tools");
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

describe("installAdvice", () => {
  it("names the packages of the platform's package manager", () => {
    expect(installAdvice([REDIS, NGINX], "darwin")).toBe(
      "Missing: redis-server and nginx. Install with `brew install redis nginx`, or start Docker.",
    );
    expect(installAdvice([REDIS], "linux")).toBe(
      "Missing: redis-server. Install with `sudo apt-get install redis-server`, or start Docker.",
    );
  });
});

describe("findOnPath", () => {
  it("finds an executable on PATH, and no other file", () => {
    const path = fakeProgram("tool-on-path", "");
    expect(findOnPath("tool-on-path")).toBe(path);
    chmodSync(path, 0o644);
    expect(findOnPath("tool-on-path")).toBeNull();
  });
});

describe("apt", () => {
  const update = '*"update -q"*) touch "$FOLDER/updated" ;;';

  it("updates the package lists if they lack the package", async () => {
    fakeProgram("apt-get", `case "$*" in ${update} esac`);
    const candidate = '[ -e "$FOLDER/updated" ] && echo 1.0 || echo "(none)"';
    fakeProgram("apt-cache", `echo "  Candidate: $(${candidate})"`);
    expect(await aptHasPackage("tool-package")).toBe(true);
  });

  it("does not have an unknown package", async () => {
    fakeProgram("apt-get", "");
    fakeProgram("apt-cache", "");
    expect(await aptHasPackage("unknown")).toBe(false);
  });

  it("unpacks a program and its libraries, after an update if the lists are stale", async () => {
    const download = `*"install -y"*)
      [ -e "$FOLDER/updated" ] || exit 100
      for option in "$@"; do
        case "$option" in --option=Dir::Cache::archives=*) touch "\${option##*=}/tool_1.deb" ;; esac
      done ;;`;
    fakeProgram("apt-get", `case "$*" in ${update} ${download} esac`);
    const program = '#!/bin/sh\\necho "$1 with $LD_LIBRARY_PATH"\\n';
    fakeProgram(
      "dpkg",
      `mkdir -p "$3/usr/bin" && printf '${program}' > "$3/usr/bin/tool" && chmod +x "$3/usr/bin/tool"`,
    );

    const path = await extractFromApt(TOOL, toolsDir);

    expect(path).toBe(join(toolsDir, "bin", "tool"));
    expect((await execa(path, ["runs"])).stdout).toMatch(/^runs with .*\/tool\/usr\/lib\//);
  });

  it("throws apt's output if the download fails", async () => {
    fakeProgram("apt-get", "echo 'no network'; exit 100");
    await expect(extractFromApt(TOOL, toolsDir)).rejects.toThrow(
      "apt-get could not download tool-package:\nno network",
    );
  });
});

describe("Docker", () => {
  it("is unavailable if its engine does not respond", async () => {
    fakeProgram("docker", "exit 1");
    expect(await isDockerAvailable()).toBe(false);
  });

  it("pulls a missing image, and runs the program in it with the data folder at the same path", async () => {
    const log = join(folder, "docker.log");
    fakeProgram("docker", `echo "$*" >> '${log}'; [ "$1 $2" != "image inspect" ]`);

    const path = await wrapInDocker(TOOL, toolsDir);
    await execa(path, ["--port", "1"]);

    const [inspect, pull, run] = readFileSync(log, "utf8").split("\n");
    expect(inspect).toBe("image inspect tool:1");
    expect(pull).toBe("pull --quiet tool:1");
    const data = join(folder, "data");
    expect(run).toContain(`--volume ${data}:${data} --volume ${tmpdir()}:${tmpdir()}`);
    expect(run).toMatch(/--entrypoint tool tool:1 --port 1$/);
  });

  it("throws Docker's output if it cannot pull the image", async () => {
    fakeProgram("docker", '[ "$1" = pull ] && echo "no registry" >&2; exit 1');
    await expect(wrapInDocker(TOOL, toolsDir)).rejects.toThrow(
      "Docker could not pull tool:1: no registry",
    );
  });
});

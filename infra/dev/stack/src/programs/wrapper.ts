import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Writes a shell script that runs the program into the `bin` folder of `toolsDir`, under the program's name. */
export async function writeWrapper(name: string, toolsDir: string, body: string): Promise<string> {
  const path = join(toolsDir, "bin", name);
  await mkdir(join(toolsDir, "bin"), { recursive: true });
  await writeFile(`${path}.${process.pid}`, `#!/bin/sh\n${body}`, { mode: 0o755 });
  await rename(`${path}.${process.pid}`, path);
  return path;
}

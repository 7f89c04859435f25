import { spawnSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { UserFacingError } from "@tapthru/local/user-facing-error";

const BLOCK = Buffer.alloc(64 * 1_024);

/** A folder on a file system of a fixed size. */
export interface SmallDisk {
  /** Writes a file until no space is left, and returns its size in bytes. */
  fill(): Promise<number>;
  /** Removes that file. */
  free(): Promise<void>;
  remove(): void;
}

/**
 * Moves a folder onto a tmpfs of that size. No process may use the folder.
 * @throws UserFacingError without the right to mount
 */
export function moveToSmallDisk(folder: string, megabytes: number): SmallDisk {
  if (process.platform !== "linux" || process.getuid?.() !== 0)
    throw new UserFacingError("R20 needs root on Linux, to mount file systems of a fixed size.");
  const { uid, gid } = statSync(folder);
  const earlier = `${folder}.earlier`;
  renameSync(folder, earlier);
  mkdirSync(folder);
  const options = `size=${megabytes}m,mode=0700,uid=${uid},gid=${gid}`;
  run("mount", "-t", "tmpfs", "-o", options, "tmpfs", folder);
  run("cp", "-a", `${earlier}/.`, folder);
  rmSync(earlier, { recursive: true });
  const filler = join(folder, "filler");
  return {
    async fill() {
      const file = await open(filler, "a");
      try {
        for (;;) await file.write(BLOCK);
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
      } finally {
        await file.close();
      }
      return statSync(filler).size;
    },
    free: () => rm(filler, { force: true }),
    // Lazily, because a process may still use it.
    remove: () => run("umount", "--lazy", folder),
  };
}

function run(command: string, ...args: string[]): void {
  const { error, status, stderr } = spawnSync(command, args, { encoding: "utf8" });
  if (error || status !== 0) throw new UserFacingError(`${command}: ${error ?? stderr.trim()}`);
}

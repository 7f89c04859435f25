import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { UserFacingError } from "@tapthru/runtime/user-facing-error";
import { execa } from "execa";
import { CHECKOUT } from "../stack/settings.ts";

/** A package of its own outside the workspace, because few need it and it is large. */
const FOLDER = join(CHECKOUT, "infra", "dev", "stack", "firebase-tools");
export const FIREBASE = join(FOLDER, "node_modules", "firebase-tools", "lib", "bin", "firebase.js");

/** Whether firebase-tools is installed as its lockfile says. */
export function isFirebaseInstalled(): boolean {
  const installed = join(FOLDER, "node_modules", ".pnpm", "lock.yaml");
  const lockfile = join(FOLDER, "pnpm-lock.yaml");
  return existsSync(installed) && readFileSync(installed).equals(readFileSync(lockfile));
}

/** Installs firebase-tools from its lockfile if it is missing. */
export async function installFirebase(cancelSignal: AbortSignal): Promise<void> {
  if (isFirebaseInstalled()) return;
  console.log("Installing firebase-tools, which has the Firebase emulator …");
  const options = ["--ignore-workspace", "--frozen-lockfile", "--ignore-scripts"];
  const { failed, all } = await execa("npx", ["--yes", "pnpm@10", "install", ...options], {
    cwd: FOLDER,
    stdin: "ignore",
    all: true,
    reject: false,
    cancelSignal,
  });
  cancelSignal.throwIfAborted();
  if (failed) throw new UserFacingError(`Failed to install firebase-tools.\n${all}`);
}

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Folders of servers' programs that are often not on a user's PATH. */
const SERVER_FOLDERS = ["/usr/sbin", "/usr/local/sbin", "/usr/local/bin", "/opt/homebrew/bin"];

export function findOnPath(name: string): string | null {
  const folders = [...(process.env.PATH ?? "").split(delimiter), ...SERVER_FOLDERS];
  for (const folder of folders) {
    const found = folder === "" ? null : executable(join(folder, name));
    if (found) return found;
  }
  return null;
}

function executable(path: string): string | null {
  try {
    accessSync(path, constants.X_OK);
    return path;
  } catch {
    return null;
  }
}

import { join } from "node:path";
import { execa } from "execa";
import { CHECKOUT } from "./stack/settings.ts";

const toolsOf = (folder: string) =>
  execa({ cwd: folder, preferLocal: true, localDir: folder, stdin: "ignore", reject: false });

/** Runs a program of the checkout's node_modules in the checkout; a failure is in the result. */
export const runTool = toolsOf(CHECKOUT);
/** The same in `web`. */
export const runWebTool = toolsOf(join(CHECKOUT, "web"));

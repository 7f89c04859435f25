import { join } from "node:path";
import { execa } from "execa";
import { CHECKOUT } from "./stack/settings.ts";

const toolsOf = (folder: string) =>
  execa({ cwd: folder, preferLocal: true, localDir: folder, stdin: "ignore", reject: false });

/**
 * Runs a program from the checkout's node_modules, with the checkout as its working directory. Does not throw if the
 * program fails: the result says so.
 */
export const runTool = toolsOf(CHECKOUT);
/** Runs a program from the node_modules of `web`, with `web` as its working directory. */
export const runWebTool = toolsOf(join(CHECKOUT, "web"));

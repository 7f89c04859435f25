import { ChildError, runInChild } from "../../../child-process/run-in-child.ts";
import type { ReadResult } from "../source.ts";
import type { FetchedPage } from "./parse-page.ts";

const PARSER = {
  module: new URL("./parse-page-process.ts", import.meta.url),
  /** An ordinary page takes 1 % of it. */
  cpuMs: 5_000,
  /** Enough for an ordinary page of 2 MiB. */
  memoryMb: 256,
  lifetimeMs: 30_000,
  // Loading the parser takes eight times as long as an ordinary page.
  inputs: 50,
};

/**
 * Parses a page in a separate process, which ends if hostile HTML blocks the parser or exhausts its memory.
 * @throws the signal's reason, or an error if no process could be started
 */
export async function readPage(
  page: FetchedPage,
  signal: AbortSignal,
  limits: { cpuMs?: number; lifetimeMs?: number } = {},
): Promise<ReadResult> {
  try {
    return await runInChild<ReadResult>({ ...PARSER, ...limits }, page, { signal });
  } catch (error) {
    if (error instanceof ChildError) return { kind: "nothing", outcome: "unreadable" };
    throw error;
  }
}

import { type Reading, readFiles } from "./read-files.ts";

/** `bytes`: that were read until now. */
export type Progress = { bytes: number } | { reading: Reading };

const report = (progress: Progress) => postMessage(progress);

addEventListener("message", async ({ data }: MessageEvent<File[]>) => {
  report({ reading: await readFiles(data, (bytes) => report({ bytes })) });
});

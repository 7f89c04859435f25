import { readFiles } from "./read-files.ts";

addEventListener("message", async ({ data }: MessageEvent<File[]>) => postMessage(await readFiles(data)));

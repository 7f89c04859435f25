import { runTask, type Task } from "./tasks.ts";

addEventListener("message", async ({ data }: MessageEvent<Task>) => postMessage(await runTask(data)));

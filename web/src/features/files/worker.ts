import { runTask, type Task } from "./tasks.ts";

addEventListener("message", ({ data }: MessageEvent<Task>) => void runTask(data, (message) => postMessage(message)));

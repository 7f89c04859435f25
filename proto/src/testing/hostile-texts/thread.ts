import { parentPort, workerData } from "node:worker_threads";
import type { Target } from "./find-endless.ts";
import { HOSTILE_TEXTS } from "./texts.ts";

const modules: readonly string[] = workerData;
for (const module of modules) {
  const exports: Record<string, unknown> = await import(module);
  const targets = (exports.targets ?? functionsIn(exports)) as Iterable<Target>;
  for await (const [name, read] of targets) {
    for (const text of HOSTILE_TEXTS) {
      parentPort?.postMessage(`${name} in ${module}: ${text.slice(0, 40)}`);
      try {
        await read(text);
      } catch {}
    }
    parentPort?.postMessage(null);
  }
}

function* functionsIn(exports: Record<string, unknown>): Generator<Target> {
  for (const [name, value] of Object.entries(exports)) {
    if (typeof value === "function") yield [name, (text) => value(text, text, text)];
  }
}

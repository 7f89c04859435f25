import { cpus, loadavg, totalmem } from "node:os";
import { CAN_PIN } from "../cores.ts";

/** When, and on which machine. */
export function describeRun(): string {
  const [{ model } = { model: "unknown processor" }, ...others] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const pinned = CAN_PIN ? "processes kept on their cores" : "not kept on cores: rough figures";
  const busy = loadavg()[2]?.toFixed(1);
  const date = new Date().toISOString().slice(0, 10);
  return `${date}, ${others.length + 1} cores (${model.trim()}), ${memory} GiB, Node ${process.versions.node}, ${pinned}; load average of the last quarter of an hour: ${busy}.`;
}

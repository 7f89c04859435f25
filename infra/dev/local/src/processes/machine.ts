import { cpus, release, totalmem, type } from "node:os";

/** Today's date, such as "2026-07-31". */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** Cores, memory, system and Node of this machine, for measured figures. */
export function machineSummary(): string {
  const [{ model } = { model: "unknown processor" }, ...others] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${others.length + 1} cores (${model.trim()}), ${memory} GB, ${type()} ${release()}, Node ${process.versions.node}`;
}

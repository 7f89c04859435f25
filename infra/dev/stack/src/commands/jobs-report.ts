import type { FailedJob, QueueState } from "@tapthru/runtime/jobs/admin";

const COUNT_COLUMNS = ["waiting", "running", "delayed", "failed"] as const;

/** A line for each queue, then one for each failed job. */
export function jobsReport(queues: readonly QueueState[]): string {
  const width = Math.max(...queues.map(({ job }) => job.length));
  const line = (job: string, cells: readonly (number | string)[]) =>
    job.padEnd(width) + cells.map((cell) => String(cell).padStart(9)).join("");
  const lines = [line("", COUNT_COLUMNS)];
  for (const { job, waiting, running, delayed, failed } of queues) {
    lines.push(line(job, [waiting, running, delayed, failed.length]));
  }
  for (const { job, failed } of queues) {
    if (failed.length > 0) lines.push("", `Failed ${job}:`, ...failed.map(failedLine));
  }
  return lines.join("\n");
}

function failedLine({ id, failedAt, attempts, reason, payload }: FailedJob): string {
  const count = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
  const when = new Date(failedAt).toISOString();
  return `  ${id}  ${count}, last at ${when}: ${reason}  ${JSON.stringify(payload)}`;
}

import { vi } from "vitest";
import { runTask, type Task } from "../features/files/tasks.ts";

/** happy-dom has no workers: files are read on the page. */
class FakeWorker {
  onmessage: ((event: { data: unknown }) => void) | null = null;
  terminate() {
    this.onmessage = null;
  }
  postMessage(task: Task) {
    return runTask(task, (data) => this.onmessage?.({ data }));
  }
}

export const useFakeWorker = () => vi.stubGlobal("Worker", FakeWorker);

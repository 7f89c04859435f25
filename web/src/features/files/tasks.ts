import { FileRefusal } from "./file-refusal.ts";

/** The tasks of the worker, each with the script that it needs. */
const TASKS = {
  async lines({ file, timeZone }: { file: Blob; timeZone: string }) {
    return (await import("./address-lines.ts")).readLinkFile(file, timeZone);
  },
  async amazonLinks(files: readonly File[], onProgress: (percent: number) => void) {
    return (await import("./read-files.ts")).readFiles(files, onProgress);
  },
};

export type TaskName = keyof typeof TASKS;
export type InputOf<Name extends TaskName> = Parameters<(typeof TASKS)[Name]>[0];
export type ResultOf<Name extends TaskName> = Awaited<ReturnType<(typeof TASKS)[Name]>>;

export type Task = { [Name in TaskName]: { name: Name; input: InputOf<Name> } }[TaskName];
/** `percent`: how much is done; `refusal`: why the file is refused, for the user; undefined: the reader failed. */
export type Message<Name extends TaskName> =
  | { percent: number }
  | { result: ResultOf<Name> }
  | { refusal: string | undefined };

type RunTask = (input: Task["input"], onProgress: (percent: number) => void) => Promise<ResultOf<TaskName>>;

export async function runTask({ name, input }: Task, post: (message: Message<TaskName>) => void) {
  try {
    post({ result: await (TASKS[name] as RunTask)(input, (percent) => post({ percent })) });
  } catch (error) {
    post({ refusal: error instanceof FileRefusal ? error.message : undefined });
  }
}

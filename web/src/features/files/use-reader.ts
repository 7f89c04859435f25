import { useEffect, useRef } from "react";
import type { InputOf, Outcome, ResultOf, TaskName } from "./tasks.ts";

const FAILED = "The file could not be read. Please reload the page and try again.";

interface Callbacks<Name extends TaskName> {
  onDone: (result: ResultOf<Name>) => void;
  onFailed: (message: string) => void;
}

/**
 * Reads files in a web worker, so that the page responds meanwhile. Nothing is sent.
 * @returns a function that reads; a later call replaces an earlier one
 */
export function useReader() {
  const worker = useRef<Worker>(null);

  // Its script is loaded before there are files.
  useEffect(() => {
    const started = startWorker();
    worker.current = started;
    // Another one is started for a file.
    started.onerror = () => {
      worker.current = null;
    };
    return () => worker.current?.terminate();
  }, []);

  return <Name extends TaskName>(name: Name, input: InputOf<Name>, { onDone, onFailed }: Callbacks<Name>) => {
    // An earlier task may take long, and its result is not wanted any more.
    if (worker.current?.onmessage) worker.current.terminate();
    const reader = worker.current && !worker.current.onmessage ? worker.current : startWorker();
    worker.current = reader;
    const end = () => {
      reader.onmessage = null;
      reader.onerror = null;
    };
    reader.onerror = () => {
      end();
      worker.current = null;
      onFailed(FAILED);
    };
    reader.onmessage = ({ data }: MessageEvent<Outcome<Name>>) => {
      end();
      if ("result" in data) onDone(data.result);
      else onFailed(data.refusal ?? FAILED);
    };
    reader.postMessage({ name, input });
  };
}

const startWorker = () => new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });

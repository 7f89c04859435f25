import { useEffect, useRef, useState } from "react";
import type { InputOf, Message, ResultOf, TaskName } from "./tasks.ts";

const FAILED = "The file could not be read. Please reload the page and try again.";

/**
 * Reads files in a web worker, so that the page responds meanwhile. Nothing is sent.
 * @returns `read`: a later call replaces an earlier one; `progress`: what a `FileArea` shows while files are read; `error`: of the latest one
 */
export function useReader() {
  const worker = useRef<Worker>(null);
  const [percent, setPercent] = useState<number>();
  const [error, setError] = useState<string>();

  useEffect(() => () => worker.current?.terminate(), []);

  function stop() {
    worker.current?.terminate();
    worker.current = null;
    setPercent(undefined);
  }

  function read<Name extends TaskName>(name: Name, input: InputOf<Name>, onDone: (result: ResultOf<Name>) => void) {
    // An earlier task may take long, and its result is not wanted any more.
    if (worker.current?.onmessage) stop();
    worker.current ??= new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    const reader = worker.current;
    setError(undefined);
    setPercent(0);
    const fail = (message = FAILED) => {
      stop();
      setError(message);
    };
    reader.onerror = () => fail();
    reader.onmessage = ({ data }: MessageEvent<Message<Name>>) => {
      if ("percent" in data) return setPercent(data.percent);
      if ("refusal" in data) return fail(data.refusal);
      reader.onmessage = null;
      setPercent(undefined);
      onDone(data.result);
    };
    reader.postMessage({ name, input });
  }
  return { read, error, progress: percent === undefined ? undefined : { percent, onCancel: stop } };
}

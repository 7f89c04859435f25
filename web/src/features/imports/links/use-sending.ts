import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { errorText, isNetworkFailure, unlessOffline } from "../../../lib/http/http-client.ts";
import { refreshAfter, refreshLinkLists } from "../../../lib/link-lists.ts";
import { UNFINISHED_IMPORT_KEY, writeText } from "../../../lib/stored-texts.ts";
import type { LinkFile } from "../../files/index.ts";
import type { ImportChoice, Line } from "./find-known.ts";
import { type Result, sendLines } from "./send-lines.ts";

const FAILED = "The links could not be sent.";
const LOST = "The connection was lost.";

/** The sending of the lines of a file. `waiting`: until there may be more requests. */
export function useSending({ hash: fileHash }: Pick<LinkFile, "hash">) {
  const queryClient = useQueryClient();
  const [state, setState] = useState<"ready" | "sending" | "waiting" | "paused" | "done">("ready");
  const [error, setError] = useState<string>();
  /** The plan of which lines were or will be sent; it does not change. */
  const [sent, setSent] = useState<{ lines: readonly Line[]; choice: ImportChoice }>();
  const [results, setResults] = useState<ReadonlyMap<number, Result>>(new Map());
  const stopped = useRef<AbortController>(null);
  useEffect(() => () => stopped.current?.abort(), []);

  async function send(planned: NonNullable<typeof sent>, done: ReadonlyMap<number, Result>) {
    stopped.current?.abort();
    const stopping = new AbortController();
    stopped.current = stopping;
    setSent(planned);
    setResults(done);
    setError(undefined);
    setState("sending");
    // A reload of the page loses the file, which can be chosen again.
    writeText(UNFINISHED_IMPORT_KEY, fileHash, "sessionStorage");
    try {
      await sendLines(
        planned.lines.filter(({ line, refusal }) => refusal === null && !done.has(line)),
        {
          ...{ fileHash, choice: planned.choice, signal: stopping.signal },
          onResults: (added) => setResults((known) => new Map([...known, ...added])),
          onWait: (isWaiting) => setState(isWaiting ? "waiting" : "sending"),
        },
      );
      setState("done");
      writeText(UNFINISHED_IMPORT_KEY, null, "sessionStorage");
    } catch (failure) {
      if (!stopping.signal.aborted) {
        const isLost = failure instanceof Error && isNetworkFailure(failure);
        setError(errorText(failure, isLost ? unlessOffline(LOST) : FAILED));
        setState("paused");
      }
    }
    void refreshLinkLists(queryClient);
    queryClient.invalidateQueries({ queryKey: ["/api/links/stores"] });
    void refreshAfter(queryClient, "POST /api/links/bulk").catch(() => {});
  }

  const isToRetry = (result: Result) => result.kind === "failed" && result.isRetryable;
  return {
    state,
    error,
    /** Undefined before it starts. */
    lines: sent?.lines,
    results,
    start: (lines: readonly Line[], choice: ImportChoice) => void send({ lines, choice }, new Map()),
    /** The request in progress is completed, and its result is shown. */
    pause() {
      stopped.current?.abort();
      setState("paused");
    },
    goOn: () => sent && void send(sent, results),
    retry: () => sent && void send(sent, new Map([...results].filter(([, result]) => !isToRetry(result)))),
  };
}

import { useQueryClient } from "@tanstack/react-query";
import { OWNER_FIELD_NAMES } from "@tapthru/proto/owner-fields";
import { LINKS_CREATE_MAX_COUNT, SHORT_LINKS_CREATE_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { shortCodeOf } from "@tapthru/proto/rules/short-code";
import { useEffect, useRef, useState } from "react";
import { hash } from "../../../lib/hash.ts";
import { callApi, type InputOf, type ReplyTo } from "../../../lib/http/call-api.ts";
import { errorText, isNetworkFailure, unlessOffline } from "../../../lib/http/http-client.ts";
import { sendWhenAllowed, waitOrBusySeconds } from "../../../lib/http/too-many-requests.ts";
import { refreshAfter } from "../../../lib/link-lists.ts";
import type { LinkFile } from "../../files/index.ts";
import { REFUSALS } from "../../files/index.ts";
import { divide } from "./divide.ts";
import { channelFields, type ImportChoice, type Line } from "./find-known.ts";

const FAILED = "The links could not be sent.";
const LOST = "The connection was lost.";

/** The sending of the lines of a file. */
export function useSending({ hash: fileHash }: Pick<LinkFile, "hash">) {
  const queryClient = useQueryClient();
  const [state, setState] = useState<"ready" | "sending" | "paused" | "done">("ready");
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
    try {
      await sendLines(
        planned.lines.filter(({ line, refusal }) => refusal === null && !done.has(line)),
        {
          ...{ fileHash, choice: planned.choice, signal: stopping.signal },
          onResults: (added) => setResults((known) => new Map([...known, ...added])),
        },
      );
      setState("done");
    } catch (failure) {
      if (!stopping.signal.aborted) {
        const isLost = failure instanceof Error && isNetworkFailure(failure);
        setError(errorText(failure, isLost ? unlessOffline(LOST) : FAILED));
        setState("paused");
      }
    }
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

/** The result of a line that was sent. `known`: the user had the link. */
export type Result =
  | { kind: "created" | "known"; shortUrl: string; keepsCode: boolean }
  | { kind: "failed"; message: string; isRetryable: boolean };

type NewLink = InputOf<"POST /api/links/bulk">["body"]["links"][number];

/** A request may look up short links at Amazon, each for some seconds. */
const TIMEOUT_MS = 60_000;

/** The link of a line, with a key by which another attempt with the same file gets the same link. */
function linkOf(line: Line, fileHash: string, { channel }: ImportChoice): NewLink {
  const { url, slug, replacement, address, labels, linkDomain: domain } = line;
  const isShort = address.kind === "short";
  // Only the api finds out whether the user has the link that a short link of Amazon leads to, also by a code that is in use.
  const mayHaveSlug = replacement === null || (isShort && replacement === "slug-taken");
  const link = {
    url,
    domain,
    ...channelFields(channel),
    ...(slug && mayHaveSlug && { slug, mayReplaceSlug: true }),
    ...Object.fromEntries(OWNER_FIELD_NAMES.flatMap((field) => (line[field] === null ? [] : [[field, line[field]]]))),
    ...(labels.length > 0 && { labels }),
    ...(isShort && { unlessKnown: true }),
  };
  const text = `${fileHash} ${line.line} ${JSON.stringify(link)}`;
  return { ...link, idempotencyKey: hash(new TextEncoder().encode(text)) };
}

interface SendOptions {
  fileHash: string;
  choice: ImportChoice;
  /** Called after each request. */
  onResults: (results: ReadonlyMap<number, Result>) => void;
  signal: AbortSignal;
}

/** Creates the links of lines, in one request after another. @throws if a request fails */
async function sendLines(lines: readonly Line[], { fileHash, choice, signal, onResults }: SendOptions) {
  const items = lines.map((line) => ({ line, link: linkOf(line, fileHash, choice) }));
  const short = items.filter(({ link }) => link.unlessKnown);
  const others = items.filter(({ link }) => !link.unlessKnown);
  const parts = [...divide(others, LINKS_CREATE_MAX_COUNT), ...divide(short, SHORT_LINKS_CREATE_MAX_COUNT)];
  for (const part of parts) {
    signal.throwIfAborted();
    const body = { links: part.map(({ link }) => link) };
    const { results } = await sendWhenAllowed(() => callApi("POST /api/links/bulk", { body, timeoutMs: TIMEOUT_MS }), {
      secondsAfter: waitOrBusySeconds,
      signal,
    });
    const byLine = part.flatMap(({ line }, at): [number, Result][] => {
      const result = results[at];
      return result ? [[line.line, resultOf(line, result)]] : [];
    });
    onResults(new Map(byLine));
  }
  signal.throwIfAborted();
}

type Reply = ReplyTo<"POST /api/links/bulk">["results"][number];

function resultOf({ slug, linkDomain }: Line, reply: Reply): Result {
  if ("link" in reply) {
    const { shortCode, shortUrl } = reply.link;
    const keepsCode = !slug || shortCode === shortCodeOf(slug, linkDomain);
    return { kind: reply.status === 200 ? "known" : "created", shortUrl, keepsCode };
  }
  const { status, code, message } = reply;
  const isRetryable = status === 429 || status >= 500;
  if (code === "short-link-failed" || code === "short-link-too-slow")
    return { kind: "failed", message: "Amazon did not respond for this short link. Please try again.", isRetryable };
  return { kind: "failed", message: REFUSALS[code as keyof typeof REFUSALS] ?? message, isRetryable };
}

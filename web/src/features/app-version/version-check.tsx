import { useQuery, useQueryClient } from "@tanstack/react-query";
import { VERSION_CHECK_INTERVAL_MS } from "@tapthru/proto/rules/limits";
import { useEffect, useEffectEvent, useRef } from "react";
import { hasUnsavedText } from "../../lib/unsaved-text.ts";
import { versionQuery } from "./get-version.ts";
import { isNewVersion, readStoredVersion, recordReload, storeVersion, wasReloadedFor } from "./stored-version.ts";

interface VersionCheckProps {
  /** Delays a reload, because the page shows content that it would lose. */
  isBlocked: boolean;
}

/**
 * Reloads the page when another version is deployed, or a script fails to load: it may be of an earlier version, and Safari
 * and Firefox before 155 do not request it again (github.com/whatwg/html/issues/6768).
 */
export default function VersionCheck({ isBlocked }: VersionCheckProps) {
  const queryClient = useQueryClient();
  const running = useRef<string>(null);
  const { data: deployed } = useQuery({
    ...versionQuery,
    refetchInterval: VERSION_CHECK_INTERVAL_MS,
    refetchIntervalInBackground: true,
  });
  const mustWait = useEffectEvent(() => isBlocked || queryClient.isMutating() > 0 || isInUse());

  useEffect(() => {
    if (deployed === undefined) return;
    const stored = readStoredVersion();
    const isNew = isNewVersion(deployed, { running: running.current, stored });
    running.current ??= stored ?? deployed;
    if (stored !== deployed) storeVersion(deployed);
    if (isNew) return reloadWhenIdle(deployed, () => mustWait());
    return undefined;
  }, [deployed]);

  const reload = useEffectEvent(async () => {
    if (mustWait()) return;
    // Without the server a reload would show the browser's error page.
    const isReachable = await queryClient.fetchQuery({ ...versionQuery, staleTime: 0 }).then(Boolean, () => false);
    if (isReachable && !wouldLoseInput()) reloadOnce("failed-script");
  });
  useEffect(() => {
    const handle = () => void reload();
    addEventListener("vite:preloadError", handle);
    return () => removeEventListener("vite:preloadError", handle);
  }, []);
  return null;
}

const FIELDS = "input:not([type=radio], [type=checkbox], [type=hidden], [type=range]), textarea, [contenteditable]";

/** React writes the text of some fields into their default value, too. */
const typedInto = new WeakSet<EventTarget>();
// The build renders pages without it.
globalThis.addEventListener?.("input", ({ target }) => target && typedInto.add(target), true);

/** Whether a reload would lose input or a toast, or fail because the browser is offline. */
function isInUse(): boolean {
  return wouldLoseInput() || document.querySelector(".toast") !== null || !navigator.onLine;
}

/** Whether a reload would lose text, a choice, a selection, an undo or a dialog. */
function wouldLoseInput(): boolean {
  return (
    hasUnsavedText() ||
    [...document.querySelectorAll<HTMLElement>(FIELDS)].some(isTypedInto) ||
    document.querySelector("dialog[open], .sticky-toolbar") !== null
  );
}

function isTypedInto(field: HTMLElement): boolean {
  const isTyping = field === document.activeElement && document.hasFocus();
  const { value, defaultValue = "" } = field as HTMLInputElement;
  const text = value ?? field.textContent;
  return isTyping || (text !== "" && (text !== defaultValue || typedInto.has(field)));
}

const PAUSE_MS = 1_000;

/**
 * Reloads the page for a new version as soon as the page is idle, at most once per version.
 * @returns a function that cancels a pending reload
 */
function reloadWhenIdle(version: string, isInUse: () => boolean): () => void {
  const reload = () => {
    if (isInUse()) return;
    clearInterval(timer);
    reloadOnce(version);
  };
  const timer = setInterval(reload, PAUSE_MS);
  reload();
  return () => clearInterval(timer);
}

/** Reloads the page, at most once for a reason in a tab. */
function reloadOnce(reason: string): void {
  if (!wasReloadedFor(reason) && recordReload(reason)) location.reload();
}

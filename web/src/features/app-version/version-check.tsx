import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from "react";
import { abortAfter } from "../../lib/http/http-client.ts";
import { readText, writeText } from "../../lib/stored-texts.ts";
import { useUnsavedForms } from "../../lib/unsaved-text.ts";

const VERSION_CHECK_INTERVAL_MS = 5 * 60_000;
const APP_VERSION_KEY = "app_version";

interface VersionCheckProps {
  /** Delays a reload, because the page shows content that it would lose. */
  isBlocked: boolean;
}

/**
 * Reloads the page when another version is deployed, or a script fails to load: it may be of an earlier version, and Safari
 * and Firefox before 155 do not request it again (github.com/whatwg/html/issues/6768).
 */
export function VersionCheck({ isBlocked }: VersionCheckProps) {
  const queryClient = useQueryClient();
  const running = useRef<string>(null);
  const { data: deployed } = useQuery({
    ...versionQuery,
    refetchInterval: VERSION_CHECK_INTERVAL_MS,
    refetchIntervalInBackground: true,
  });
  const unsavedForms = useUnsavedForms();
  /** Returns true if a reload would lose text, a choice, a selection, an undo or a dialog. */
  const wouldLoseInput = () =>
    unsavedForms.has() ||
    [...document.querySelectorAll<HTMLInputElement>(FIELDS)].some(hasText) ||
    document.querySelector("dialog[open], .sticky-toolbar") !== null;
  /** Also a toast. Offline a reload would fail. */
  const mustWait = useEffectEvent(
    () =>
      isBlocked ||
      queryClient.isMutating() > 0 ||
      wouldLoseInput() ||
      document.querySelector(".toast") !== null ||
      !navigator.onLine,
  );

  useEffect(() => {
    if (deployed === undefined) return;
    running.current ??= readText(APP_VERSION_KEY) ?? deployed;
    writeText(APP_VERSION_KEY, deployed);
    return running.current === deployed ? undefined : reloadWhenIdle(deployed, () => mustWait());
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

const FIELDS = "input:not([type=radio], [type=checkbox], [type=hidden], [type=range]), textarea";

const hasText = (field: HTMLInputElement) =>
  field.value !== "" || (field === document.activeElement && document.hasFocus());

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

/** The reasons for which this tab has reloaded, one per line. */
const RELOADED_FOR_KEY = "reloaded_for";

/** Reloads the page, at most once for a reason in a tab. Not if that cannot be stored: it could repeat forever. */
function reloadOnce(reason: string): void {
  try {
    const reasons = sessionStorage.getItem(RELOADED_FOR_KEY) ?? "";
    if (reasons.split("\n").includes(reason)) return;
    sessionStorage.setItem(RELOADED_FOR_KEY, `${reasons}\n${reason}`);
  } catch {
    return;
  }
  location.reload();
}

const TIMEOUT_MS = 15_000;

/** The deployed version. After a failure, such as the HTML of the site as the reply, the last known one. */
const versionQuery = queryOptions({
  queryKey: ["/version.txt"],
  async queryFn({ signal }) {
    const response = await fetch("/version.txt", { signal: abortAfter(TIMEOUT_MS, signal) });
    const isText = response.headers.get("Content-Type")?.startsWith("text/plain");
    const version = (await response.text()).trim();
    if (!response.ok || !isText || !version || version.startsWith("<")) {
      throw new Error("/version.txt does not contain a version");
    }
    return version;
  },
});

export function VersionLabel() {
  const { data: version } = useQuery(versionQuery);
  // The version may be known before React takes over the prerendered page, which does not have it.
  const isHydrating = useSyncExternalStore(
    () => () => {},
    () => false,
    () => true,
  );
  if (isHydrating || !version) return null;
  return <p className="text-sm text-muted">{`Version ${version}`}</p>;
}

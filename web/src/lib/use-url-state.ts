import { useEffect, useRef } from "react";
import { useLocation, useNavigate, useSearchParams } from "react-router-dom";
import * as z from "zod/mini";

type Values = Record<string, string | null>;

/**
 * Keeps what a page shows in its URL, so that reloading the page and going back to it restore it.
 * @param schema has a default for each parameter that is missing or invalid (`z.catch`). Defaults are not in the URL
 */
export function useUrlState<View extends Values>(schema: z.ZodMiniType<View>) {
  const [params] = useSearchParams();
  const { hash, state } = useLocation();
  const navigate = useNavigate();
  const view = z.parse(schema, Object.fromEntries(params));
  /** With changes that are not yet rendered. */
  const latest = useRef(params);
  useEffect(() => {
    latest.current = params;
  }, [params]);

  /** @param replace false: going back shows what was shown before */
  function change(changes: Partial<View>, replace = true) {
    const next = new URLSearchParams(latest.current);
    const defaults: Values = z.parse(schema, {});
    const shown = z.parse(schema, Object.fromEntries(next));
    for (const [name, value] of Object.entries<string | null>({ ...shown, ...changes })) {
      if (value === null || value === defaults[name]) next.delete(name);
      else next.set(name, value);
    }
    latest.current = next;
    // The state has what the link back to the list needs. Without flushSync React puts the earlier value back into the field until the
    // page is rendered, and the next key changes that one.
    navigate({ search: next.toString(), hash }, { replace, preventScrollReset: true, state, flushSync: true });
  }

  return [view, change] as const;
}

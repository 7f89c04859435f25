import { useQuery } from "@tanstack/react-query";
import { queryOf } from "../../lib/http/query-presets.ts";

const revokeKeys = (count: number) =>
  count === 1
    ? "Also revoke my API key, which keeps working otherwise"
    : "Also revoke my API keys, which keep working otherwise";

interface RevokeKeysProps {
  /** Of all keys that work. */
  names: readonly string[];
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** Offers to revoke all API keys. Nothing for a user without keys. */
export function RevokeKeys({ names, checked, onChange }: RevokeKeysProps) {
  if (names.length === 0) return null;
  return (
    <label className="flex items-start gap-3 rounded-xl border border-line px-3 py-2.5">
      <input
        type="checkbox"
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
        className="mt-1 size-4 shrink-0 accent-accent"
      />
      <span className="min-w-0 wrap-anywhere">
        {revokeKeys(names.length)}
        <span className="block text-sm text-muted">{names.join(", ")}</span>
      </span>
    </label>
  );
}

/** The names of the user's keys that work; empty while they are not known. */
export function useOwnKeyNames(): string[] {
  const { data = [] } = useQuery(queryOf("GET /api/keys"));
  const now = new Date().toISOString();
  return data.filter(({ expiresAt }) => expiresAt === null || expiresAt > now).map(({ name }) => name);
}

import { useQuery } from "@tanstack/react-query";
import { Checkbox } from "../../components/ui/choice-list.tsx";
import { queryOf } from "../../lib/http/query-presets.ts";

interface RevokeKeysProps {
  /** The number of keys that work. */
  names: readonly string[];
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** Offers to revoke all API keys. Nothing for a user without keys. */
export function RevokeKeys({ names, checked, onChange }: RevokeKeysProps) {
  if (names.length === 0) return null;
  return (
    <Checkbox
      name={
        names.length === 1
          ? "Also revoke my API key, which keeps working otherwise"
          : "Also revoke my API keys, which keep working otherwise"
      }
      text={names.join(", ")}
      checked={checked}
      onChange={onChange}
    />
  );
}

/** The names of the user's keys that work; empty while they are not known. */
export function useOwnKeyNames(): string[] {
  const { data = [] } = useQuery(queryOf("GET /api/keys"));
  const now = new Date().toISOString();
  return data.filter(({ expiresAt }) => expiresAt === null || expiresAt > now).map(({ name }) => name);
}

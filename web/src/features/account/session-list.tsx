import type { listSessions } from "@tapthru/proto/http/sessions";
import { messages } from "@tapthru/proto/rules/messages";
import type * as z from "zod/mini";
import { Badge } from "../../components/ui/badge.tsx";
import { formatMinute } from "../../lib/dates.ts";
import { browserName } from "./browser-name.ts";

type Session = z.infer<(typeof listSessions)["replies"][200]>[number];

export function SessionList({ sessions }: { sessions: readonly Session[] }) {
  return (
    <ul className="divide-y divide-line">
      {sessions.map(({ id, userAgent, lastSeenAt, createdAt, isCurrent }) => (
        <li key={id} className="py-3 first:pt-0">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
            {browserName(userAgent)}
            {isCurrent && <Badge>{messages.thisBrowser}</Badge>}
          </p>
          <p className="mt-0.5 text-sm text-muted">
            {messages.sessionSeen(formatTime(lastSeenAt), formatTime(createdAt))}
          </p>
        </li>
      ))}
    </ul>
  );
}

function formatTime(iso: string): string {
  return formatMinute(iso);
}

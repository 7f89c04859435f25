import { useQuery } from "@tanstack/react-query";
import Bowser from "bowser";
import { useState } from "react";
import { Badge } from "../../components/ui/badge.tsx";
import { Card } from "../../components/ui/card.tsx";
import { Loaded } from "../../components/ui/loaded.tsx";
import { Action } from "../../kit/action.tsx";
import { formatMinute } from "../../lib/dates.ts";
import { queryOf } from "../../lib/http/query-presets.ts";
import { RevokeKeys, useOwnKeyNames } from "../api-keys/index.ts";

const TITLE = "Where you are logged in";

interface SessionsProps {
  /** Logs out this browser, after all sessions have ended. */
  onLoggedOut: () => void;
}

export function Sessions({ onLoggedOut }: SessionsProps) {
  const query = useQuery(queryOf("GET /api/sessions"));
  const keyNames = useOwnKeyNames();
  const [revokesKeys, setRevokesKeys] = useState(false);
  return (
    <Card title={TITLE}>
      {/* At least as tall as one session with the button, so that the content below does not move. */}
      <div className="min-h-33.5 sm:min-h-28.5">
        <Loaded place="line" data={query.data} query={query} failed="Your sessions could not be loaded.">
          {(sessions) => (
            <>
              <ul aria-label={TITLE} className="divide-y divide-line">
                {sessions.map(({ id, userAgent, lastSeenAt, createdAt, isCurrent }) => (
                  <li key={id} className="py-3 first:pt-0">
                    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
                      {browserName(userAgent)}
                      {isCurrent && <Badge>This browser</Badge>}
                    </p>
                    <p className="mt-0.5 text-sm text-muted">
                      {`Last used ${formatMinute(lastSeenAt)}, logged in ${formatMinute(createdAt)}`}
                    </p>
                  </li>
                ))}
              </ul>
              <div className="mt-3 flex flex-col">
                <Action
                  call="DELETE /api/sessions"
                  input={{ query: { revokesKeys: `${revokesKeys}` } }}
                  label="Log out everywhere"
                  question="Log out of all browsers, including this one? You will need to log in again."
                  confirmVariant="primary"
                  failed="Failed to log out. Please try again."
                  onDone={onLoggedOut}
                >
                  <RevokeKeys names={keyNames} checked={revokesKeys} onChange={setRevokesKeys} />
                </Action>
              </div>
            </>
          )}
        </Loaded>
      </div>
    </Card>
  );
}

/** A readable name for a user agent, such as "Chrome on Windows". */
export function browserName(userAgent: string | null): string {
  // The library refuses an empty text.
  const { browser, os, platform } = Bowser.parse(userAgent || "unknown");
  const name = browser.name || "Unknown browser";
  const system = platform.model || os.name;
  // Such as "Samsung Internet for Android".
  return !system || name.includes(system) ? name : `${name} on ${system}`;
}

import { Card } from "../../../components/ui/card.tsx";
import { Checkbox } from "../../../components/ui/choice-list.tsx";
import { useCall } from "../../../kit/use-call.ts";
import { useSession } from "../session-context.tsx";
import { useUserCall } from "./profile.tsx";

export function WeeklyEmail() {
  const { user } = useSession();
  const { call: name, input, apply } = useUserCall();
  const { call, sent } = useCall(name, {
    apply,
    done: ({ weeklyEmail }) =>
      `You will ${weeklyEmail === "on" ? "get the weekly email." : "not get the weekly email any more."}`,
    failed: "Failed to save this. Please try again.",
    isQueued: true,
  });
  if (user === null) return null;
  const state = sent?.body.weeklyEmail ?? user.weeklyEmail;
  return (
    <Card title="Weekly email">
      {user.weeklyEmail === null ? (
        <p className="text-muted">This site sends no emails.</p>
      ) : (
        <>
          <p className="mb-4 leading-6 text-pretty text-muted">
            Once a week we list your links that need attention: product gone or out of stock, tag missing or wrong. If
            all is well, we send no email.
          </p>
          {user.weeklyEmail === "refused" && (
            <p className="mb-4 leading-6 text-pretty text-danger">
              It was switched off: the mail server says that your email address does not exist or takes no emails.
            </p>
          )}
          <Checkbox
            name="Send me the weekly email"
            checked={state === "on"}
            onChange={(checked) => call(input({ weeklyEmail: checked ? "on" : "off" }))}
          />
        </>
      )}
    </Card>
  );
}

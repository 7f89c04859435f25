import { useSession } from "../features/session/session-context.tsx";

/** The user's name and email address. Nothing until they are known. */
export function AccountName() {
  const { user, account } = useSession();
  const name = account?.username ?? user?.displayName;
  const email = account?.email ?? user?.email;
  if (!email) return null;
  return (
    <div className="min-w-0 wrap-anywhere">
      {name && (
        <p dir="auto" className="line-clamp-2 text-left font-medium">
          {name}
        </p>
      )}
      <p className="line-clamp-2 text-sm text-muted">{email}</p>
    </div>
  );
}

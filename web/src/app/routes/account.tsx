import { Page } from "../../components/ui/page.tsx";
import { Digest } from "../../features/digest/digest.tsx";
import { useEmailConfirmation } from "../../features/session/profile/email-form.tsx";
import { Profile } from "../../features/session/profile/profile.tsx";
import { useSession } from "../../features/session/session-context.tsx";

export default function Account() {
  const { user } = useSession();
  const confirmation = useEmailConfirmation();
  return (
    <Page layout="section" title="Profile">
      <Profile />
      {user && <Digest email={user.email} confirmation={confirmation} />}
    </Page>
  );
}

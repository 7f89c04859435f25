import { paths } from "@tapthru/proto/rules/paths";
import { useNavigate, useSearchParams } from "react-router-dom";
import { UserDetails } from "../../../features/operator/user-details.tsx";
import { Users } from "../../../features/operator/users.tsx";
import { useSession } from "../../../features/session/session-context.tsx";

export { AllActivity } from "../../../features/activity/activity.tsx";
export { AbuseReports } from "../../../features/operator/abuse-reports.tsx";
export { AllDomains } from "../../../features/operator/all-domains.tsx";
export { AllLinks } from "../../../features/operator/all-links.tsx";
export { Invitations } from "../../../features/operator/invitations.tsx";
export { System } from "../../../features/operator/system.tsx";

export function UsersPage() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const { user } = useSession();
  const id = params.get("id");
  if (id === null) return <Users />;
  const toUsers = () => navigate(paths.operatorUsers, { replace: true });
  return <UserDetails key={id} id={id} ownId={user?.id} onDeleted={toUsers} />;
}

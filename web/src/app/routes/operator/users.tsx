import { paths } from "@tapthru/proto/rules/paths";
import { useNavigate, useSearchParams } from "react-router-dom";
import { Page } from "../../../components/ui/page.tsx";
import { UserDetails } from "../../../features/operator/user-details.tsx";
import { Users } from "../../../features/operator/users.tsx";
import { useSession } from "../../../features/session/session-context.tsx";

export default function UsersPage() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const { user } = useSession();
  const id = params.get("id");
  return (
    <Page layout="section" title="Users">
      {id === null ? (
        <Users />
      ) : (
        <UserDetails
          key={id}
          id={id}
          ownId={user?.id}
          onDeleted={() => navigate(paths.operatorUsers, { replace: true })}
        />
      )}
    </Page>
  );
}

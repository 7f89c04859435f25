import { Page } from "../../components/ui/page.tsx";
import { ApiKeys } from "../../features/api-keys/api-keys.tsx";
import { LinkPatterns } from "../../features/link-patterns/link-patterns.tsx";
import { useSession } from "../../features/session/session-context.tsx";
import { Webhooks } from "../../features/webhooks/webhooks.tsx";

export default function Developers() {
  const isOperator = useSession().user?.isOperator ?? false;
  return (
    <Page layout="section" title="Developers">
      <ApiKeys isOperator={isOperator} />
      <LinkPatterns />
      <Webhooks isOperator={isOperator} />
    </Page>
  );
}

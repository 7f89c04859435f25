import { messages } from "@tapthru/proto/rules/messages";
import { Page } from "../../components/ui/page.tsx";
import { ApiKeys } from "../../features/api-keys/api-keys.tsx";
import { LinkPatterns } from "../../features/link-patterns/link-patterns.tsx";
import { Webhooks } from "../../features/webhooks/webhooks.tsx";

export default function Developers() {
  return (
    <Page layout="section" title={messages.developers}>
      <ApiKeys />
      <LinkPatterns />
      <Webhooks />
    </Page>
  );
}

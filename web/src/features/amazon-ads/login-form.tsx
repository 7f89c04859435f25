import type { AdsRegion } from "@tapthru/proto/rules/amazon/ads-regions";
import { messages } from "@tapthru/proto/rules/messages";
import { useState } from "react";
import { Form } from "../../components/ui/form.tsx";
import { SubmitButton } from "../../components/ui/submit-button.tsx";
import { RegionChoice } from "./region-choice.tsx";
import { useLogin } from "./use-login.ts";

/** @param region the initial choice */
export function LoginForm({ region: initialRegion }: { region: AdsRegion }) {
  const [region, setRegion] = useState(initialRegion);
  const { isConnecting, logIn } = useLogin();
  return (
    <Form pending={isConnecting} className="flex flex-col gap-6" onSubmit={() => logIn(region)}>
      <RegionChoice value={region} onChange={setRegion} />
      <SubmitButton pending={isConnecting}>
        {isConnecting ? messages.connecting : messages.loginWithAmazon}
      </SubmitButton>
    </Form>
  );
}

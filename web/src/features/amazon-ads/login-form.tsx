import { ADS_REGIONS, type AdsRegion } from "@tapthru/proto/rules/amazon/marketplaces";
import { messages } from "@tapthru/proto/rules/messages";
import { useEffect, useState } from "react";
import { RadioList } from "../../components/ui/choice-list.tsx";
import { Form, SubmitButton } from "../../components/ui/form.tsx";
import { useErrorToast } from "../../components/ui/toaster.tsx";
import { useSingleMutation } from "../../lib/use-single-mutation.ts";
import { getAuthUrl } from "./api.ts";

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

interface RegionChoiceProps {
  value: AdsRegion;
  onChange: (region: AdsRegion) => void;
}

const CHOICES = ADS_REGIONS.map((value) => {
  const { name, countries } = messages.adsRegions[value];
  return { value, name, text: countries };
});

/** Amazon's advertising regions are separate: an account is connected in one of them. */
function RegionChoice({ value, onChange }: RegionChoiceProps) {
  return (
    <RadioList
      legend={messages.adsRegionQuestion}
      choices={CHOICES}
      value={value}
      onChange={onChange}
    />
  );
}

/** Requests the auth URL and goes to Amazon. Stays busy until the browser has left the page. */
function useLogin() {
  const showError = useErrorToast();
  const [isNavigating, setNavigating] = useState(false);
  const { mutate, isPending } = useSingleMutation({
    mutationFn: (region: AdsRegion) => getAuthUrl(region),
    onSuccess(url) {
      setNavigating(true);
      location.assign(url);
    },
    onError() {
      showError(messages.failedToInitiateAmazonLogin);
    },
  });

  useEffect(() => {
    // The back/forward cache may restore the page in its busy state.
    const resetNavigating = () => setNavigating(false);
    addEventListener("pageshow", resetNavigating);
    return () => removeEventListener("pageshow", resetNavigating);
  }, []);

  return { isConnecting: isPending || isNavigating, logIn: mutate };
}

import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Card } from "../../components/ui/card.tsx";
import { callApi } from "../../lib/http/call-api.ts";
import { ConfirmEmail, type EmailConfirmation } from "./confirm-email.tsx";

interface DigestProps {
  email: string;
  confirmation: EmailConfirmation;
}

/** The sections of the account with the weekly email and an address that is not confirmed. Without a mail server there are none. */
export function Digest({ email, confirmation }: DigestProps) {
  const { data, refetch } = useQuery(digestOptions);
  if (!data?.isAvailable) return null;
  const { isOn, emailIsVerified } = data;
  return (
    <>
      {!emailIsVerified && (
        <Card title="Confirm your email">
          <ConfirmEmail email={email} confirmation={confirmation} onAdopted={refetch} />
        </Card>
      )}
      <Card title="Weekly email">
        <p className="mb-4 leading-6 text-pretty text-muted">
          Once a week we can send you a list of your links that need attention, if there are any: the product is gone,
          out of stock or redirected, or your tag is missing or malformed.
        </p>
        <Switch savedIsOn={isOn} />
      </Card>
    </>
  );
}

/** Saves each change at once. After a failure it shows what is saved. */
function Switch({ savedIsOn }: { savedIsOn: boolean }) {
  const { mutate, status, variables } = useSwitchDigest();
  const isSaving = status === "pending";
  const isOn = isSaving ? variables : savedIsOn;
  const result = isOn ? "You will get the weekly email." : "You will not get the weekly email any more.";
  return (
    <div>
      <label className="flex min-h-11 items-center gap-3">
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ target }) => {
            if (!isSaving) mutate(target.checked);
          }}
          className="size-5 shrink-0 accent-accent"
        />
        Send me the weekly email
      </label>
      <p aria-live="polite" className={status === "error" ? "text-danger" : "sr-only"}>
        {status === "error" && "Failed to save this. Please try again."}
        {status === "success" && result}
      </p>
    </div>
  );
}

const digestOptions = queryOptions({
  queryKey: ["/api/digest"],
  queryFn: ({ signal }) => callApi("GET", "/api/digest", { signal }),
  // The link in an email switches it off.
  staleTime: 0,
  refetchOnWindowFocus: true,
});

function useSwitchDigest() {
  const queryClient = useQueryClient();
  const { queryKey } = digestOptions;
  return useMutation({
    mutationFn: (isOn: boolean) => callApi("PUT", "/api/digest", { body: { isOn } }),
    async onSuccess(settings) {
      // A reply that was requested earlier lacks the change.
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData(queryKey, settings);
    },
  });
}

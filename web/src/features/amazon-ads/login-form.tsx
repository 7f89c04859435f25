import { useEffect, useState } from "react";
import { Form, SubmitButton } from "../../components/ui/form.tsx";
import { useErrorToast } from "../../components/ui/toaster.tsx";
import { errorText } from "../../lib/http/http-client.ts";
import { useSingleMutation } from "../../lib/use-single-mutation.ts";
import { getAuthUrl } from "./api.ts";

export function LoginForm() {
  const { isConnecting, logIn } = useLogin();
  return (
    <Form pending={isConnecting} className="flex flex-col gap-6" onSubmit={() => logIn()}>
      <SubmitButton pending={isConnecting}>{isConnecting ? "Connecting..." : "Login with Amazon"}</SubmitButton>
    </Form>
  );
}

/** Requests the auth URL and goes to Amazon. Stays busy until the browser has left the page. */
function useLogin() {
  const showError = useErrorToast();
  const [isNavigating, setNavigating] = useState(false);
  const { mutate, isPending } = useSingleMutation<string, void>({
    mutationFn: getAuthUrl,
    onSuccess(url) {
      setNavigating(true);
      location.assign(url);
    },
    onError: (error) => showError(errorText(error, "Failed to initiate Amazon login. Please try again.")),
  });

  useEffect(() => {
    // The back/forward cache may restore the page in its busy state.
    const resetNavigating = () => setNavigating(false);
    addEventListener("pageshow", resetNavigating);
    return () => removeEventListener("pageshow", resetNavigating);
  }, []);

  return { isConnecting: isPending || isNavigating, logIn: mutate };
}

import { useLocation } from "react-router-dom";

/** The token in the fragment of a link in an email, which browsers do not send to the server. "none" if the link was cut. */
export function useTokenOfEmail(): string {
  const { hash } = useLocation();
  return new URLSearchParams(hash.slice(1)).get("token") ?? "none";
}

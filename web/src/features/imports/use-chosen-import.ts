import { useSearchParams } from "react-router-dom";

/** The import in the address, or `new` for the form; null if the address has neither. */
export function useChosenImport(): {
  chosenId: string | null;
  choose: (id: string, options?: { replace: boolean }) => void;
} {
  const [parameters, setParameters] = useSearchParams();
  return {
    chosenId: parameters.get("id"),
    choose: (id, options) => setParameters({ id }, { ...options, preventScrollReset: true }),
  };
}

import { useSearchParams } from "react-router-dom";

/** The import in the address, or `new` for the form; null if the address has neither. */
export function useChosenImport(): { chosenId: string | null; choose: (id: string) => void } {
  const [parameters, setParameters] = useSearchParams();
  return {
    chosenId: parameters.get("id"),
    choose: (id) => setParameters({ id }, { preventScrollReset: true }),
  };
}

import { useEffect } from "react";
import { useConfig } from "./config.ts";

/** Names the page in the browser's tab; without a title by the product alone. */
export function usePageTitle(title?: string): void {
  const { productName } = useConfig();
  useEffect(() => {
    document.title = title ? `${title} - ${productName}` : productName;
  }, [title, productName]);
}

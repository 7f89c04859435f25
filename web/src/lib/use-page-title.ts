import { useEffect } from "react";
import { useConfig } from "./config.ts";

/** Sets the document title. Without a title, it is the product name alone. */
export function usePageTitle(title?: string): void {
  const { productName } = useConfig();
  useEffect(() => {
    document.title = title ? `${title} - ${productName}` : productName;
  }, [title, productName]);
}

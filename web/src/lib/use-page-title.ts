import { useContext, useEffect } from "react";
import { ConfigContext } from "./config.ts";

/**
 * Sets the document title, followed by the product name. Without a title, it is the product name alone. Without a
 * configuration, whose loading may have failed, it is the title alone.
 */
export function usePageTitle(title?: string): void {
  const productName = useContext(ConfigContext)?.productName;
  useEffect(() => {
    const parts = [title, productName].filter((part) => part !== undefined);
    document.title = parts.join(" - ");
  }, [title, productName]);
}

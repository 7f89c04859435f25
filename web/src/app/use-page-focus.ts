import { type RefObject, useEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router-dom";

/**
 * Moves the focus to the content of a new page. After going back, it focuses the link that led to the previous page.
 * @returns a ref for the element that holds each page's content
 */
export function usePageFocus(): RefObject<HTMLElement | null> {
  const content = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const navigationType = useNavigationType();
  const lastPathname = useRef(pathname);

  useEffect(() => {
    const previousPathname = lastPathname.current;
    lastPathname.current = pathname;
    const element = content.current;
    if (previousPathname === pathname || !element || element.contains(document.activeElement))
      return;
    const backLinkSelector = `a[href="${CSS.escape(previousPathname)}"]`;
    const backLink =
      navigationType === "POP" ? element.querySelector<HTMLElement>(backLinkSelector) : null;
    (backLink ?? element).focus({ preventScroll: true });
  }, [pathname, navigationType]);

  return content;
}

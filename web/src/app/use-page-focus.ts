import { type RefObject, useEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router-dom";

/**
 * On the way to another page the focus comes along, to its content; on the way back, to the link by
 * which one had left.
 * @returns for the element that holds each page's content
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

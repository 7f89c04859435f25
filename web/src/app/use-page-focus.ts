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
    const cameFrom = lastPathname.current;
    lastPathname.current = pathname;
    const element = content.current;
    if (cameFrom === pathname || !element || element.contains(document.activeElement)) return;
    const wayBack = `a[href="${CSS.escape(cameFrom)}"]`;
    const left = navigationType === "POP" ? element.querySelector<HTMLElement>(wayBack) : null;
    (left ?? element).focus({ preventScroll: true });
  }, [pathname, navigationType]);

  return content;
}

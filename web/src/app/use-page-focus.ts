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
    if (previousPathname === pathname || !element) return;
    const focused = document.activeElement;
    if (focused !== element && element.contains(focused)) return;
    const backLink = navigationType === "POP" && findLinkTo(previousPathname, element);
    (backLink || element).focus({ preventScroll: true });
  }, [pathname, navigationType]);

  return content;
}

/** The link to a page, or to the page of which it is a tab, such as /link/abc for /link/abc/clicks. */
function findLinkTo(pathname: string, within: HTMLElement): HTMLElement | null {
  const linkTo = (path: string) => within.querySelector<HTMLElement>(`a[href="${CSS.escape(path)}"]`);
  return linkTo(pathname) ?? linkTo(pathname.replace(/\/[^/]+$/, ""));
}

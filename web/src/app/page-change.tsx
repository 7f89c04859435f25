import { type RefObject, useEffect, useRef, useState } from "react";
import { useHref, useLocation, useNavigationType } from "react-router-dom";

/** Announces each new page to screen readers once it has loaded. The browser announces the first page itself. */
export function PageAnnouncer() {
  const { pathname } = useLocation();
  const lastPathname = useRef(pathname);
  const [announced, setAnnounced] = useState({ pathname, title: "" });

  // Effects run in tree order: this one observes the title before the page's effect sets it.
  useEffect(() => {
    const title = document.querySelector("title");
    if (lastPathname.current === pathname || !title) return;
    lastPathname.current = pathname;
    const observer = new MutationObserver(() => {
      if (document.querySelector("main [data-loading]")) return;
      observer.disconnect();
      setAnnounced({ pathname, title: document.title });
    });
    observer.observe(title, { childList: true });
    return () => observer.disconnect();
  }, [pathname]);

  return (
    <p aria-live="polite" className="sr-only">
      {announced.pathname === pathname ? announced.title : ""}
    </p>
  );
}

/**
 * Moves the focus to the content of a new page. After going back, it focuses the link that led to the previous page.
 * @returns a ref for the element that holds each page's content
 */
export function usePageFocus(): RefObject<HTMLElement | null> {
  const content = useRef<HTMLElement>(null);
  const pathname = useHref(useLocation().pathname);
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

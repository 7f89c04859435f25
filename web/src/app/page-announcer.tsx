import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router-dom";

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

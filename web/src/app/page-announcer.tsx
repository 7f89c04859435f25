import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router-dom";

/** Tells screen readers which page one has come to; of the first the browser tells. */
export function PageAnnouncer() {
  const { pathname } = useLocation();
  const lastPathname = useRef(pathname);
  const [announced, setAnnounced] = useState({ pathname, title: "" });

  // Before the page's own effect, which sets the title: this one stands earlier.
  useEffect(() => {
    const title = document.querySelector("title");
    if (lastPathname.current === pathname || !title) return;
    lastPathname.current = pathname;
    const observer = new MutationObserver(() => {
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

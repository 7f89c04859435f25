import { useEffect, useState } from "react";
import { useLocation } from "react-router-dom";

/** Tells screen readers which page one has come to; of the first the browser tells. */
export function PageAnnouncer() {
  const { key } = useLocation();
  const [firstKey] = useState(key);
  const [title, setTitle] = useState("");

  useEffect(() => {
    const observer = new MutationObserver(() => setTitle(document.title));
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, []);

  return (
    <p aria-live="polite" className="sr-only">
      {key === firstKey ? "" : title}
    </p>
  );
}

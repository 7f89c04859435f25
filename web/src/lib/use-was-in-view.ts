import { type RefObject, useEffect, useState } from "react";

/** Whether this share of an element (0 to 1) has been in view. */
export function useWasInView(ref: RefObject<Element | null>, share: number): boolean {
  const [wasInView, setWasInView] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        setWasInView(true);
      },
      { threshold: share },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref, share]);
  return wasInView;
}

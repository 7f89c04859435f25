import { ShoppingBag } from "lucide-react";
import { useState } from "react";

/** A product's picture, or a bag where there is none or it does not load. */
export function LinkPicture({ src }: { src: string | null }) {
  const [broken, setBroken] = useState(false);
  return (
    <div className="grid size-14 shrink-0 sm:row-span-2 place-items-center overflow-hidden rounded-xl bg-sunken text-muted">
      {src && !broken ? (
        <img
          src={src}
          alt=""
          onError={() => setBroken(true)}
          className="size-full bg-white object-contain"
        />
      ) : (
        <ShoppingBag aria-hidden className="size-6" />
      )}
    </div>
  );
}

import { element, htmlDocument } from "./html.ts";
import { imageUrl } from "./pages.ts";

/** Real pages have many sprites and placeholders before the product's image. */
const SPRITE = "https://m.media-amazon.com/images/G/01/gno/sprites/nav-sprite-global-1x.png";
export const GREY_PIXEL = "https://m.media-amazon.com/images/G/01/x-locale/common/grey-pixel.gif";

interface ProductPageOptions {
  /** The title, as HTML. */
  title: string;
  /** The image element, as HTML. */
  picture?: string;
  language?: string;
  head?: string;
  /** Further elements of the body, as HTML. */
  more?: string;
}

/** A product page as browsers get it, with other elements around title and image. */
export function productPage({
  title,
  picture = "",
  language = "en",
  head,
  more = "",
}: ProductPageOptions) {
  return htmlDocument({
    title: "A product : Amazon",
    language,
    head: head ?? element("meta", { name: "description", content: "Buy things online." }),
    body: `<header id="navbar"><a href="/" class="nav-logo">${element("img", { src: SPRITE })}</a></header>
    <div id="dp" role="main">
      <div id="imageBlock">${picture}</div>
      <h1 id="title"><span id="productTitle" class="a-size-large product-title-word-break">
          ${title}
      </span></h1>
      <div id="feature-bullets"><ul><li>It does what it says.</li></ul></div>
    </div>
    ${more}`,
  });
}

/** A page that has only Open Graph tags, no product elements. */
export function openGraphPage(head: string): string {
  return htmlDocument({
    title: "A product : Amazon",
    head,
    body: `${element("img", { src: SPRITE })}<div id="dp-mobile">To be drawn by scripts.</div>`,
  });
}

/** The main image of a desktop page; `name` is the image's file name without size and extension. */
export function landingImage(name: string, attributes: Record<string, string> = {}): string {
  return element("img", {
    id: "landingImage",
    class: "a-dynamic-image a-stretch-vertical",
    src: imageUrl(`${name}._AC_SX300_SY300_QL70_FMwebp_`),
    "data-old-hires": imageUrl(`${name}._AC_SL1500_`),
    "data-a-dynamic-image": dynamicImage(name, "_AC_"),
    ...attributes,
  });
}

/** The cover of a book (`imgBlkFront`) or of a Kindle book (`ebooksImgBlkFront`). */
export function coverImage(id: "imgBlkFront" | "ebooksImgBlkFront", name: string): string {
  return element("img", {
    id,
    class: "a-dynamic-image image-stretch-vertical frontImage",
    src: "data:image/webp;base64,UklGRhYAAABXRUJQVlA4TAoAAAAvAAAAAEX/I/of",
    "data-a-dynamic-image": dynamicImage(name, "_"),
  });
}

/** Image addresses with height and width in pixels, the largest in the middle. */
export function dynamicImage(name: string, prefix: string): string {
  return JSON.stringify({
    [imageUrl(`${name}.${prefix}SY355_`)]: [355, 284],
    [imageUrl(`${name}.${prefix}SX679_`)]: [849, 679],
    [imageUrl(`${name}.${prefix}SX466_`)]: [583, 466],
  });
}

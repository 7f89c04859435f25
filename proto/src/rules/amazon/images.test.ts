import { describe, expect, it } from "vitest";
import { isProductImage } from "./images.ts";

describe("isProductImage", () => {
  const I = "https://m.media-amazon.com/images/I";

  it.each([
    `${I}/61+b%2BcDL._AC_SL1500_.jpg`,
    `${I}/71abc-d._AC_SX300_SY300_QL70_FMwebp_.png`,
    "https://images-na.ssl-images-amazon.com/images/I/51abc._SX258_BO1,204,203,200_.jpg",
  ])("accepts %s", (url) => {
    expect(isProductImage(url)).toBe(true);
  });

  it.each([
    "http://m.media-amazon.com/images/I/71abc.jpg",
    "//m.media-amazon.com/images/I/71abc.jpg",
    "",
    "javascript:alert(1)//m.media-amazon.com/images/I/71abc.jpg",
    "https://evil.example/images/I/71abc.jpg",
    "https://evil-m.media-amazon.com/images/I/71abc.jpg",
    "https://m.media-amazon.com@evil.example/images/I/71abc.jpg",
    "https://m.media-amazon.com.evil.example/images/I/71abc.jpg",
    "https://opfcaptcha.amazon.com/images/I/71abc.jpg",
    "https://m.media-amazon.com:8443/images/I/71abc.jpg",
    "https://m.media-amazon.com/images/G/01/nav.png",
    `${I}/grey-pixel.gif`,
    `${I}/21nav-Sprite.png`,
    `${I}/../G/01/nav.png`,
    `${I}/71abc.jpg?x=1`,
    `${I}/71abc.jpg#x`,
    `${I}/71abc".jpg`,
    `${I}/71abc.jpg\n`,
    `${I}/`,
    `${I}/${"a".repeat(301)}`,
  ])("refuses %j", (url) => {
    expect(isProductImage(url)).toBe(false);
  });
});

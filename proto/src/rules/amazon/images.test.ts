import { describe, expect, it } from "vitest";
import { isProductImage } from "./images.ts";

describe("isProductImage", () => {
  it.each([
    "https://m.media-amazon.com/images/I/71abc.jpg",
    "https://m.media-amazon.com/images/I/61+b%2BcDL._AC_SL1500_.jpg",
    "https://m.media-amazon.com/images/I/71abc-d._AC_SX300_SY300_QL70_FMwebp_.png",
    "https://images-na.ssl-images-amazon.com/images/I/51abc._SX258_BO1,204,203,200_.jpg",
    "https://images-eu.ssl-images-amazon.com/images/I/51abc.jpg",
    "https://images-fe.ssl-images-amazon.com/images/I/51abc.jpg",
  ])("accepts %s", (url) => {
    expect(isProductImage(url)).toBe(true);
  });

  it.each([
    ["plain http", "http://m.media-amazon.com/images/I/71abc.jpg"],
    ["no scheme", "//m.media-amazon.com/images/I/71abc.jpg"],
    ["a script", "javascript:alert(1)//m.media-amazon.com/images/I/71abc.jpg"],
    ["data", "data:image/png;base64,/images/I/71abc"],
    ["another host", "https://evil.example/images/I/71abc.jpg"],
    ["a host that only ends so", "https://evil-m.media-amazon.com/images/I/71abc.jpg"],
    ["a host that only starts so", "https://m.media-amazon.com.evil.example/images/I/71abc.jpg"],
    ["a captcha's host", "https://opfcaptcha.amazon.com/images/I/71abc.jpg"],
    ["user info", "https://m.media-amazon.com@evil.example/images/I/71abc.jpg"],
    ["a port", "https://m.media-amazon.com:8443/images/I/71abc.jpg"],
    ["the site's own pictures", "https://m.media-amazon.com/images/G/01/nav.png"],
    ["a captcha", "https://images-na.ssl-images-amazon.com/captcha/abc/Captcha_x.jpg"],
    ["the placeholder", "https://m.media-amazon.com/images/I/grey-pixel.gif"],
    ["a sprite", "https://m.media-amazon.com/images/I/21nav-Sprite.png"],
    ["a further path", "https://m.media-amazon.com/images/I/../G/01/nav.png"],
    ["a query", "https://m.media-amazon.com/images/I/71abc.jpg?x=1"],
    ["a fragment", "https://m.media-amazon.com/images/I/71abc.jpg#x"],
    ["a quote", 'https://m.media-amazon.com/images/I/71abc".jpg'],
    ["a blank at its end", "https://m.media-amazon.com/images/I/71abc.jpg\n"],
    ["no picture", "https://m.media-amazon.com/images/I/"],
    ["a very long name", `https://m.media-amazon.com/images/I/${"a".repeat(301)}`],
    ["nothing", ""],
  ])("refuses %s", (_what, url) => {
    expect(isProductImage(url)).toBe(false);
  });
});

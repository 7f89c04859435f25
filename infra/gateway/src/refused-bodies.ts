/** For the http block: `$has_body` where the request says that a body follows. */
export const HAS_BODY = `
map "$http_transfer_encoding:$http_content_length" $has_body {
  default 1;
  ~^:0*$ "";
}`;

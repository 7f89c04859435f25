/** For the http block: `$has_body` is set if the headers announce a body. */
export const HAS_BODY = `
map "$http_transfer_encoding:$http_content_length" $has_body {
  default 1;
  ~^:0*$ "";
}`;

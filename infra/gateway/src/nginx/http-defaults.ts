// For the http block: what holds for every site.

export const MEDIA_TYPES = `
types {
  text/html html;
  text/css css;
  text/javascript js mjs;
  text/plain txt;
  application/json json;
  application/problem+json problem;
  application/manifest+json webmanifest;
  application/xml xml;
  image/svg+xml svg;
  image/png png;
  image/jpeg jpg jpeg;
  image/webp webp;
  image/avif avif;
  image/x-icon ico;
  font/woff2 woff2;
  video/mp4 mp4;
  video/webm webm;
  text/vtt vtt;
}
default_type application/octet-stream;
charset utf-8;
charset_types text/css text/javascript text/plain text/vtt;`;

export const COMPRESSION = `
gzip on;
gzip_comp_level 5;
gzip_min_length 1024;
gzip_proxied any;
gzip_vary on;
gzip_types text/css text/csv text/javascript text/plain text/vtt application/json
  application/manifest+json image/svg+xml;`;

export const CLIENT_LIMITS = `
client_max_body_size 16k;
client_body_buffer_size 16k;
large_client_header_buffers 4 16k;
# client_header_timeout: the whole header. client_body_timeout: the pause between two reads of a body.
# lingering_*: reading and discarding a refused body.
client_header_timeout 10s;
client_body_timeout 4s;
send_timeout 10s;
lingering_time 3s;
lingering_timeout 3s;
reset_timedout_connection on;`;

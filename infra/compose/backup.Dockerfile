# The client programs of Postgres's image, age and curl.
ARG POSTGRES_IMAGE
FROM ${POSTGRES_IMAGE}
RUN apt-get update \
  && apt-get install --yes --no-install-recommends age ca-certificates curl \
  && rm -rf /var/lib/apt/lists/*
COPY backup.sh /usr/local/bin/
ENTRYPOINT ["backup.sh"]
CMD ["daily"]

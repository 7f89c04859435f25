# The client programs of Postgres's image, and age.
ARG POSTGRES_IMAGE=postgres:18.6-bookworm@sha256:1c59e2c3c818eaa0f0628f695b36e7c9e362d6b219b36a54a32df645cbd7e1af
FROM ${POSTGRES_IMAGE}
RUN apt-get update \
  && apt-get install --yes --no-install-recommends age \
  && rm -rf /var/lib/apt/lists/*
COPY backup.sh /usr/local/bin/
ENTRYPOINT ["backup.sh"]
CMD ["daily"]

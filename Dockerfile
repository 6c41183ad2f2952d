# Postcard in a container; how to run it: docs/operations.md, "In a container".
FROM node:24-bookworm-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends libatomic1
WORKDIR /postcard
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY . .
RUN node scripts/image.mjs

FROM debian:bookworm-slim
# libatomic1: Node.js needs it. Nothing in here lends anybody more than they are (setuid). The user's number is fixed, since files on a volume belong to it.
RUN apt-get update && apt-get install -y --no-install-recommends libatomic1 \
  && rm -rf /var/lib/apt/lists/* \
  && find / -xdev -type f -perm /6000 -exec chmod a-s {} + \
  && useradd --uid 1000 --create-home postcard \
  && install -d -m 700 -o postcard -g postcard /data
COPY --from=build /postcard /postcard
WORKDIR /postcard
USER postcard
ENV DATA_DIR=/data HOST=0.0.0.0
# Its own files are root's, and it writes into /data and /tmp alone: run it with --read-only --tmpfs /tmp.
VOLUME /data
EXPOSE 3000
# A start that has a long recovery before it is not ill.
HEALTHCHECK --interval=30s --timeout=5s --start-period=2m \
  CMD ./node -e "fetch('http://127.0.0.1:${PORT:-3000}/health/ready').then(({ ok }) => process.exit(ok ? 0 : 1))"
CMD ["./node", "scripts/start.mjs"]

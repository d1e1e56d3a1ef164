# One image for every process and command of the service: dct api, dct migrate. The base image is named by its tag; for a
# release, pin it by its digest: docker build --build-arg NODE=node@sha256:…
ARG NODE=node:24-trixie-slim

FROM ${NODE} AS build
WORKDIR /app
COPY . .
RUN npm ci
RUN npm run build

FROM ${NODE}
ENV NODE_ENV=production MODE=live HOST=0.0.0.0 PORT=3000 PATH=/app:$PATH
WORKDIR /app
COPY --from=build /app/dist .
USER node
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s CMD ["node", "operations/healthy.mjs"]
CMD ["dct", "api"]

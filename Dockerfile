# One image for every process of the service. The base image is named by its tag; for a release, pin it by its digest:
# docker build --build-arg NODE=node@sha256:…
ARG NODE=node:24-trixie-slim

FROM ${NODE} AS pages
WORKDIR /app
COPY . .
RUN npm ci
RUN npm run build:web

FROM ${NODE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY apps/server/package.json apps/server/package.json
COPY packages packages
RUN npm ci --omit=dev --omit=optional --workspace=@dct/server

FROM ${NODE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /app
COPY package.json ./
COPY apps/server apps/server
# Each of our packages comes with the dependencies in its own node_modules: the versions that only it uses.
COPY --from=packages /app/packages packages
COPY operations/healthy.mjs operations/healthy.mjs
COPY --from=packages /app/node_modules node_modules
COPY --from=pages /app/apps/web/dist apps/web/dist
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "operations/healthy.mjs"]
CMD ["node", "apps/server/src/main/api.ts"]

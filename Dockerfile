# The program with the widget inside. Every path is relative to the working directory, because a test runs these steps in an
# ordinary folder (tests/deploy).

# Debian with glibc, for which Node is built and tested; the builds for Alpine's musl are experimental.
FROM node:24-slim AS widget
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
COPY packages/protocol/package.json packages/protocol/
COPY packages/widget/package.json packages/widget/
# No install scripts: the only one that does something here fetches the Node that this image already has.
RUN npm ci --ignore-scripts --workspace @nitka/widget
COPY packages/protocol packages/protocol
COPY packages/widget packages/widget
RUN npm run build

FROM node:24-slim AS dependencies
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
COPY packages/protocol/package.json packages/protocol/
COPY packages/widget/package.json packages/widget/
COPY packages/server/package.json packages/server/
COPY packages/demo-model/package.json packages/demo-model/
COPY packages/desk/package.json packages/desk/
COPY packages/conformance/package.json packages/conformance/
COPY packages/knowledge/package.json packages/knowledge/
COPY apps/nitka/package.json apps/nitka/
RUN npm ci --ignore-scripts --omit=dev --workspace nitka

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 NITKA_OPS_HOST=0.0.0.0 NITKA_DATA=data
COPY LICENSE ./
COPY --from=dependencies /src ./
COPY packages/protocol packages/protocol
COPY packages/server packages/server
COPY packages/demo-model packages/demo-model
COPY packages/desk packages/desk
COPY packages/conformance packages/conformance
COPY packages/knowledge packages/knowledge
COPY --from=widget /src/packages/widget/dist packages/widget/dist
COPY apps/nitka apps/nitka
# The command `nitka`, as in `docker exec … nitka usage`.
RUN mkdir bin && ln -s ../apps/nitka/bin/nitka.mjs bin/nitka
ENV PATH=/app/bin:$PATH
# Only this folder is the program's own. By number, so that Kubernetes can see that the user is not root.
RUN mkdir data && chown 1000:1000 data
USER 1000:1000
VOLUME /app/data
EXPOSE 3000
# Says that the process runs, as /healthz does. While the database is away, answers go on, and a restart would lose them.
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
# No shell and no init: the program handles signals itself, also as process 1, and starts no other processes.
CMD ["node", "--max-semi-space-size=32", "apps/nitka/bin/nitka.mjs"]

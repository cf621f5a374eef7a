# Image with the web page, all commands, and Dask for scheduler and workers of a cluster; see docs/container.md.
#
#   docker build --tag fourfall .
#   docker run --rm --publish 127.0.0.1:4444:4444 --volume fourfall:/data fourfall
ARG BASE=debian:trixie-slim

FROM ${BASE} AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends g++ python3-dev python3-venv \
    && rm -rf /var/lib/apt/lists/*
RUN python3 -m venv /opt/fourfall
WORKDIR /source
COPY pyproject.toml CMakeLists.txt LICENSE README.md ./
COPY cpp cpp
COPY src src
RUN /opt/fourfall/bin/pip install --no-cache-dir '.[cluster,web]' \
    && /opt/fourfall/bin/pip uninstall --yes pip \
    && find /opt/fourfall -type d -name tests -prune -exec rm -r {} +

FROM ${BASE}
RUN apt-get update \
    && apt-get install --yes --no-install-recommends python3 tini \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --home-dir /data --no-create-home --shell /usr/sbin/nologin fourfall \
    && install --directory --owner=10001 --group=10001 --mode=700 /data
COPY --from=build /opt/fourfall /opt/fourfall
COPY --chmod=755 tools/container/health.py /usr/local/bin/fourfall-health
ENV HOME=/data \
    PATH=/opt/fourfall/bin:$PATH \
    PYTHONUNBUFFERED=1
USER 10001:10001
WORKDIR /data
VOLUME /data
# The page; the scheduler of a cluster, its health check, and the health check of a worker.
EXPOSE 4444 8786 8787 8788
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD ["fourfall-health"]
ENTRYPOINT ["tini", "--"]
CMD ["fourfall", "serve", "--host", "0.0.0.0", "--db", "page.db", "--token-file", "page.token", "--no-browser"]

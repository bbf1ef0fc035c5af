# The service in a container. Without SKYJO_DATABASE_URL it starts its embedded PostgreSQL, whose data is on the volume.
FROM python:3.13-slim

RUN useradd --system --create-home --home-dir /var/lib/skyjo skyjo

WORKDIR /usr/src/skyjo-arena
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY server ./server
COPY client_sdk ./client_sdk
COPY docs ./docs
RUN pip install --no-cache-dir -c constraints.txt '.[server]'

USER skyjo
WORKDIR /var/lib/skyjo
VOLUME /var/lib/skyjo
ENV PYTHONUNBUFFERED=1

EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/readyz', timeout=4)"]
CMD ["skyjo", "server", "run", "--host", "0.0.0.0", "--port", "8000"]

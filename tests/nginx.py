"""A proxy with TLS and a path prefix, by nginx."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

NGINX = """
daemon off; pid {folder}/pid; error_log {folder}/error.log; {user}
events {{}}
http {{
  access_log {folder}/access.log;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port} ssl;
    ssl_certificate {folder}/cert.pem; ssl_certificate_key {folder}/key.pem;
    location /topics/ {{
      proxy_pass {url}/;
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection "upgrade";
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Proto $scheme;
    }}
  }}
}}
"""


@contextmanager
def proxied(url: str, folder: Path) -> Iterator[str]:
    """Serve an address below /topics by nginx with TLS."""
    nginx = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    openssl = shutil.which("openssl")
    if nginx is None or openssl is None:
        pytest.skip("nginx and openssl are not installed (apt-get install nginx-light openssl)")
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj",
         "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder / "key.pem",
         "-out", folder / "cert.pem"], check=True, capture_output=True,
    )  # fmt: skip
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    user = "user root;" if os.name != "nt" and os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(
        NGINX.format(folder=folder, port=port, url=url.rstrip("/"), user=user)
    )
    command = [nginx, "-e", folder / "error.log", "-p", folder, "-c", folder / "nginx.conf"]
    proxy = subprocess.Popen(command)
    try:
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert proxy.poll() is None, (folder / "error.log").read_text()
            time.sleep(0.1)
        yield f"https://127.0.0.1:{port}/topics"
    finally:
        proxy.terminate()
        proxy.wait(20)

"""Run nginx with the configuration of examples/hosting, on other ports and in a folder of its own."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from support import ROOT
from support.requirements import REQUIREMENTS
from support.server.server_process import free_port, is_listening
from support.waiting import wait_until

NGINX = REQUIREMENTS["nginx"].path
EXAMPLE_FILE = ROOT / "examples" / "hosting" / "nginx.conf"
_MAIN_CONFIG = """
{user}
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{
    access_log off;
    {more}
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/limina.conf;
}}
"""


def example_config(port: int, servers: Sequence[str], certificate: Path | None = None) -> str:
    """Return the example's configuration for these ports, with this certificate or without encryption."""
    text = EXAMPLE_FILE.read_text("utf-8")
    tls = "" if certificate is None else " ssl http2"
    text, listen_count = re.subn(r"listen 443 ssl http2;", f"listen 127.0.0.1:{port}{tls};", text)
    replacement = "" if certificate is None else rf"\1 {certificate};"
    text, certificate_count = re.subn(r"(ssl_certificate\w*) .*;", replacement, text)
    line = re.search(r"    server 127\.0\.0\.1:8001(.*)\n    server 127\.0\.0\.1:8002\1\n", text)
    assert (listen_count, certificate_count) == (1, 2)
    assert line is not None
    upstreams = "".join(f"    server {server.removeprefix('http://')}{line[1]}\n" for server in servers)
    return text.replace(line[0], upstreams)


@contextmanager
def nginx(
    folder: Path, servers: Sequence[str], port: int = 0, more: str = "", certificate: Path | None = None
) -> Iterator[str]:
    """Run nginx in front of servers; yield its address. `more` is added to the configuration of all its sites.

    `certificate` is a file with a certificate and its key; with it, nginx uses HTTPS.
    """
    assert NGINX is not None, REQUIREMENTS["nginx"].describe_missing()
    port = port or free_port()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "limina.conf").write_text(example_config(port, servers, certificate))
    # Otherwise nginx started by root would run its workers as a user who may not enter the folder.
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(_MAIN_CONFIG.format(folder=folder, user=user, more=more))
    command = [NGINX, "-p", str(folder), "-e", str(folder / "error.log"), "-c", str(folder / "nginx.conf")]
    result = subprocess.run([*command, "-t"], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    process = subprocess.Popen(command)
    try:
        wait_until(lambda: is_listening(port))
        yield f"http{'s' if certificate else ''}://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(20)

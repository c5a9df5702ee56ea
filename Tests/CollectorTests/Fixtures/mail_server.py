"""A mail server with a login, for one test.

mail_server.py MODE MECHANISM PORT CERTIFICATE KEY RECORD

MODE is tls (from the first byte), starttls, refused (offered, but never begun), or none; MECHANISM is PLAIN or LOGIN, or NONE if no login is needed. It accepts the user `alerts@example.com`
with the password `se cret`, writes what clients did to RECORD, a word a line, and serves until it is killed.
"""

import base64
import socket
import ssl
import sys
import threading

mode, mechanism, port, certificate, key, record = sys.argv[1:]
USER, PASSWORD = "alerts@example.com", "se cret"
lock = threading.Lock()


def note(text: str) -> None:
    with lock, open(record, "a", encoding="utf-8") as file:
        file.write(text + "\n")


def serve(connection: socket.socket) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    is_encrypted = mode == "tls"
    if is_encrypted:
        connection = context.wrap_socket(connection, server_side=True)
    lines = connection.makefile("rb")

    def say(text: str) -> None:
        connection.sendall(text.encode() + b"\r\n")

    def hear() -> str:
        return lines.readline().decode().rstrip("\r\n")

    say("220 test ESMTP")
    has_login = mechanism == "NONE"
    while command := hear():
        verb = command.split(" ")[0].upper()
        if verb == "EHLO":
            say("250-test")
            if mode in ("starttls", "refused") and not is_encrypted:
                say("250-STARTTLS")
            say("250 SIZE" if mechanism == "NONE" else f"250 AUTH {mechanism}")
        elif verb == "STARTTLS" and mode == "starttls":
            say("220 go on")
            connection = context.wrap_socket(connection, server_side=True)
            lines = connection.makefile("rb")
            is_encrypted = True
            note("starttls")
        elif verb == "STARTTLS":
            say("454 4.7.0 TLS not available")
        elif verb == "AUTH":
            words = command.split(" ")
            note(f"auth {words[1]} {'encrypted' if is_encrypted else 'in the clear'}")
            if words[1] == "PLAIN":
                if len(words) == 2:
                    say("334 ")
                    words.append(hear())
                given = base64.b64decode(words[2]).decode().split("\0")[1:]
            else:
                given = []
                if len(words) == 3:
                    given.append(base64.b64decode(words[2]).decode())
                for prompt in ["Username:", "Password:"][len(given):]:
                    say("334 " + base64.b64encode(prompt.encode()).decode())
                    given.append(base64.b64decode(hear()).decode())
            has_login = given == [USER, PASSWORD]
            note("login" if has_login else "wrong login")
            say("235 welcome" if has_login else "535 5.7.8 wrong user or password")
        elif verb in ("MAIL", "RCPT") and not has_login:
            say("530 5.7.0 log in first")
        elif verb == "DATA":
            say("354 go on")
            while hear() != ".":
                pass
            note("mail")
            say("250 taken")
        elif verb == "QUIT":
            say("221 bye")
            break
        else:
            say("250 ok")
    connection.close()


def guarded(connection: socket.socket) -> None:
    try:
        serve(connection)
    except (OSError, ssl.SSLError) as error:
        note(f"broken {type(error).__name__}")


listener = socket.create_server(("127.0.0.1", int(port)))
while True:
    threading.Thread(target=guarded, args=[listener.accept()[0]], daemon=True).start()

"""Who asks: a user of your site, by a token that the site signs; else a browser, by a cookie."""

import os
import re
import secrets

import jwt
from fastapi import HTTPException, Request, Response

# The secret with which your site signs the tokens of its users, and their audience. Without the secret no token is valid.
SECRET = os.environ.get("SHOP_CHAT_SECRET") or secrets.token_hex(32)
AUDIENCE = "shop"
YEAR = 365 * 24 * 3600


async def visitor_of(request: Request, response: Response) -> str:
    """The name of the visitor in the database. A new browser gets its cookie with the config, its first request."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return f"host:{subject_of(token)}"
    visitor = anonymous_in(request)
    if visitor is None:
        visitor = secrets.token_urlsafe(24)
        set_cookie(request, response, visitor, YEAR)
    return visitor


def subject_of(token: str) -> str:
    try:
        claims = jwt.decode(token, SECRET, algorithms=["HS256"], audience=AUDIENCE, options={"require": ["exp", "sub"]})
    except jwt.PyJWTError as error:
        raise HTTPException(401, f"The visitor's token is not accepted: {error}.")
    return claims["sub"]


def anonymous_in(request: Request) -> str | None:
    """The visitor of the cookie."""
    cookie = request.cookies.get("visitor", "")
    return cookie if re.fullmatch(r"[\w-]{32}", cookie, re.ASCII) else None


def forget_visitor(request: Request, response: Response) -> None:
    set_cookie(request, response, "", 0)


def set_cookie(request: Request, response: Response, visitor: str, seconds: int) -> None:
    # A page of another site gets the cookie back only over HTTPS.
    site = "SameSite=None; Secure; Partitioned" if request.url.scheme == "https" else "SameSite=Lax"
    response.headers["set-cookie"] = f"visitor={visitor}; Path=/; HttpOnly; Max-Age={seconds}; {site}"

"""``account``: who may log in to the web server."""

import argparse
import sys
from pathlib import Path

from bridge.cli.frame import DONE, CannotError, Commands, complain, say, say_table

ROLES = {
    "arbiter": "sees everything, and rules",
    "operator": "sees links and boards, and of alerts what concerns equipment",
    "viewer": "sees what spectators see, also where they see nothing",
    "monitor": "reads the figures of the program, and sees no more of the games than everybody",
}


def add_parser(commands: Commands) -> None:
    """Describe the command."""
    parser = commands.add(
        "account",
        run,
        summary="say who may log in to the web server",
        description="Adds, removes and lists the accounts of a configuration. 'add' asks for the "
        "password, or takes it as one line from standard input; for a name that is there it "
        "changes role and password, which ends that account's sessions. 'token' prints a new token "
        "with which a program has the account's role; it cannot be shown again. A daemon that runs "
        "takes all of that at once.",
        examples=[
            "account add hall.yaml 'Kramer, Anna' --role arbiter",
            "account list hall.yaml",
            "account token hall.yaml scoreboard",
            "account remove hall.yaml 'Kramer, Anna'",
        ],
    )
    parser.add_argument("action", choices=tuple(_ACTIONS), help="what to do")
    parser.add_argument("config", type=Path, metavar="CONFIG", help="the configuration")
    parser.add_argument("name", nargs="?", metavar="NAME", help="the account")
    roles = "; ".join(f"{role}: {says}" for role, says in ROLES.items())
    parser.add_argument("--role", choices=tuple(ROLES), help=f"what the account may do ({roles})")


def run(args: argparse.Namespace) -> int:
    """Do what is asked for."""
    from bridge.config import load
    from bridge.web.accounts import AccountError, is_name

    if args.action != "list" and not is_name(args.name or ""):
        raise CannotError(f"name the account: eboard-bridge account {args.action} CONFIG NAME")
    try:
        _ACTIONS[args.action](args, load(args.config).accounts)
    except AccountError as error:
        raise CannotError(str(error)) from error
    return DONE


def _add(args: argparse.Namespace, path: Path) -> None:
    from bridge.web import accounts, passwords

    if args.role is None:
        raise CannotError(f"say what the account may do: --role {', '.join(ROLES)}")
    password = _password()
    if not passwords.SHORTEST <= len(password) <= passwords.LONGEST:
        raise CannotError(
            f"a password has {passwords.SHORTEST} to {passwords.LONGEST} characters; "
            "a few words in a row are easy to keep"
        )
    name = accounts.clean(args.name)
    kept = passwords.hashed(password)
    accounts.add(path, accounts.Account(name=name, role=args.role, password=kept))
    complain(f"{name} may log in as {args.role}")


def _password() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    from getpass import getpass

    password = getpass("Password: ")
    if getpass("The same again: ") != password:
        raise CannotError("these were two passwords; nothing is changed")
    return password


def _remove(args: argparse.Namespace, path: Path) -> None:
    from bridge.web import accounts

    accounts.remove(path, args.name)
    complain(f"{accounts.clean(args.name)} may log in no more")


def _token(args: argparse.Namespace, path: Path) -> None:
    from bridge.web import accounts

    say(accounts.add_token(path, args.name))


def _list(_: argparse.Namespace, path: Path) -> None:
    from bridge.web.accounts import Accounts

    say_table(
        ("name", "role", "tokens"),
        [(each.name, each.role, str(len(each.tokens))) for each in Accounts(path).all()],
    )


_ACTIONS = {"add": _add, "remove": _remove, "list": _list, "token": _token}

"""What goes wrong between a client and a server: redis-py's classes and their tree, with the codes of spec/errors.md."""

from __future__ import annotations

from enum import Enum

from samewire.errors import SamewireError


class ExceptionType(Enum):
    """What an error has to do with."""

    NETWORK = "network"
    TLS = "tls"
    AUTH = "auth"
    SERVER = "server"


class RedisError(SamewireError):
    """Every error of this part. `code` is the class's own; `text` is what the server or the client said.

    may_have_run: whether the server may have run a command for which no reply came. None where that is no question.
    status_code: the first word of an error reply if that is `ERR` or has a class of its own, like `NOPERM`; else None.
    """

    code = "misuse"
    error_type = ExceptionType.SERVER
    status_code: str | None = None
    may_have_run: bool | None = None

    def __init__(self, *args: object, status_code: str | None = None) -> None:
        Exception.__init__(self, *args)
        if status_code is not None:
            self.status_code = status_code
        self.at = None
        self.path = None
        self.text = "" if not args or args[0] is None else str(args[0])

    def __str__(self) -> str:
        return Exception.__str__(self)


class ConnectionError(RedisError):
    """The connection is lost, or cannot be made."""

    code = "closed"
    error_type = ExceptionType.NETWORK


class TimeoutError(RedisError):
    """The server did not take a command, or send its reply, in time."""

    code = "timeout"
    error_type = ExceptionType.NETWORK


class AuthenticationError(ConnectionError):
    """The server refuses the user or the password."""

    error_type = ExceptionType.AUTH


class AuthorizationError(ConnectionError):
    """The user may not connect."""

    error_type = ExceptionType.AUTH


class BusyLoadingError(ConnectionError):
    """The server is reading its data into memory."""


class CircuitOpenError(ConnectionError):
    """The server could not be reached for a while, and another caller's turn to try it comes first. Nothing was sent.

    retry_in: seconds until a caller may try.
    """

    may_have_run = False

    def __init__(self, text: str | None = None, retry_in: float = 0.0) -> None:
        super().__init__(text)
        self.retry_in = retry_in


class TlsError(ConnectionError):
    """The TLS handshake failed, or the options of TLS cannot be used: another attempt would fail in the same way."""

    error_type = ExceptionType.TLS


class TlsTimeoutError(TlsError, TimeoutError):
    """The server sent no reply to the TLS handshake in time, as a port without TLS does."""

    code = "timeout"


#: What to do about a reply that exceeds a limit.
ADVICE = ": if the server may send such replies, give the client larger limits: limits=samewire.limits.Limits(...)"


class InvalidResponse(RedisError):
    """What came is not RESP, or exceeds a limit. `code` tells which."""

    code = "malformed"

    def __init__(self, *args: object, status_code: str | None = None) -> None:
        super().__init__(*args, status_code=status_code)
        word = self.text.partition(" ")[0].rstrip(":")
        if word in ("bad_number", "truncated"):
            self.code = word
        elif word.startswith("limit_"):
            self.code = word
            # A copy of an error has it already.
            if ADVICE not in self.text:
                self.text += ADVICE
                self.args = (self.text, *args[1:])


class ResponseError(RedisError):
    """The server replied with an error."""

    code = "unsupported"


class AuthenticationWrongNumberOfArgsError(ResponseError):
    """AUTH has another number of arguments on this server."""

    error_type = ExceptionType.AUTH


class NoPermissionError(ResponseError):
    """The user may not run this command, or not on these keys."""

    error_type = ExceptionType.AUTH


class NoScriptError(ResponseError):
    """The server does not hold the script."""


class ExecAbortError(ResponseError):
    """A command of the transaction was refused when it was queued."""


class ReadOnlyError(ResponseError):
    """The server is a replica and takes no writes."""


class OutOfMemoryError(ResponseError):
    """The server has reached `maxmemory`."""


class ModuleError(ResponseError):
    """A module cannot be loaded or unloaded."""


class DataError(RedisError):
    """An argument that cannot be sent, or options that exclude each other."""


class PubSubError(RedisError):
    """A subscriber was asked for what it cannot do."""


class WatchError(RedisError):
    """A watched key was changed: the transaction did not run."""


class LockError(RedisError, ValueError):
    """A lock cannot be acquired or released."""

    def __init__(self, message: str | None = None, lock_name: str | bytes | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.lock_name = lock_name


class LockNotOwnedError(LockError):
    """The lock is another holder's, or nobody's."""


class ChildDeadlockedError(Exception):
    """A child process has used a lock that its parent held when it forked."""


class MaxConnectionsError(ConnectionError):
    """The pool has lent all connections that it may have."""

    may_have_run = False


class RedisClusterException(Exception):
    """The cluster cannot be used."""

    error_type = ExceptionType.SERVER


class InvalidPipelineStack(RedisError, RedisClusterException):
    """Replies do not match the commands of a pipeline."""


class ClusterError(RedisError):
    """A command did not reach the node that has its keys."""


class ClusterDownError(ClusterError, ResponseError):
    """Slots are not served."""

    def __init__(self, resp: str, status_code: str | None = None) -> None:
        super().__init__(resp, status_code=status_code)
        self.args = (resp,)
        self.message = resp


class AskError(ResponseError):
    """A slot is moving: this one command goes to another node. `slot_id host port` tell which."""

    def __init__(self, resp: str, status_code: str | None = None) -> None:
        super().__init__(resp, status_code=status_code)
        self.message = resp
        try:
            slot, address = resp.split(" ")[:2]
            host, _, port = address.rpartition(":")
            self.slot_id = int(slot)
            self.port = int(port)
            if not (0 <= self.slot_id < 16384 and 0 <= self.port < 65536):
                raise ValueError
        except ValueError:
            raise InvalidResponse(f"a redirection to {resp!r}: expected a slot and host:port") from None
        self.host = host
        self.node_addr = (self.host, self.port)


class TryAgainError(ResponseError):
    """The keys of a command lie on two nodes while their slot moves."""


class ClusterCrossSlotError(ResponseError):
    """The keys of a command are in different slots."""

    message = "Keys in request don't hash to the same slot"


class MovedError(AskError):
    """A slot is another node's now."""

    def __str__(self) -> str:
        return f"{super().__str__()}: the server belongs to a cluster; use RedisCluster (or Client.cluster), which goes to the slot's node"


class MasterDownError(ClusterDownError):
    """A replica has lost its master."""


class SlotNotCoveredError(RedisClusterException):
    """No node serves a slot."""


class CrossSlotTransactionError(RedisClusterException):
    """The keys of a transaction, or the watched keys, are in different slots."""


class ExternalAuthProviderError(ConnectionError):
    """A provider of credentials reports an error. Nothing here raises it: providers and their callers may."""


class IncorrectPolicyType(Exception):
    """A policy of a command is unknown. Nothing here raises it."""

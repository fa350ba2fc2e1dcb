"""The commands of a pipeline while they wait, and what their replies mean. No I/O: blocking and asyncio share it.

A pipeline is a native `Pipe`: commands are encoded as they are called.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from typing import Any

from samewire._native import Pipe

from ..exceptions import BusyLoadingError, ConnectionError, DataError, ExecAbortError, ResponseError, TimeoutError, WatchError
from ..rules.conversion import EMPTY_RESPONSE, NEVER_DECODE, OWN_OPTIONS
from ..rules.repeating import Repeating
from ..session.encoder import Encoder
from .watch_phase import WatchPhase

#: After these nothing is watched.
UNWATCH_COMMANDS = frozenset({"DISCARD", "EXEC", "UNWATCH"})

#: Commands whose arguments may be passwords: errors' texts go into logs.
SECRET = frozenset({"ACL", "ACL SETUSER", "AUTH", "CONFIG", "CONFIG SET", "HELLO", "MIGRATE"})

#: Why a pipeline has no views and makes no typed values.
NO_VIEW = (
    "a pipeline decodes replies and repeats commands as its client does, and has no typed values: use"
    " client.decoding().pipeline(), client.repeating().pipeline(), or make the store, hash, list or stream with the client"
)

#: Why a pipeline that watches keys is not copied.
NO_COPY = "keys are watched on a connection, which two pipelines cannot share: make another one with pipeline(), and watch there"

#: Characters of a command in an error's text.
SHOWN = 100


class Queued(WatchPhase, Repeating, Pipe):
    """Commands that wait.

    scripts: those that the commands call.
    """

    UNWATCH_COMMANDS = UNWATCH_COMMANDS

    def _begin(self, response_callbacks: dict[str, Any], transaction: bool, decode: bool | None, encoder: Encoder) -> None:
        """Sets up an empty queue; the constructor's part."""
        self._encodes = None if encoder.native else encoder
        self.response_callbacks = response_callbacks
        self.callbacks = response_callbacks
        self.is_transaction = transaction
        self._decode = decode
        self._forget()

    def _execute_function(self) -> Callable[..., Any]:
        """The `execute_command` of the class that a method need not call: it would only queue."""
        raise NotImplementedError

    def _queue_directly(self) -> None:
        # A view that decodes in its own way marks each command; the native layer encodes text as UTF-8.
        self.direct = self._execute_function() if self._decode is None and self._encodes is None else None

    def _forget(self) -> None:
        Pipe.clear(self)
        self.watching = False
        self.explicit_transaction = False
        self.scripts: set[Any] = set()
        self._texts: set[str] = set()
        #: Places and replies of commands that are not sent: what they ask for is known.
        self._known: list[tuple[int, Any]] = []
        self._queue_directly()

    def __len__(self) -> int:
        return Pipe.__len__(self) + len(self._known)

    def __bool__(self) -> bool:
        return True

    def __copy__(self: Any) -> Any:
        """Another pipeline, with the same commands. Raises DataError while keys are watched."""
        if self.watching or self.connection is not None:
            raise DataError(NO_COPY)
        kind: Any = type(self)
        made = kind.__new__(kind)
        vars(made).update(vars(self))
        made.scripts, made._texts, made._known = set(self.scripts), set(self._texts), list(self._known)
        made.callbacks, made.direct = self.callbacks, self.direct
        Pipe.extend(made, self)
        return made

    def __repr__(self) -> str:
        kind = "transaction" if self.is_transaction else "pipeline"
        return f"<{type(self).__module__}.{type(self).__name__}({kind} of {len(self)} commands)>"

    def script_texts(self) -> set[str] | None:
        """The digests of scripts whose text is queued; None where calls do not wait.

        A script's first call is an EVAL, so that the server knows the script for those behind it: after SCRIPT LOAD another
        client could flush it before they come.
        """
        return None if self._runs_at_once("EVAL") else self._texts

    def _lacks_scripts(self) -> bool:
        """Whether scripts are called of which no text is queued."""
        return any(script.sha not in self._texts for script in self.scripts)

    @property
    def command_stack(self) -> list[tuple[tuple[Any, ...], dict[str, Any]]]:
        """The commands that wait, each as its words and an empty dictionary: for instrumentations."""
        return [(tuple(map(text, words)), {}) for words in self.all_arguments()]

    def _queue(self, args: tuple[Any, ...], options: dict[str, Any]) -> None:
        """Queues a command."""
        decode = self._decode
        if options:
            if EMPTY_RESPONSE in options:
                self._known.append((len(self), options[EMPTY_RESPONSE]))
                return
            if NEVER_DECODE in options:
                decode = False
            options = {name: value for name, value in options.items() if name not in OWN_OPTIONS}
        # `append` is a command's method as well.
        if self._encodes is not None:
            args = self._encodes.encoded(args)
        Pipe.append(self, args, None, decode, options or None)

    def multi(self) -> None:
        """Ends what runs at once after `watch`: what follows waits for `execute`. Raises RedisError if commands wait already."""
        super().multi()
        self._queue_directly()

    def _note(self, command_name: Any) -> None:
        """Takes notice of a command that has run at once."""
        if command_name in UNWATCH_COMMANDS:
            self.watching = False
            self._queue_directly()
        elif command_name == "WATCH":
            self.watching = True
            self.direct = None

    def _is_safe(self, error: Exception) -> bool:
        """Whether all commands may be sent again after an error."""
        if not isinstance(error, ConnectionError | TimeoutError) or not error.may_have_run:
            return True
        if self._repeats and self.watching:
            # What EXEC has done may be what the next attempt would see as another client's change.
            return False
        return all(map(self._may_repeat, self.all_arguments()))

    def _run_bare(self, refused: Sequence[tuple[int, Exception]]) -> Exception:
        """The error of a transaction whose MULTI was refused, although the server had taken one on this connection."""
        _, error = refused[0]
        if len(refused) == 1 + Pipe.__len__(self) and all(isinstance(each, BusyLoadingError) for _, each in refused):
            # It refused all of them, and nothing has run.
            return error
        bare = ResponseError(
            f"MULTI was refused ({error}), and commands behind it were not: they have run, or failed, each by itself and not as"
            " a transaction; look at what they have done before they are sent again"
        )
        bare.may_have_run = True
        return bare

    def _committed(self, refused: Sequence[tuple[int, Exception]], replies: Any) -> list[Any]:
        """The replies of a transaction: what EXEC replied, with the errors of commands that were refused in their places.

        Raises what EXEC means as a whole: WatchError if a watched key was changed.
        """
        if (refused and refused[0][0] == 0) or isinstance(replies, Exception):
            error = self._failed(refused, replies)
            try:
                raise error
            finally:
                # The error's traceback leads to this frame.
                del error, refused, replies
        self.watching = False
        if replies is None:
            raise WatchError("a watched key was changed before EXEC: nothing has run; begin again with watch()")
        made: list[Any] = replies
        for place, error in refused:
            made.insert(place - 1, error)
        expected = Pipe.__len__(self)
        if len(made) != expected:
            raise ResponseError(f"EXEC replied with {len(made)} replies for {expected} commands")
        return made

    def _failed(self, refused: Sequence[tuple[int, Exception]], replies: Exception) -> Exception:
        """The error of a transaction that was refused, or of which a command was."""
        if refused and refused[0][0] == 0:
            return self._run_bare(refused)
        if not refused or not isinstance(replies, ExecAbortError):
            return replies
        place, error = refused[0]
        self.annotate_exception(error, place, self.arguments(place - 1))
        return error

    def _answered(self, replies: list[Any], raise_on_error: bool) -> list[Any]:
        """All replies, in the order of the calls."""
        try:
            if raise_on_error:
                self.raise_first_error(replies)
            for place, reply in self._known:
                replies.insert(place, reply)
            return replies
        finally:
            # The traceback of an error among them leads to this frame.
            del replies

    def raise_first_error(self, replies: Sequence[Any]) -> None:
        """Raises the first error among the replies, and says which command it belongs to."""
        # Their classes first: of a million replies 19 ms in place of 104.
        if not any(issubclass(kind, Exception) for kind in set(map(type, replies))):
            return
        try:
            for at, reply in enumerate(replies):
                if isinstance(reply, Exception):
                    if isinstance(reply, ResponseError):
                        self.annotate_exception(reply, at + 1, self.arguments(at))
                    raise reply
        finally:
            # The error's traceback leads to this frame.
            del replies, reply

    def annotate_exception(self, exception: Exception, number: int, command: Sequence[Any]) -> None:
        """Says in an error's text which command it belongs to."""
        annotate(exception, number, command)


def annotate(error: Exception, number: int, command: Sequence[Any]) -> None:
    """Says in an error's text which command of a pipeline it belongs to. number: counts from 1."""
    words = [word.decode("utf-8", "replace") if isinstance(word, bytes) else str(word) for word in command]
    if words and words[0].upper() in SECRET:
        words[1:] = ["..."]
    line = " ".join(words)
    shown = textwrap.shorten(line, SHOWN, placeholder="...", break_long_words=True)
    said, *rest = error.args or (error,)
    error.args = (f"Command # {number} ({shown}) of pipeline caused error: {said}", *rest)


def text(word: bytes) -> str | bytes:
    """A word of a command as it was given, most likely: bytes that are not UTF-8 stay bytes."""
    try:
        return word.decode()
    except UnicodeDecodeError:
        return word


def not_loading(replies: list[Any]) -> list[Any]:
    """The replies of a pipeline. Raises BusyLoadingError if the server refused all commands, which may then be sent again."""
    try:
        if replies and all(isinstance(reply, BusyLoadingError) for reply in replies):
            raise replies[0]
        return replies
    finally:
        # The error's traceback leads to this frame.
        del replies

"""What pyproject.toml cannot say: the package holds a compiled library, so a wheel is for one interpreter and one machine."""

from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.sdist import sdist
from setuptools.errors import SetupError

LIBRARY = Path(__file__).parent / "samewire/_native.so"


class CompiledDistribution(Distribution):
    """Its wheels name the interpreter's version and the platform."""

    def has_ext_modules(self) -> bool:
        """As if setuptools had compiled the library itself."""
        return True


class CompleteWheel(bdist_wheel):
    """No wheel without the library."""

    def run(self) -> None:
        """Raises SetupError where the library is not built."""
        if not LIBRARY.exists():
            raise SetupError(
                "samewire/_native.so is not there: it is compiled from the Rust workspace beside; type `make build-python`"
            )
        super().run()


class NoSource(sdist):
    """This folder is not the library's source."""

    def run(self) -> None:
        """Raises SetupError."""
        raise SetupError("the library is compiled from the Rust workspace beside this folder: build a wheel (pip wheel python)")


setup(distclass=CompiledDistribution, cmdclass={"bdist_wheel": CompleteWheel, "sdist": NoSource})

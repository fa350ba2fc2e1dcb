"""Makes `import py4j` find Samewire's in every process whose sys.path has this package's parent folder first."""

from samewire.bridge.as_py4j import install_as_py4j

install_as_py4j()

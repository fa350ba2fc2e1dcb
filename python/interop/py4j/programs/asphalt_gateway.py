"""asphalt-py4j: a component that starts a JVM and publishes its gateway to a program of Asphalt."""

import asyncio

from asphalt.core import Context
from asphalt.py4j.component import Py4JComponent
from py4j.java_gateway import JavaGateway


async def main() -> None:
    async with Context() as context:
        await Py4JComponent(javaopts=["-XX:TieredStopAtLevel=1"]).start(context)
        gateway = context.require_resource(JavaGateway)
        buffer = gateway.jvm.java.io.StringWriter()
        buffer.write("asphalt")
        print(buffer.toString(), len(gateway.jvm.java.util.ArrayList([1, 2, 3])))


asyncio.run(main())

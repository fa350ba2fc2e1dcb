package io.samewire.pack;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Classes of Scala have the schema and the bytes of the equal Java records; {@code src/test/scala} has the tests, and
 * {@code src/test/scala3} those of what only Scala 3 has.
 */
@Tag("compilers")
final class ScalaTypesTest {
    @TestFactory
    Stream<DynamicTest> scala3() {
        return SampleCompiler.tests(List.of("scala", "scala3"), "dotty.tools.dotc.Main", List.of(),
            "sample.Scala3Types");
    }

    @TestFactory
    Stream<DynamicTest> scala213() {
        return SampleCompiler.tests(List.of("scala"), "scala.tools.nsc.Main", List.of("-nowarn"), "sample.ScalaTypes");
    }
}

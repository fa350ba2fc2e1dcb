package io.samewire.pack;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Classes of Kotlin have the schema and the bytes of the equal Java records; {@code src/test/kotlin} has the tests. */
@Tag("compilers")
final class KotlinTypesTest {
    private static final String COMPILER = "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler";

    @TestFactory
    Stream<DynamicTest> kotlin2() {
        return tests("-jvm-target", "17");
    }

    /** Its metadata is of version 1, and sealed classes are so in the metadata alone. */
    @TestFactory
    Stream<DynamicTest> kotlin19ForOlderJvms() {
        return tests("-jvm-target", "1.8", "-language-version", "1.9");
    }

    private static Stream<DynamicTest> tests(String... options) {
        List<String> all = new java.util.ArrayList<>(List.of("-no-stdlib", "-no-reflect", "-nowarn",
            "-Xemit-jvm-type-annotations", "-opt-in=kotlin.ExperimentalUnsignedTypes"));
        all.addAll(List.of(options));
        return SampleCompiler.tests(List.of("kotlin"), COMPILER, all, "sample.KotlinTypes");
    }
}

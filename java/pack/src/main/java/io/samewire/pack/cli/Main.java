package io.samewire.pack.cli;

import io.samewire.core.SamewireException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/** {@code java -cp … io.samewire.pack.cli.Main}: tools for programs with codecs; {@code --help} says which. */
public final class Main {
    /** The files are written. */
    static final int DONE = 0;
    /** The files cannot be written. */
    static final int FAILED = 1;
    /** The command line is wrong, or names a type without a codec. */
    static final int WRONG = 2;

    static final String HELP = """
        usage: java -cp CLASSPATH io.samewire.pack.cli.Main native-image FOLDER TYPE...

        Writes FOLDER/reflect-config.json: what a native image of GraalVM must know of the types that the codecs of
        these types reach. FOLDER is META-INF/native-image/GROUP/ARTIFACT among the program's resources. CLASSPATH has
        the program's classes and the jars of samewire-pack, samewire-core and ASM.

        A TYPE is the name of a class, as Class.getName() has it: one that a codec is made of; a subclass of TypeRef,
        like shop.Main$1, for the type that it captures; or a Converter, which the codecs of all types get.

        Exit codes: 0 the file is written; 1 it cannot be written; 2 this command line is wrong, or a type has no codec.

        example:
          java -cp target/classes:target/lib/* io.samewire.pack.cli.Main native-image \\
            src/main/resources/META-INF/native-image/shop/orders shop.Order shop.Customer
        """;

    private Main() {}

    /** Runs the program and exits with its code. */
    public static void main(String[] given) {
        System.exit(run(List.of(given), new PrintStream(System.out, true, StandardCharsets.UTF_8),
            new PrintStream(System.err, true, StandardCharsets.UTF_8)));
    }

    /** Runs the program and returns its exit code. */
    static int run(List<String> given, PrintStream out, PrintStream err) {
        try {
            if (given.contains("--help")) {
                out.print(HELP);
                return DONE;
            } else if (given.size() < 3 || !given.get(0).equals("native-image")) {
                throw new Usage("expected native-image FOLDER TYPE..., found \"" + String.join(" ", given)
                    + "\"; --help says what there is");
            }
            NativeImageMetadata metadata = NativeImageMetadata.of(given.subList(2, given.size()));
            for (Path written : metadata.write(Path.of(given.get(1)))) {
                out.println("wrote " + written);
            }
            return DONE;
        } catch (Usage | InvalidPathException | SamewireException wrong) {
            err.println("samewire-pack: " + wrong.getMessage());
            return WRONG;
        } catch (IOException unwritable) {
            err.println("samewire-pack: cannot write: " + unwritable);
            return FAILED;
        }
    }
}

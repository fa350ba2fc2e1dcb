package acceptance;

/** Classes within a class. */
public class Outer {
    private final String name;

    /** Names the object. */
    public Outer(String name) {
        this.name = name;
    }

    /** A static class within. */
    public static class Nested {
        public static final int DEPTH = 1;

        /** Where this stands. */
        public String place() {
            return "nested";
        }

        /** A static class within that. */
        public static class Deeper {
            /** Where this stands. */
            public String place() {
                return "deeper";
            }
        }
    }

    /** A class whose objects belong to an outer object. */
    public class Inner {
        /** The outer object's name. */
        public String owner() {
            return name;
        }
    }

    /** An interface within. */
    public interface Greeter {
        /** A greeting. */
        String greet(String whom);
    }

    /** An inner object of this one. */
    public Inner inner() {
        return new Inner();
    }

    /** An object of a class without a name. */
    public static Greeter anonymous() {
        return new Greeter() {
            @Override
            public String greet(String whom) {
                return "anonymous " + whom;
            }
        };
    }

    /** Asks a greeter. */
    public static String ask(Greeter greeter, String whom) {
        return greeter.greet(whom);
    }
}

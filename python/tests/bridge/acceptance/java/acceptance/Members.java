package acceptance;

/** Fields, constructors and methods of every visibility and arity. */
public class Members extends Ancestor {
    public static final String CONSTANT = "constant";
    public static int counter;
    public static Object shared;

    public final long fixed = 1L << 40;
    public int number = 1;
    public String text;
    public Object any;
    public int[] numbers = {1, 2, 3};
    public int size = 7;
    private int secret = 42;

    /** Made by the constructor without parameters. */
    public Members() {
        this("default");
    }

    /** Sets the number. */
    public Members(int number) {
        this("int");
        this.number = number;
    }

    /** Sets the text. */
    public Members(String text) {
        this.text = text;
    }

    /** Sets both. */
    public Members(String text, int number) {
        this.text = text;
        this.number = number;
    }

    /** The sum of two numbers. */
    public static int add(int a, int b) {
        return a + b;
    }

    /** The counter as Java sees it. */
    public static int counted() {
        return counter;
    }

    /** All eight arguments as one text. */
    public static String eight(int a, long b, double c, String d, boolean e, char f, byte[] g, Object h) {
        return a + " " + b + " " + c + " " + d + " " + e + " " + f + " " + g.length + " " + h;
    }

    /** The sum of twelve numbers. */
    public static int twelve(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l) {
        return a + b + c + d + e + f + g + h + i + j + k + l;
    }

    /** Joins its arguments. */
    public static String join(String... parts) {
        return parts.length + ":" + String.join(",", parts);
    }

    /** The first number times the sum of the others. */
    public static int scaled(int factor, int... numbers) {
        int sum = 0;
        for (int number : numbers) {
            sum += number;
        }
        return factor * sum;
    }

    /** How many objects came, and the class of the first. */
    public static String objects(Object... objects) {
        return objects.length == 0 ? "0" : objects.length + ":" + (objects[0] == null ? null : objects[0].getClass().getName());
    }

    /** The number as Java sees it. */
    public int seen() {
        return number + secret - 42;
    }

    /** A method of a field's name. */
    public int size() {
        return 8;
    }

    /** This object. */
    public Members self() {
        return this;
    }

    /** Adds one to the number and returns this object. */
    public Members next() {
        number++;
        return this;
    }

    /** Returns nothing. */
    public void nothing() {
    }

    /** A name that Python reserves. */
    public String in() {
        return "in";
    }

    /** A name that Python reserves. */
    public static String pass() {
        return "pass";
    }

    /** A static method with the name of a builtin function of Python. */
    public static String print() {
        return "print";
    }

    /** Whether two references are of the same object. */
    public static boolean same(Object a, Object b) {
        return a == b;
    }

    @Override
    public Members copy() {
        return new Members(text, number);
    }

    @Override
    public String toString() {
        return "Members(" + text + ", " + number + ")";
    }

    private int hidden() {
        return secret;
    }

    protected int guarded() {
        return hidden();
    }
}

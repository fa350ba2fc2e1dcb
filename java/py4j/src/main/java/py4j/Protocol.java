package py4j;

import io.samewire.py4j.text.Escapes;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.math.BigDecimal;
import java.util.Base64;
import py4j.reflection.ReflectionUtil;

/** Values, commands and answers of the text protocol. A line begins with the letter of its type. */
public class Protocol {
    /** Bytes, in base 64. */
    public static final char BYTES_TYPE = 'j';
    /** An integer of 32 bits, or one of 64 if it needs them. */
    public static final char INTEGER_TYPE = 'i';
    /** An integer of 64 bits. */
    public static final char LONG_TYPE = 'L';
    /** {@code true} or {@code false}. */
    public static final char BOOLEAN_TYPE = 'b';
    /** A double. */
    public static final char DOUBLE_TYPE = 'd';
    /** A decimal number. */
    public static final char DECIMAL_TYPE = 'D';
    /** A text, escaped. */
    public static final char STRING_TYPE = 's';
    /** An object's id. */
    public static final char REFERENCE_TYPE = 'r';
    /** A list's id. */
    public static final char LIST_TYPE = 'l';
    /** A set's id. */
    public static final char SET_TYPE = 'h';
    /** An array's id. */
    public static final char ARRAY_TYPE = 't';
    /** A map's id. */
    public static final char MAP_TYPE = 'a';
    /** An iterator's id. */
    public static final char ITERATOR_TYPE = 'g';
    /** No value: null. */
    public static final char NULL_TYPE = 'n';
    /** A Python object's id, and the interfaces that it implements. */
    public static final char PYTHON_PROXY_TYPE = 'f';
    /** A package. */
    public static final char PACKAGE_TYPE = 'p';
    /** A class. */
    public static final char CLASS_TYPE = 'c';
    /** A method. */
    public static final char METHOD_TYPE = 'm';
    /** There is no such member. */
    public static final char NO_MEMBER = 'o';
    /** No value: the method has none. */
    public static final char VOID = 'v';
    /** An answer begins with it. */
    public static final char RETURN_MESSAGE = '!';
    /** A line of its own at the end of a command. */
    public static final char END = 'e';
    /** The end of a line. */
    public static final char END_OUTPUT = '\n';
    /** The command failed. */
    public static final char ERROR = 'x';
    /** The connection failed. */
    public static final char FATAL_ERROR = 'z';
    /** The command is done. */
    public static final char SUCCESS = 'y';
    /** The command that authenticates. */
    public static final String AUTH_COMMAND_NAME = "A";
    /** The answer of an error without a text. */
    public static final String ERROR_COMMAND = "!x\n";
    /** The answer without a value. */
    public static final String VOID_COMMAND = "!yv\n";
    /** The answer that there is no such field. */
    public static final String NO_SUCH_FIELD = "!yo\n";
    /** The id of the entry point. */
    public static final String ENTRY_POINT_OBJECT_ID = "t";
    /** The id of the view that is always there. */
    public static final String DEFAULT_JVM_OBJECT_ID = "j";
    /** The id of the server. */
    public static final String GATEWAY_SERVER_ID = "GATEWAY_SERVER";
    /** Before the name of a class whose static methods are called. */
    public static final String STATIC_PREFIX = "z:";

    /** How Python writes a double that is not a number. */
    public static final String PYTHON_NAN = "nan";
    /** How Python writes infinity. */
    public static final String PYTHON_INFINITY = "inf";
    /** How Python writes negative infinity. */
    public static final String PYTHON_NEGATIVE_INFINITY = "-inf";

    /** Has static methods alone. */
    protected Protocol() {}

    /** Returns bytes in base 64. */
    public static String encodeBytes(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    /** Returns whether a line is absent or blank. */
    public static boolean isEmpty(String commandPart) {
        return commandPart == null || commandPart.isBlank();
    }

    /** Returns whether a line ends a command. */
    public static boolean isEnd(String commandPart) {
        return commandPart.length() == 1 && commandPart.charAt(0) == END;
    }

    /** Returns whether an answer, without its leading {@code !}, is an error. */
    public static boolean isError(String returnMessage) {
        return returnMessage == null || returnMessage.isEmpty() || returnMessage.charAt(0) == ERROR;
    }

    /** Returns whether a line is an answer. */
    public static boolean isReturnMessage(String commandPart) {
        return commandPart != null && commandPart.length() > 1 && commandPart.charAt(0) == RETURN_MESSAGE;
    }

    /** Returns whether a line, which must not be empty, is a boolean. */
    public static boolean isBoolean(String commandPart) {
        return commandPart.charAt(0) == BOOLEAN_TYPE;
    }

    /** Returns whether a line, which must not be empty, is bytes. */
    public static boolean isBytes(String commandPart) {
        return commandPart.charAt(0) == BYTES_TYPE;
    }

    /** Returns whether a line, which must not be empty, is a decimal number. */
    public static boolean isDecimal(String commandPart) {
        return commandPart.charAt(0) == DECIMAL_TYPE;
    }

    /** Returns whether a line, which must not be empty, is a double. */
    public static boolean isDouble(String commandPart) {
        return commandPart.charAt(0) == DOUBLE_TYPE;
    }

    /** Returns whether a line, which must not be empty, is an integer. */
    public static boolean isInteger(String commandPart) {
        return commandPart.charAt(0) == INTEGER_TYPE;
    }

    /** Returns whether a line, which must not be empty, is a long. */
    public static boolean isLong(String commandPart) {
        return commandPart.charAt(0) == LONG_TYPE;
    }

    /** Returns whether a line, which must not be empty, is null. */
    public static boolean isNull(String commandPart) {
        return commandPart.charAt(0) == NULL_TYPE;
    }

    /** Returns whether a line, which must not be empty, is an object of Python. */
    public static boolean isPythonProxy(String commandPart) {
        return commandPart.charAt(0) == PYTHON_PROXY_TYPE;
    }

    /** Returns whether a line, which must not be empty, is an object of this JVM. */
    public static boolean isReference(String commandPart) {
        return commandPart.charAt(0) == REFERENCE_TYPE;
    }

    /** Returns whether a line, which must not be empty, is a text. */
    public static boolean isString(String commandPart) {
        return commandPart.charAt(0) == STRING_TYPE;
    }

    /** Returns the value of a line. */
    public static Object getObject(String commandPart, Gateway gateway) {
        if (isEmpty(commandPart) || isEnd(commandPart)) {
            throw new Py4JException("Command Part is Empty or is the End of Command Part");
        }
        String value = commandPart.substring(1);
        switch (commandPart.charAt(0)) {
            case BOOLEAN_TYPE:
                return Boolean.parseBoolean(value);
            case DOUBLE_TYPE:
                return getDouble(commandPart);
            case LONG_TYPE:
                return getLong(commandPart);
            case INTEGER_TYPE:
                return integer(value);
            case BYTES_TYPE:
                return getBytes(commandPart);
            case NULL_TYPE:
            case VOID:
                return null;
            case REFERENCE_TYPE:
                return getReference(commandPart, gateway);
            case STRING_TYPE:
                return getString(commandPart);
            case DECIMAL_TYPE:
                return getDecimal(commandPart);
            case PYTHON_PROXY_TYPE:
                return getPythonProxy(commandPart, gateway);
            default:
                throw new Py4JException("Command Part is unknown: " + commandPart);
        }
    }

    private static Object integer(String value) {
        long number = Long.parseLong(value);
        if (number == (int) number) {
            return (int) number;
        }
        return number;
    }

    /** Returns the int of a line. */
    public static int getInteger(String commandPart) {
        return Integer.parseInt(commandPart.substring(1));
    }

    /** Returns the long of a line. */
    public static long getLong(String commandPart) {
        return Long.parseLong(commandPart.substring(1));
    }

    /** Returns the bytes of a line. */
    public static byte[] getBytes(String commandPart) {
        return Base64.getDecoder().decode(commandPart.substring(1));
    }

    /** Returns the decimal number of a line. */
    public static BigDecimal getDecimal(String commandPart) {
        return new BigDecimal(commandPart.substring(1));
    }

    /** Returns the text of a line. */
    public static String getString(String commandPart) {
        return Escapes.unescape(commandPart.substring(1));
    }

    /** Returns null. */
    public static Object getNull(String commandPart) {
        return null;
    }

    /** Returns the boolean of a line. */
    public static boolean getBoolean(String commandPart) {
        return Boolean.parseBoolean(commandPart.substring(1));
    }

    /** Returns the double of a line, in Java's or Python's notation. */
    public static double getDouble(String commandPart) {
        String value = commandPart.substring(1);
        switch (value) {
            case PYTHON_INFINITY:
                return Double.POSITIVE_INFINITY;
            case PYTHON_NEGATIVE_INFINITY:
                return Double.NEGATIVE_INFINITY;
            case PYTHON_NAN:
                return Double.NaN;
            default:
                return Double.parseDouble(value);
        }
    }

    /** Returns the object that a line names; null if there is none. */
    public static Object getReference(String commandPart, Gateway gateway) {
        String reference = commandPart.substring(1);
        if (reference.isBlank()) {
            throw new Py4JException("Reference is empty.");
        }
        return gateway.getObject(reference);
    }

    /** Returns a proxy of the Python object that a line names: its id, then interfaces, between semicolons. */
    public static Object getPythonProxy(String commandPart, Gateway gateway) {
        String[] parts = commandPart.substring(1).split(";");
        if (parts.length < 2) {
            throw new Py4JException("Invalid Python Proxy.");
        }
        Class<?>[] interfaces = new Class<?>[parts.length - 1];
        for (int i = 1; i < parts.length; i++) {
            interfaces[i - 1] = interfaceNamed(parts[i]);
        }
        return gateway.createProxy(ReflectionUtil.getClassLoader(), interfaces, parts[0]);
    }

    /** Returns an object that implements interfaces by calling a Python object. */
    public static Object getPythonProxyHandler(ClassLoader classLoader,
        @SuppressWarnings("rawtypes") Class[] interfacesToImplement, String objectId, Gateway gateway) {
        return gateway.createProxy(classLoader, interfacesToImplement, objectId);
    }

    private static Class<?> interfaceNamed(String name) {
        Class<?> type;
        try {
            type = ReflectionUtil.classForName(name);
        } catch (ClassNotFoundException absent) {
            throw new Py4JException("Invalid interface name: " + name);
        }
        if (!type.isInterface()) {
            throw new Py4JException("This class " + name
                + " is not an interface and cannot be used as a Python Proxy.");
        }
        return type;
    }

    /**
     * Returns the value of Python's answer, without its leading {@code !}.
     *
     * @throws Throwable what Python raised, if it is an exception of Java's; else Py4JException
     */
    public static Object getReturnValue(String returnMessage, Gateway gateway) throws Throwable {
        Object result = isEmpty(returnMessage) ? null : getObject(returnMessage.substring(1), gateway);
        if (!isError(returnMessage)) {
            return result;
        }
        if (result instanceof Throwable thrown) {
            throw thrown;
        }
        throw new Py4JException("An exception was raised by the Python Proxy. Return Message: " + result);
    }

    /** Returns the answer of a kind of member. */
    public static String getMemberOutputCommand(char memberType) {
        return getMemberOutputCommand(memberType, "");
    }

    /** Returns the answer of a kind of member, and its full name. */
    public static String getMemberOutputCommand(char memberType, String fqn) {
        return "!y" + memberType + fqn + "\n";
    }

    /** Returns the answer that there is no such field. */
    public static String getNoSuchFieldOutputCommand() {
        return NO_SUCH_FIELD;
    }

    /** Returns the answer of a value or an error. */
    public static String getOutputCommand(ReturnObject rObject) {
        return (rObject.isError() ? "!" : "!y") + rObject.getCommandPart() + "\n";
    }

    /** Returns the answer of an error without a text. */
    public static String getOutputErrorCommand() {
        return ERROR_COMMAND;
    }

    /** Returns the answer of an error. */
    public static String getOutputErrorCommand(String errorMessage) {
        return "!xs" + Escapes.escape(errorMessage) + "\n";
    }

    /** Returns the answer of an error: its stack trace. */
    public static String getOutputErrorCommand(Throwable throwable) {
        return getOutputErrorCommand(getThrowableAsString(throwable));
    }

    /** Returns the answer of an error that ends the connection. */
    public static String getOutputFatalErrorCommand(Throwable throwable) {
        return "!zs" + Escapes.escape(getThrowableAsString(throwable)) + "\n";
    }

    /** Returns the answer without a value. */
    public static String getOutputVoidCommand() {
        return VOID_COMMAND;
    }

    /** Returns the command that authenticates. */
    public static String getAuthCommand(String authToken) {
        return "A\n" + Escapes.escape(authToken) + "\ne\n";
    }

    /** Returns the letter of a value that goes by value. */
    public static char getPrimitiveType(Object primitiveObject) {
        if (primitiveObject instanceof String || primitiveObject instanceof Character) {
            return STRING_TYPE;
        }
        if (primitiveObject instanceof Long) {
            return LONG_TYPE;
        }
        if (primitiveObject instanceof Double || primitiveObject instanceof Float) {
            return DOUBLE_TYPE;
        }
        if (primitiveObject instanceof Boolean) {
            return BOOLEAN_TYPE;
        }
        return primitiveObject instanceof byte[] ? BYTES_TYPE : INTEGER_TYPE;
    }

    /** Returns what an exception of this package was thrown for, itself if there is nothing. */
    public static Throwable getRootThrowable(Throwable throwable, boolean skipInvocation) {
        Throwable root = throwable;
        boolean skip = skipInvocation;
        while (root instanceof Py4JException || !skip && root instanceof InvocationTargetException) {
            skip |= root instanceof InvocationTargetException;
            if (root.getCause() == null) {
                return root;
            }
            root = root.getCause();
        }
        return root;
    }

    /** Returns the stack trace of what an exception of this package was thrown for. */
    public static String getThrowableAsString(Throwable throwable) {
        StringWriter text = new StringWriter();
        getRootThrowable(throwable, false).printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}

package py4j.commands;

import io.samewire.py4j.invoke.MemberNames;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import py4j.JVMView;
import py4j.Protocol;
import py4j.reflection.TypeUtil;

/** Names: an {@code u}nknown one in a view, a static {@code m}ember of a class, the {@code c}lass of a name. */
public class ReflectionCommand extends TextCommand {
    /** Resolves a name. */
    public static final char GET_UNKNOWN_SUB_COMMAND_NAME = 'u';
    /** Resolves a static member. */
    public static final char GET_MEMBER_SUB_COMMAND_NAME = 'm';
    /** Returns a class. */
    public static final char GET_JAVA_LANG_CLASS_SUB_COMMAND_NAME = 'c';
    /** The first line of such commands. */
    public static final String REFLECTION_COMMAND_NAME = "r";

    /** Creates one. */
    public ReflectionCommand() {
        super(REFLECTION_COMMAND_NAME);
    }

    @Override
    Answer read(Request request) throws IOException {
        String kind = request.line();
        String name = request.line();
        if (kind.startsWith("c")) {
            request.end();
            return () -> classNamed(name);
        }
        String second = request.line();
        request.end();
        return kind.startsWith("u") ? () -> unknown(name, (JVMView) request.value(second)) : () -> member(name, second);
    }

    private String classNamed(String name) {
        try {
            return answer(TypeUtil.forName(name));
        } catch (ClassNotFoundException absent) {
            return Protocol.getOutputErrorCommand("The class " + name + " does not exist.");
        }
    }

    private static String unknown(String name, JVMView view) {
        try {
            return Protocol.getMemberOutputCommand(Protocol.CLASS_TYPE, TypeUtil.forName(name, view).getName());
        } catch (ClassNotFoundException absent) {
            return Protocol.getMemberOutputCommand(Protocol.PACKAGE_TYPE);
        }
    }

    /** A field first, then a method, then a class. */
    private String member(String name, String member) {
        try {
            Class<?> type = TypeUtil.forName(name);
            Field field = MemberNames.field(type, member);
            if (field != null && Modifier.isStatic(field.getModifiers())) {
                return answer(field.get(null));
            }
            Method method = MemberNames.method(type, member);
            if (method != null) {
                return Modifier.isStatic(method.getModifiers()) ? Protocol.getMemberOutputCommand(Protocol.METHOD_TYPE)
                    : Protocol.getOutputErrorCommand("Trying to access a non-static member from a static context.");
            }
            return MemberNames.inner(type, member) != null ? Protocol.getMemberOutputCommand(Protocol.CLASS_TYPE)
                : Protocol.ERROR_COMMAND;
        } catch (ReflectiveOperationException absent) {
            return Protocol.ERROR_COMMAND;
        }
    }
}

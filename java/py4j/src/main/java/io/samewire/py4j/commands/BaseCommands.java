package io.samewire.py4j.commands;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import py4j.commands.ArrayCommand;
import py4j.commands.CallCommand;
import py4j.commands.CancelCommand;
import py4j.commands.Command;
import py4j.commands.ConstructorCommand;
import py4j.commands.DirCommand;
import py4j.commands.ExceptionCommand;
import py4j.commands.FieldCommand;
import py4j.commands.HelpPageCommand;
import py4j.commands.JVMViewCommand;
import py4j.commands.ListCommand;
import py4j.commands.MemoryCommand;
import py4j.commands.ReflectionCommand;
import py4j.commands.ShutdownGatewayServerCommand;
import py4j.commands.StreamCommand;

/** The commands that each connection knows. */
public final class BaseCommands {
    /** Their classes. */
    public static final List<Class<? extends Command>> KINDS = List.of(ArrayCommand.class, CallCommand.class,
        ConstructorCommand.class, FieldCommand.class, HelpPageCommand.class, ListCommand.class, MemoryCommand.class,
        ReflectionCommand.class, ShutdownGatewayServerCommand.class, CancelCommand.class, JVMViewCommand.class,
        ExceptionCommand.class, DirCommand.class, StreamCommand.class);
    private static final Logger LOGGER = Logger.getLogger("py4j.BaseCommands");

    private BaseCommands() {}

    /** Returns new commands of these kinds. */
    public static List<Command> instances() {
        return List.of(new ArrayCommand(), new CallCommand(), new ConstructorCommand(), new FieldCommand(),
            new HelpPageCommand(), new ListCommand(), new MemoryCommand(), new ReflectionCommand(),
            new ShutdownGatewayServerCommand(), new CancelCommand(), new JVMViewCommand(), new ExceptionCommand(),
            new DirCommand(), new StreamCommand());
    }

    /** Returns new commands of a program's own kinds. One that cannot be created is logged and left out. */
    public static List<Command> instances(List<Class<? extends Command>> kinds) {
        List<Command> commands = new ArrayList<>();
        for (Class<? extends Command> kind : kinds) {
            try {
                commands.add(kind.getDeclaredConstructor().newInstance());
            } catch (ReflectiveOperationException | RuntimeException error) {
                LOGGER.log(Level.SEVERE, "Could not initialize command " + kind, error);
            }
        }
        return commands;
    }
}

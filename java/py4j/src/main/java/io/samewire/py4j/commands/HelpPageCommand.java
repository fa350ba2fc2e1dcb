package io.samewire.py4j.commands;

import io.samewire.py4j.HelpPage;
import java.io.IOException;
import java.util.List;
import py4j.Protocol;
import py4j.reflection.ReflectionUtil;

/** Describes a class, or an object's: its name or id, a pattern of members, whether names are short. */
public final class HelpPageCommand extends TextCommand {
    /** Creates one. */
    public HelpPageCommand() {
        super("h");
    }

    @Override
    Answer read(Request request) throws IOException {
        String kind = request.line();
        List<String> lines = request.rest();
        return () -> {
            if (!kind.equals("o") && !kind.equals("c")) {
                return Protocol.getOutputErrorCommand("Unknown Help SubCommand Name: " + kind);
            }
            String name = lines.get(0);
            Class<?> type = kind.equals("o") ? gateway.getObject(name).getClass() : ReflectionUtil.classForName(name);
            return answer(HelpPage.of(type, (String) request.value(lines.get(1)), Protocol.getBoolean(lines.get(2))));
        };
    }
}

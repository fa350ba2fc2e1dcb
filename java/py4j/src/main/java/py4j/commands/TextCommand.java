package py4j.commands;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import py4j.Protocol;
import py4j.ReturnObject;

/** A command that is answered by one line. What fails is answered by its stack trace. */
abstract class TextCommand extends AbstractCommand {
    TextCommand(String name) {
        commandName = name;
    }

    /** Reads the command, which gives an answer once it is carried out. */
    abstract Answer read(Request request) throws IOException;

    /** Carries out a command that has been read. */
    interface Answer {
        /** Returns the answer, with its end. */
        String make() throws Exception;
    }

    @Override
    public void execute(String name, BufferedReader reader, BufferedWriter writer) throws IOException {
        Answer answer = read(new Request(reader, gateway));
        writer.write(made(answer));
        writer.flush();
    }

    private static String made(Answer answer) {
        try {
            return answer.make();
        } catch (Exception | Error error) {
            return Protocol.getOutputErrorCommand(error);
        }
    }

    /** Returns the answer of a value. */
    final String answer(Object value) {
        return Protocol.getOutputCommand(gateway.getReturnObject(value));
    }

    /** Returns the answer of a call. */
    static String answer(ReturnObject value) {
        return Protocol.getOutputCommand(value);
    }
}

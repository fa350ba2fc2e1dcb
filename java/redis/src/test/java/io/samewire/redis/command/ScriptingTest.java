package io.samewire.redis.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.redis.resp.Reply;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Scripts and functions. */
@ParameterizedClass
@ValueSource(ints = {2, 3})
class ScriptingTest extends OnServer {
    ScriptingTest(int protocol) {
        super(protocol);
    }

    private static final String LIBRARY = """
        #!lua name=mylib
        redis.register_function{function_name='echo', callback=function(keys, args) return args[1] end,
            flags={'no-writes'}}
        """;

    @Test
    void runsScripts() {
        assertEquals(1L, run(Scripting.eval("return 1", List.of()).as(Reading.LONG)));
        assertEquals("kv", run(Scripting.eval("return KEYS[1] .. ARGV[1]", List.of("k"), "v").as(Text.STRING)));
        Reply any = run(Scripting.evalRo("return {1, 'a', {2.9}, false}", List.of()));
        assertEquals(4, ((Reply.Array) any).elements().size());
        assertEquals(List.of(1L, 2L), run(Scripting.eval("return {1, 2}", List.of()).as(Reading.list(Reading.LONG))));
        assertEquals("NO", refused(Scripting.eval("return redis.error_reply('NO way')", List.of())));
        String sha = run(Scripting.scriptLoad("return 5"));
        assertEquals(5L, run(Scripting.evalsha(sha, List.of()).as(Reading.LONG)));
        assertEquals(5L, run(Scripting.evalshaRo(sha, List.of()).as(Reading.LONG)));
        assertEquals(List.of(true, false), run(Scripting.scriptExists(sha, "0".repeat(40))));
        assertEquals("return 5", run(Scripting.scriptShow(sha)));
        run(Scripting.scriptFlush().flushType(FlushMode.SYNC));
        assertEquals("NOSCRIPT", refused(Scripting.evalsha(sha, List.of())));
        assertEquals("NOTBUSY", refused(Scripting.scriptKill()));
        assertFalse(run(Scripting.scriptHelp()).isEmpty());
    }

    @Test
    void runsFunctions() {
        run(Scripting.functionFlush());
        assertEquals("mylib", run(Scripting.functionLoad(LIBRARY)));
        assertEquals("mylib", run(Scripting.functionLoad(LIBRARY).replace()));
        assertEquals("v", run(Scripting.fcall("echo", List.of(), "v").as(Text.STRING)));
        assertEquals("v", run(Scripting.fcallRo("echo", List.of("k"), "v").as(Text.STRING)));
        FunctionLibrary library = run(Scripting.functionList().libraryname("my*").withcode()).get(0);
        assertEquals("mylib", library.name());
        assertEquals("LUA", library.engine());
        assertEquals(Optional.of(LIBRARY), library.code());
        assertEquals(List.of(new FunctionLibrary.Function("echo", Optional.empty(), Set.of("no-writes"))),
            library.functions());
        assertEquals(Optional.empty(), run(Scripting.functionList()).get(0).code());
        Bytes dump = Bytes.wrap(run(Scripting.functionDump()));
        run(Scripting.functionDelete("mylib"));
        run(Scripting.functionRestore(dump).policy(RestorePolicy.APPEND));
        assertTrue(run(Scripting.functionStats()).containsKey("engines"));
        assertEquals("NOTBUSY", refused(Scripting.functionKill()));
    }
}

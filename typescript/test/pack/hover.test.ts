import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** Editors show the values' own types where the pointer rests on a name, and not how they are inferred. */
const SHOWN: readonly (readonly [declaration: string, shown: string])[] = [
  ['const Book = pack.struct("Book", { id: pack.string, year: pack.i32 })', 'const Book: pack.StructType<"Book", { id: string; year: number; }>'],
  ["type BookValue = pack.Infer<typeof Book>", "type BookValue = { id: string; year: number; }"],
  ['const Note = pack.struct("Note", { text: pack.option(pack.string), size: pack.field(pack.i64, { default: 7n }) })', 'const Note: pack.StructType<"Note", { text: string | null; size: bigint; }>'],
  ["type NoteValue = pack.Infer<typeof Note>", "type NoteValue = { text: string | null; size: bigint; }"],
  ['type Color = pack.Infer<typeof Colors>; const Colors = pack.enumeration("Color", ["red", "green"])', 'type Color = "red" | "green"'],
  ["const Pair = pack.tuple(pack.f64, Book)", "const Pair: pack.Type<[number, { id: string; year: number; }]>"],
  ['const Shelf = pack.codec(pack.struct("Shelf", { top: Book, all: pack.list(Book), spot: Pair, by: pack.map(pack.uuid, Book) }))', 'const Shelf: pack.Codec<{ top: { id: string; year: number; }; all: { id: string; year: number; }[]; spot: [number, { id: string; year: number; }]; by: Map<string, { id: string; year: number; }>; }>'],
  ["const shelf = Shelf.decode(new Uint8Array())", "const shelf: { top: { id: string; year: number; }; all: { id: string; year: number; }[]; spot: [number, { id: string; year: number; }]; by: Map<string, { id: string; year: number; }>; }"],
  ["const first = shelf.all[0]!", "const first: { id: string; year: number; }"],
  ["const Item = pack.union([Book, Note])", 'const Item: pack.Type<{ type: "Book"; id: string; year: number; } | { type: "Note"; text: string | null; size: bigint; }>'],
  ["class Account { declare owner: string; #cents = 0n; get cents() { return this.#cents; } }", "class Account"],
  ['const Payer = pack.union([pack.struct("Account", { owner: pack.string }, { class: Account }), Book])', 'const Payer: pack.Type<{ type: "Book"; id: string; year: number; } | ({ type: "Account"; } & Account)>'],
  ["interface Tree { name: string; kids: Tree[] }", "interface Tree"],
  ['const Trees: pack.Type<Tree> = pack.struct("Tree", { name: pack.string, kids: pack.list(pack.recursive(() => Trees)) })', "const Trees: pack.Type<Tree>"],
  ["const trees = pack.codec(pack.list(Trees)).decode(new Uint8Array())", "const trees: Tree[]"],
];

const file = fileURLToPath(new URL("../../../test/pack/shown.ts", import.meta.url));
const source = ['import * as pack from "../../src/pack/index.js"', ...SHOWN.map(([declaration]) => declaration), ""].join(";\n");

function service(): ts.LanguageService {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true, exactOptionalPropertyTypes: true, lib: ["lib.es2022.d.ts", "lib.dom.d.ts"], types: [],
  };
  const read = (path: string): string | undefined => (path === file ? source : ts.sys.readFile(path));
  return ts.createLanguageService({
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (path) => {
      const text = read(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => fileURLToPath(new URL("../../../", import.meta.url)),
    getCompilationSettings: () => options,
    getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
    fileExists: (path) => path === file || ts.sys.fileExists(path),
    readFile: read,
  });
}

test("editors show types of values without how they are inferred", () => {
  const editor = service();
  assert.deepEqual(editor.getSemanticDiagnostics(file).map(({ messageText }) => messageText), []);
  for (const [declaration, shown] of SHOWN) {
    const name = /\w+ (\w+)/.exec(declaration)![1]!;
    const info = editor.getQuickInfoAtPosition(file, source.indexOf(declaration) + declaration.indexOf(` ${name}`) + 1);
    assert.equal(ts.displayPartsToString(info?.displayParts).replace(/\s+/g, " "), shown);
  }
});

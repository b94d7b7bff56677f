/** Is source code cut into its functions and classes? */
import { describe, expect, it } from 'vitest';
import { codeShapeOf } from '../../../../src/engine/parse/kinds.ts';
import { readParts } from '../read-parts.ts';

interface Case {
  name: string;
  code: string;
  /** Level and kind, then the block's first line. */
  expected: string[];
}

const cases: Case[] = [
  {
    name: 'a.ts',
    code: "import a from 'a';\n\nconst N = 5;\n\n/** Doc. */\nexport class Store extends Base\n  implements Open {\n  private n = 1;\n\n  /** Does. */\n  open(): void {\n    if (a) {\n      go('}');\n    } else {\n      stay();\n    }\n  }\n\n  close() {}\n}\n\nexport function top(): string {\n  return `\n}`;\n}\n",
    expected: [
      "0 import a from 'a';",
      '0 /** Doc. */',
      '#1 export class Store extends Base',
      '1   private n = 1;',
      '1   /** Does. */',
      '1   close() {}',
      '0 export function top(): string {',
    ],
  },
  {
    name: 'a.py',
    code: 'import os\n\nclass A(Base):\n    """Doc."""\n\n    @property\n    def one(self):\n        return 1\n\n    class Inner:\n        def deep(self):\n            pass\n\ndef main():\n    pass\n\nif True:\n    main()\n',
    expected: [
      '0 import os',
      '#1 class A(Base):',
      '1     """Doc."""',
      '1     @property',
      '#2     class Inner:',
      '2         def deep(self):',
      '0 def main():',
      '0 if True:',
    ],
  },
  {
    name: 'a.cs',
    code: 'using System;\n\nnamespace Acme\n{\n    public class Invoice\n    {\n        public int Id { get; set; }\n\n        public decimal Total()\n        {\n            return 1;\n        }\n    }\n\n    public enum Kind\n    {\n        A,\n        B\n    }\n}\n',
    expected: [
      '0 using System;',
      '#1 namespace Acme',
      '#2     public class Invoice',
      '2         public int Id { get; set; }',
      '2         public decimal Total()',
      '#2     public enum Kind',
      '2         A,',
    ],
  },
  {
    name: 'a.cpp',
    code: '#include <vector>\n\nnamespace acme {\n\nclass Foo {\n public:\n  int bar();\n};\n\nint Foo::bar() {\n  return 1;\n}\n\n}  // namespace acme\n',
    expected: [
      '0 #include <vector>',
      '#1 namespace acme {',
      '#2 class Foo {',
      '2  public:',
      '1 int Foo::bar() {',
    ],
  },
  {
    name: 'a.rb',
    code: "require 'x'\n\nmodule Acme\n  class Foo\n    def bar\n      1\n    end\n\n    def baz\n      2\n    end\n  end\nend\n",
    expected: ["0 require 'x'", '#1 module Acme', '#2   class Foo', '2     def bar', '2     def baz'],
  },
  {
    name: 'a.go',
    code: 'package main\n\nimport (\n\t"fmt"\n)\n\ntype S struct {\n\tN int\n}\n\nfunc (s *S) Run() {\n\tfmt.Println(s.N)\n}\n',
    expected: ['0 package main', '0 import (', '0 type S struct {', '0 func (s *S) Run() {'],
  },
  {
    name: 'a.rs',
    code: 'use std::fmt;\n\npub struct P {\n    x: i32,\n}\n\nimpl P {\n    pub fn new() -> Self {\n        P { x: 1 }\n    }\n}\n\nfn main() {\n    P::new();\n}\n',
    expected: [
      '0 use std::fmt;',
      '#1 pub struct P {',
      '1     x: i32,',
      '#1 impl P {',
      '1     pub fn new() -> Self {',
      '0 fn main() {',
    ],
  },
  {
    name: 'a.java',
    code: 'package a;\n\n@Service\npublic final class Billing {\n    private int n;\n\n    @Override\n    public String toString() {\n        return "{";\n    }\n}\n',
    expected: [
      '0 package a;',
      '0 @Service',
      '#1 public final class Billing {',
      '1     private int n;',
      '1     @Override',
    ],
  },
  { name: 'a.sql', code: 'select 1;\n\nselect a,\n  b\nfrom t;\n', expected: ['0 select 1;', '0 select a,'] },
  {
    name: 'broken.js',
    code: 'function a() {\n  x({{{;\n}\n\nfunction b() {\n  return 2;\n}\n',
    expected: ['0 function a() {', '0 function b() {'],
  },
];

describe('parseCode', () => {
  it.each(cases)('cuts $name into functions under their classes', async ({ name, code, expected }) => {
    const { blocks } = await readParts(name, code);
    const found = blocks.map(
      ({ kind, level, text }) => `${kind === 'heading' ? '#' : ''}${level} ${text.split('\n')[0]}`,
    );
    expect(found).toEqual(expected);
  });

  it.each(cases)('keeps every line of $name under its number', async ({ name, code }) => {
    const { blocks } = await readParts(name, code);
    const found = blocks.flatMap(({ text, spans }) =>
      spans.map(({ start, end, anchor }) => [anchor.kind === 'lines' && anchor.from, text.slice(start, end)]),
    );
    expect(found).toEqual(code.split('\n').flatMap((line, i) => (line.trim() === '' ? [] : [[i + 1, line]])));
  });

  it('knows more than twenty languages by extension', () => {
    const names = [
      'a.ts',
      'a.js',
      'a.py',
      'a.java',
      'a.kt',
      'a.c',
      'a.cpp',
      'a.cs',
      'a.go',
      'a.rs',
      'a.rb',
      'a.php',
      'a.swift',
      'a.scala',
      'a.sh',
      'a.sql',
      'a.lua',
      'a.r',
      'a.pl',
      'a.dart',
      'a.css',
      'a.json',
      'a.yaml',
      'Dockerfile',
    ];
    expect(names.filter((name) => codeShapeOf(name) === undefined)).toEqual([]);
  });

  it('reads a file with one line of megabytes', async () => {
    const { text, blocks } = await readParts('a.json', `{"a":[${'1,'.repeat(1_000_000)}1]}`);
    expect(text.replaceAll('\n', '')).toHaveLength(2_000_009 - 0);
    expect(Math.max(...blocks.map((block) => block.text.length))).toBeLessThan(50_000);
  });
});

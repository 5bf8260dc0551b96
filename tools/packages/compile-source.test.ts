import { describe, expect, it } from 'vitest';
import { compileSource } from './compile-source.ts';

describe('a source compiled for a package', () => {
  it('imports compiled files, and packages by their names', () => {
    const source = [
      `import { type A, a } from './a.ts';`,
      `import type { B } from './b.ts';`,
      `export { c, d } from '../c.ts';`,
      `export * from './e.ts';`,
      `import pg from 'pg';`,
      `const f = await import('./f.ts');`,
      '',
    ].join('\n');
    expect(
      compileSource('x.ts', source)
        .split('\n')
        .map((line) => line.replaceAll(/ +/g, ' ').trim()),
    ).toEqual([
      `import { a } from './a.js';`,
      '',
      `export { c, d } from '../c.js';`,
      `export * from './e.js';`,
      `import pg from 'pg';`,
      `const f = await import('./f.js');`,
      '',
    ]);
  });

  it('starts the compiled worker', () => {
    const source = `const worker: URL = new URL('./send-worker.ts', import.meta.url);`;
    expect(compileSource('x.ts', source)).toContain(`new URL('./send-worker.js', import.meta.url)`);
  });

  it('keeps every line and column where it was', () => {
    const source = `interface A {\n  b: string;\n}\nexport const c = (d: A): string => d.b;\n`;
    const compiled = compileSource('x.ts', source);
    expect(compiled.split('\n')).toHaveLength(5);
    expect(compiled.indexOf('=> d.b')).toBe(source.indexOf('=> d.b'));
  });

  it('leaves strings and comments unchanged', () => {
    const source = `// import './a.ts'\nexport const b = 'import c from "d"';\n`;
    expect(compileSource('x.ts', source.replace(`'./a.ts'`, '`./a.ts`'))).toContain('import c from "d"');
  });

  it('is refused if it still refers to a source file', () => {
    expect(() => compileSource('x.ts', `readFileSync('./a.ts');`)).toThrow(`x.ts: './a.ts' leads to a source`);
  });
});

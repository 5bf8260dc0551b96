import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkWords } from './check-words/check-words.ts';
import { PHRASE_EXCEPTIONS, PHRASES } from './check-words/phrases.ts';

// Checks that no sentence of the code, the tests and the documentation contains a phrase that the project does not use.

const FILES = [
  '*.md',
  'docs/**/*.md',
  'bench/**/*.{md,ts}',
  'tools/**/*.ts',
  'packages/*/{bin,src,test}/**/*.{js,md,ts,tsx}',
];
/** Generated from checked files, or about the phrases themselves. */
const SKIPPED = ['**/node_modules/**', '**/generated/**', 'tools/check-words/phrases.ts', 'tools/check-words.test.ts'];

if (import.meta.main) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const paths = globSync(FILES, { cwd: root, exclude: SKIPPED }).sort();
  const files = paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
  const findings = checkWords(files, PHRASES, PHRASE_EXCEPTIONS);
  for (const { path, line, message } of findings) console.error(`${path}:${line}  ${message}`);
  console.log(`check-words: ${files.length} files, ${PHRASES.length} phrases, ${findings.length} found`);
  // A check that reads nothing would report success forever.
  process.exitCode = findings.length === 0 && files.length > 0 ? 0 : 1;
}

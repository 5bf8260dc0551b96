import { describe } from 'vitest';
import { at, expectEach, type Fault } from './planted-house.ts';

const CONTENTS: readonly Fault[] = [
  [
    'files do not import each other',
    at('users/a.ts', `import './b.ts';`, ['users/b.ts', `import type { A } from './a.ts';`]),
    ['users/a.ts:1 import-cycle'],
  ],
  ['a file does not import itself', at('users/a.ts', `import './a.ts';`), ['users/a.ts:1 import-cycle']],
  ['a drawer is refused', at('users/helpers.ts', ''), ['users/helpers.ts:1 drawer']],
  ['a folder of drawers is refused', at('users/shared/a.ts', ''), ['users/shared/a.ts:1 drawer']],
  ['a labelled drawer is refused', at('users/date-utils.ts', ''), ['users/date-utils.ts:1 drawer']],
  ['a name with a meaning is not a drawer', at('users/common-passwords.ts', ''), []],
  ['301 lines are too many', at('users/a.ts', 'export {};\n'.repeat(301)), ['users/a.ts:301 long-file']],
  ['300 lines are not too many', at('users/a.ts', 'export {};\n'.repeat(300)), []],
  ['generated code may be long', at('database/generated/a.ts', 'export {};\n'.repeat(301)), []],
  [
    'a select belongs in queries.ts',
    at('users/a.ts', `const q = \`\n  select \${1} from users where id = 1\`;`),
    ['users/a.ts:1 stray-sql'],
  ],
  ['upper case is SQL too', at('users/a.ts', `const q = 'UPDATE users SET name = $1';`), ['users/a.ts:1 stray-sql']],
  [
    'an insert, a delete and a with are SQL',
    at('users/a.ts', `f('insert into a values (1)',\n'delete from a',\n'with b as (select 1) select 2');`),
    [1, 2, 3].map((line) => `users/a.ts:${line} stray-sql`),
  ],
  [
    'a sentence is not SQL',
    at('users/a.ts', `f('Select a card from the list', 'update the card', 'with a card', 'delete it');`),
    [],
  ],
  ['a file named after its queries may contain SQL', at('users/login-queries.ts', `f('select 1');`), []],
  [
    'a foundation also keeps SQL in query files',
    at('http/a.ts', `f('select 1');`, ['http/a-queries.ts', `f('select 1');`]),
    ['http/a.ts:1 stray-sql'],
  ],
  [
    'the environment is read only in config',
    at(
      'http/a.ts',
      `f(process.env.A);\nf(process['env']);\nconst { env } = process;\nimport { env as e } from 'node:process';`,
    ),
    [1, 2, 3, 4].map((line) => `http/a.ts:${line} stray-environment`),
  ],
  [
    'a variable named env is not the environment',
    at('http/a.ts', `import { env } from './b.ts';`, ['http/b.ts', 'export const env = options.env;']),
    [],
  ],
  [
    'a room uses the clock',
    at('users/a.ts', `f(Date.now());\nf(new Date());\nf(Date());\nf(new Date(0));`),
    [1, 2, 3].map((line) => `users/a.ts:${line} stray-clock`),
  ],
  [
    "a room's statement uses the clock",
    at('users/queries.ts', `f(\`select 1 where a < now()\`, \`\${clock.now()}\`);`),
    ['users/queries.ts:1 stray-clock'],
  ],
  ['a foundation may read the time', at('log/a.ts', `f(Date.now(), new Date());`), []],
  ['a file that cannot be read is reported', at('users/a.ts', '\nimport {'), ['users/a.ts:2 unreadable-file']],
];

describe('file contents', () => expectEach(CONTENTS));

import { describe } from 'vitest';
import { at, expectEach, type Fault } from './planted-house.ts';

const ROOMS: readonly Fault[] = [
  [
    'a room enters only the rooms it is given',
    at('users/a.ts', `import '../billing/index.ts';`),
    ['users/a.ts:1 arrow'],
  ],
  [
    'a type import counts',
    at('users/a.ts', `\nimport type { billing } from '../billing/index.ts';`),
    ['users/a.ts:2 arrow'],
  ],
  [
    'an import type counts',
    at('users/a.ts', `type B = typeof import('../billing/index.ts').billing;`),
    ['users/a.ts:1 arrow'],
  ],
  ['a re-export counts', at('users/a.ts', `export * from '../billing/index.ts';`), ['users/a.ts:1 arrow']],
  [
    'a named re-export counts',
    at('users/a.ts', `export { billing } from '../billing/index.ts';`),
    ['users/a.ts:1 arrow'],
  ],
  ['a dynamic import counts', at('users/a.ts', 'await import(`../billing/index.ts`);'), ['users/a.ts:1 arrow']],
  ['a required file counts', at('users/a.ts', `require('../billing/index.ts');`), ['users/a.ts:1 arrow']],
  [
    'a worker thread counts',
    at('users/a.ts', `new URL('../billing/index.ts', import.meta.url);`),
    ['users/a.ts:1 arrow'],
  ],
  [
    'a room is entered by its front door',
    at('auth/a.ts', `import '../users/find-user.ts';`, 'users/find-user.ts'),
    ['auth/a.ts:1 front-door'],
  ],
  [
    'a sub-room is closed to other rooms',
    at('licensing/a.ts', `import '../billing/plans/index.ts';`, 'billing/plans/index.ts'),
    ['licensing/a.ts:1 front-door'],
  ],
  [
    'a sub-room is open to its own room by its front door',
    at('billing/a.ts', `import './plans/index.ts';`, 'billing/plans/index.ts'),
    [],
  ],
  [
    'a sub-room with a front door has no other',
    at('billing/a.ts', `import './plans/b.ts';`, 'billing/plans/index.ts', 'billing/plans/b.ts'),
    ['billing/a.ts:1 front-door'],
  ],
  [
    'a folder without a front door is part of its room',
    at('billing/a.ts', `import './plans/b.ts';`, 'billing/plans/b.ts'),
    [],
  ],
  [
    'a foundation is entered by a front door',
    at('users/a.ts', `import '../http/listener/listen.ts';`),
    ['users/a.ts:1 front-door'],
  ],
  [
    'a foundation enters only those to its right',
    at('database/a.ts', `import '../jobs/index.ts';`, 'jobs/index.ts'),
    ['database/a.ts:1 arrow'],
  ],
  [
    'a foundation enters no room',
    at('http/a.ts', `import type { User } from '../users/index.ts';`),
    ['http/a.ts:1 arrow'],
  ],
  ['http does not enter mail', at('http/a.ts', `import '../mail/index.ts';`), ['http/a.ts:1 arrow']],
  ['mail does not enter http', at('mail/a.ts', `import '../http/index.ts';`), ['mail/a.ts:1 arrow']],
  ['mail enters events', at('mail/a.ts', `import '../events/index.ts';`, 'events/index.ts'), []],
  ['the operator enters any front door', at('operator/a.ts', `import '../billing/index.ts';`), []],
  ['the operator does not enter main', at('operator/a.ts', `import '../main.ts';`), ['operator/a.ts:1 arrow']],
  ['no room enters app', at('users/a.ts', `import '../app.ts';`), ['users/a.ts:1 arrow']],
  [
    'rooms.ts enters no file above it',
    at('rooms.ts', `import './app.ts';\nexport const rooms = [];`),
    ['app.ts:1 import-cycle', 'rooms.ts:1 arrow'],
  ],
  ['a room that is not listed is refused', at('coupons/index.ts', ''), ['coupons/index.ts:1 unknown-room']],
  ['a top file that is not listed is refused', at('server.ts', ''), ['server.ts:1 unknown-room']],
  [
    'source does not enter a test',
    at('users/a.ts', `import '../../test/harness/start.ts';`),
    ['users/a.ts:1 test-in-source'],
  ],
  [
    'a computed import is refused',
    at('users/a.ts', `const b = 'c';\nawait import(b);`),
    ['users/a.ts:2 computed-import'],
  ],
  [
    'an import without a file extension is refused',
    at('users/a.ts', `import '../billing';`),
    ['users/a.ts:1 unresolved-import'],
  ],
  ['an alias is refused', at('users/a.ts', `import '#billing';`), ['users/a.ts:1 hidden-import']],
];

const PACKAGES: readonly Fault[] = [
  [
    'the client imports nothing of ours',
    { 'packages/client/src/a.ts': `import '@seathold/server/operator';` },
    ['packages/client/src/a.ts:1 package-arrow'],
  ],
  [
    'the server imports nothing of ours',
    at('users/a.ts', `import '@seathold/client';`),
    ['users/a.ts:1 package-arrow'],
  ],
  ['a test of the server may use the client', { 'packages/server/test/a.test.ts': `import '@seathold/client';` }, []],
  [
    'the server does not import itself by name',
    at('users/a.ts', `import '@seathold/server/operator';`),
    ['users/a.ts:1 package-arrow'],
  ],
  [
    'the command line enters the server by two exports only',
    { 'packages/cli/src/a.ts': `import '@seathold/server/app';` },
    ['packages/cli/src/a.ts:1 package-arrow'],
  ],
  [
    'a package whose name merely starts like one of ours is not ours',
    { 'packages/cli/src/a.ts': `import '@seathold/client-tools';` },
    [],
  ],
  [
    'the dashboard does not enter the server',
    { 'packages/dashboard/src/a.ts': `import '@seathold/server/serve';` },
    ['packages/dashboard/src/a.ts:1 package-arrow'],
  ],
  [
    'no package is entered by its files',
    { 'packages/dashboard/src/a.ts': `import '../../client/src/index.ts';` },
    ['packages/dashboard/src/a.ts:1 package-by-path'],
  ],
  [
    'a test of any package may use the server',
    { 'packages/client/src/a.test.ts': `import '../../server/src/app.ts';` },
    [],
  ],
  [
    'no package imports a tool',
    at('users/a.ts', `import '../../../../tools/generate.ts';`),
    ['users/a.ts:1 tool-in-package'],
  ],
  [
    'a package that is not listed imports none of ours',
    { 'packages/extra/src/a.ts': `import '@seathold/client';` },
    ['packages/extra/src/a.ts:1 unknown-package'],
  ],
];

describe('between rooms', () => expectEach(ROOMS));

describe('between packages', () => expectEach(PACKAGES));

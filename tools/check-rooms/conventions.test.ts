import { describe, expect, it } from 'vitest';
import { checkRooms } from '../check-rooms.ts';
import { at, build, expectEach, type Fault, SOUND } from './planted-house.ts';

const CONVENTIONS: readonly Fault[] = [
  ['an object is created, not opened', at('users/a.ts', 'export function openDoor() {}'), ['users/a.ts:1 verb']],
  ['an object is created, not made', at('users/a.ts', 'export const makeDoor = () => 1;'), ['users/a.ts:1 verb']],
  ['a word that begins with a verb is another word', at('users/a.ts', 'export function opening() {}'), []],
  ['a function that is not exported may have any name', at('users/a.ts', 'function openDoor() {}\nopenDoor();'), []],
  [
    'a command line keeps the conventions',
    { 'packages/cli/src/a.ts': 'export function openDoor() {}' },
    ['packages/cli/src/a.ts:1 verb'],
  ],
  ['a test may use any names', at('users/a.test.ts', 'export function openDoor() {}'), []],
  ['a room reads nothing', at('users/a.ts', 'export function readUser() {}'), ['users/a.ts:1 verb']],
  ['a foundation reads files', at('config/a.ts', 'export function readFile() {}'), []],
  [
    'a use case that gets one thing has a file of its name',
    at('users/get-user.ts', 'export function getUser() {}'),
    [],
  ],
  ['no other function starts with get', at('users/a.ts', 'export function getUser() {}'), ['users/a.ts:1 verb']],
  [
    'a statement starts with what it does to rows',
    at(
      'users/queries.ts',
      `import { statement } from '../database/index.ts';\nconst bump = statement({ name: 'bump' });\nexport const findUser = statement({ name: 'find_user' });`,
    ),
    ['users/queries.ts:2 statement-verb'],
  ],
  [
    'context comes before tools, and tools before input',
    at(
      'users/a.ts',
      [
        'export function createUser(context: AuthorizedContext, tools: UserTools, input: object) {}',
        'export function changeUser(tools: UserTools, context: AuthorizedContext, input: object) {}',
        'export function removeUser(id: string, tools: Pick<UserTools, "mailer">) {}',
        'export function mailUser(user: object, tx: Queries) {}',
        'export const listUsers = async ({ database }: RequestContext, page: object) => 1;',
        'export function decideUser(user: object, nowMs: number) {}',
      ].join('\n'),
    ),
    [2, 3, 4].map((line) => `users/a.ts:${line} argument-order`),
  ],
  [
    'an argument may have a default or be destructured',
    at(
      'users/a.ts',
      'export function a({ mailer }: UserTools, database: Queries) {}\nexport function b(n = 1, tx: Queries) {}',
    ),
    ['users/a.ts:1 argument-order', 'users/a.ts:2 argument-order'],
  ],
  [
    'a context type of Node.js is not one of ours',
    at('users/a.ts', 'export function a(n: number, c: SecureContext) {}'),
    [],
  ],
  [
    'dependencies are called tools',
    at(
      'users/a.ts',
      'interface UserDeps {}\nexport type Dependencies = object;\nexport function createUsers(deps: object) {}',
    ),
    [1, 2, 3].map((line) => `users/a.ts:${line} tools`),
  ],
];

describe('conventions', () => {
  expectEach(CONVENTIONS);

  const root = () => build({ ...SOUND, ...at('users/a.ts', 'export function openDoor() {}') });
  const path = 'packages/server/src/users/a.ts';

  it('accepts an exception only with a reason', async () => {
    const exceptions = [{ path, name: 'openDoor', reason: 'it is a door' }];
    expect((await checkRooms(root(), { exceptions })).violations).toEqual([]);
  });

  it('refuses an exception that nothing needs', async () => {
    const exceptions = [
      { path, name: 'openDoor', reason: 'it is a door' },
      { path, name: 'openWindow', reason: 'it is gone' },
    ];
    const { violations } = await checkRooms(root(), { exceptions });
    expect(violations.map(({ rule }) => rule)).toEqual(['unused-exception']);
  });
});

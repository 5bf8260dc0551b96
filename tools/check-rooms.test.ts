import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { at, build, SOUND } from './check-rooms/planted-house.ts';
import { checkRooms } from './check-rooms.ts';

const SRC = 'packages/server/src';
const CHECKER = fileURLToPath(new URL('check-rooms.ts', import.meta.url));

describe('check-rooms', () => {
  it('finds nothing wrong with sound code', async () => {
    const { violations, rooms } = await checkRooms(build(SOUND));
    expect(violations).toEqual([]);
    expect(rooms).toBe(2);
  });

  it('fails when it sees no file at all', async () => {
    expect(await rulesOf(build({}))).toEqual(['blind-checker', 'blind-checker']);
  });

  it('fails when it sees no import', async () => {
    expect(await rulesOf(build({ [`${SRC}/users/index.ts`]: 'export {};' }))).toEqual(['blind-checker']);
  });

  it('fails when it sees no room', async () => {
    expect(await rulesOf(build({ [`${SRC}/main.ts`]: `import 'node:fs';` }))).toEqual(['blind-checker']);
  });

  it('prints the place, the rule and what to do, and exits with 1', () => {
    const result = run(build({ ...SOUND, ...at('users/a.ts', `import '../app.ts';`) }));
    const line = `${SRC}/users/a.ts:1  arrow  users may not enter app: announce an event, or let app.ts hand in what it needs`;
    expect(result.stderr).toContain(`${line}\n`);
    expect(result.status).toBe(1);
  });

  it('exits with 0 when every arrow is kept', () => {
    const result = run(build(SOUND));
    expect(result).toMatchObject({ status: 0, stderr: '' });
    expect(result.stdout).toMatch(/^check-rooms: 20 files, \d+ imports, 2 rooms, 0 statements, every arrow kept\n$/);
  });
});

async function rulesOf(root: string): Promise<string[]> {
  return (await checkRooms(root)).violations.map((violation) => violation.rule);
}

function run(root: string) {
  return spawnSync(process.execPath, [CHECKER, root], { encoding: 'utf8' });
}

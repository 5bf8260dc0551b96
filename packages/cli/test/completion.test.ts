import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createBashCompletion } from '../src/completion/bash.ts';
import { createFishCompletion } from '../src/completion/fish.ts';
import { listPlaces } from '../src/completion/list-places.ts';
import { createZshCompletion } from '../src/completion/zsh.ts';
import { createProgram } from '../src/create-program.ts';

const runFile = promisify(execFile);
const PLACES = listPlaces(createProgram());

/** Runs bash's own completion, as the Tab key does. The last word is the one at the cursor. */
const it = test.extend('complete', { scope: 'file' }, async ({}, { onCleanup }) => {
  const folder = await mkdtemp(join(tmpdir(), 'seathold-completion-'));
  onCleanup(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'seathold.bash'), createBashCompletion(PLACES));
  await writeFile(join(folder, 'plans.yaml'), '');
  return async (...words: string[]) => {
    const script = `source ./seathold.bash; compopt() { :; }; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _seathold; printf '%s\\n' "\${COMPREPLY[@]}"`;
    // Outside of a shell, bash takes the pipe for a remote login, and reads the machine's bashrc.
    const { stdout, stderr } = await runFile('bash', ['--norc', '-u', '-c', script, 'bash', 'seathold', ...words], {
      cwd: folder,
    });
    expect(stderr).toBe('');
    return stdout.split('\n').filter((line) => line !== '');
  };
});

describe('in bash, seathold completion', () => {
  it.for([
    [['licen'], ['license']],
    [
      ['token', ''],
      ['create', 'list', 'revoke', 'help'],
    ],
    [['token', 'create', '--ro'], ['--role']],
    [
      ['token', 'create', '--role', ''],
      ['viewer', 'support', 'finance', 'owner'],
    ],
    [['token', 'create', '--role', '=', 'o'], ['owner']],
    [['payment', 'list', '--status', 'd'], ['declined']],
    [['refusals', '--watch', '--co'], ['--code']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['catalog', 'apply', 'pl'], ['plans.yaml']],
    [['export', 'invoices', '-o', 'pl'], ['plans.yaml']],
    [['token', '--nothing', 'cr'], ['create']],
  ] as const)('completes %j', async ([words, expected], { complete }) => {
    expect(await complete(...words)).toEqual(expected);
  });

  it('does not mistake the value of an option for a command', async ({ complete }) => {
    expect(await complete('token', 'create', '--name', 'list', '--ro')).toEqual(['--role']);
  });
});

describe('seathold completion', () => {
  it('names every command and option of the program in all three shells', () => {
    const scripts = [createBashCompletion, createZshCompletion, createFishCompletion].map((create) => create(PLACES));
    const names = PLACES.flatMap(({ commands, options }) => [
      ...commands.map(({ name }) => name),
      ...options.flatMap(({ names: all }) => all.map((name) => name.replace(/^-+/, ''))),
    ]);
    expect(names.length).toBeGreaterThan(100);
    for (const script of scripts) {
      expect(names.filter((name) => !script.includes(name))).toEqual([]);
    }
  });
});

import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import type { ImportGraph } from './import-graph.ts';

/** What `vitest --changed` asks. */
export function affectedTests(graph: ImportGraph) {
  return {
    findChangedFiles: async ({ changedSince }: { changedSince?: string | boolean }) =>
      findAffected(graph, listChanged(graph.root, typeof changedSince === 'string' ? changedSince : 'HEAD')),
  };
}

/**
 * The tests to run after a change: those next to it and those that import it. Most tests open the whole server, so if
 * everything that they load counted, each would run after every change. Without following the harness into the server,
 * only tests that import the changed part directly remain; the rest runs before a change is merged.
 */
export function findAffected(graph: ImportGraph, changed: readonly string[]): string[] {
  if (changed.some((path) => CONCERNS_ALL.test(path))) {
    return [...graph.tests];
  }
  const files = new Set(changed);
  const folders = changed.filter((path) => path.endsWith('.ts')).map((path) => dirname(path));
  return graph.tests.filter(
    (test) =>
      folders.some((folder) => isBeside(dirname(test), folder)) ||
      [...graph.reachableFrom(test, isFollowed)].some((path) => files.has(path)),
  );
}

/** In the same folder or above it, up to its room: a test of a room is about all of its folders. */
function isBeside(test: string, changed: string): boolean {
  const isInRoom = test.split('/').length >= DEPTH_OF_A_ROOM && ROOM.test(test);
  return test === changed || (isInRoom && changed.startsWith(`${test}/`));
}

function isFollowed(from: string, to: string): boolean {
  return !OPENS_ALL.test(from) && (!from.startsWith(HARNESS) || to.startsWith(HARNESS));
}

function listChanged(root: string, since: string): string[] {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).split('\0');
  const changed = [
    ...git('diff', '--name-only', '-z', '--relative', since),
    ...git('ls-files', '-z', '--others', '--exclude-standard'),
  ];
  return changed.filter((path) => path !== '');
}

const HARNESS = 'packages/server/test/harness/';
const ROOM = /^packages\/\w+\/src\//;
const DEPTH_OF_A_ROOM = 4;

/** These import every room. */
const OPENS_ALL = /^packages\/server\/src\/(?:app|rooms|serve|main|worker)\.ts$/;

const CONCERNS_ALL = /^packages\/server\/migrations\/|^package(?:-lock)?\.json$|^vitest\.config\.ts$|^tsconfig/;

import { test } from 'vitest';
import { requireInvariants } from '../harness/require-invariants.ts';
import { RestoreWorld } from './restore-world.ts';

/** A test in a world whose data breaks no invariant when the file is done. */
export function createRestoreTest(settings: Readonly<Record<string, string>> = {}) {
  const it = test.extend('world', { scope: 'file' }, async ({}, { onCleanup }) => {
    const world = await RestoreWorld.start(settings);
    onCleanup(() => world.close());
    return world;
  });
  it.afterAll(({ world }) => requireInvariants(world.shop.app.database));
  return it;
}

import { test } from 'vitest';
import { MailWorld } from './mail-world.ts';

/** A test of mails. Nothing has been queued or sent when it begins. */
export function createMailTest() {
  const it = test.extend('world', { scope: 'file' }, async ({}, { onCleanup }) => {
    const world = await MailWorld.start();
    onCleanup(() => world.close());
    return world;
  });
  it.beforeEach(({ world }) => world.empty());
  return it;
}

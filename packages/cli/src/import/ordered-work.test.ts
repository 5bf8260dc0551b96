import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { OrderedWork } from './ordered-work.ts';

it('an import never runs more tasks at a time than the limit, and finishes all of them', async () => {
  const work = new OrderedWork(3);
  const state = { running: 0, most: 0, done: 0 };
  for (let index = 0; index < 50; index += 1) {
    await work.start({ name: `${index}` }, async () => {
      state.running += 1;
      state.most = Math.max(state.most, state.running);
      await turn();
      state.running -= 1;
      state.done += 1;
    });
  }
  await work.drained();
  expect(state).toEqual({ running: 0, most: 3, done: 50 });
});

it('an import keeps tasks with the same name in order, and tasks that depend on other tasks', async () => {
  const work = new OrderedWork(4);
  const log: string[] = [];
  const organization = Promise.withResolvers<void>();
  await work.start({ name: 'organization' }, async () => {
    await organization.promise;
    log.push('organization');
  });
  await work.start({ name: 'license', after: 'organization' }, async () => void log.push('license'));
  await work.start({ name: 'license', after: 'organization' }, async () => void log.push('license again'));
  await work.start({ name: 'other' }, async () => void log.push('other'));
  await expect.poll(() => log).toEqual(['other']);
  organization.resolve();
  await work.drained();
  expect(log).toEqual(['other', 'organization', 'license', 'license again']);
});

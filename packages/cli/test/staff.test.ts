import { describe, expect } from 'vitest';
import { createCliTest } from './cli-world.ts';

const it = createCliTest().extend(
  'staff',
  ({ world, env }) =>
    (...words: string[]) =>
      world.run(['staff', ...words], { env: { ...env, SEATHOLD_ARGON2: 'm=1024,t=1,p=1' } }),
);
const linkIn = (text: string) => /https:\/\/\S+\/staff-setup\?token=(\S+)/.exec(text)?.[1] ?? '';

describe('seathold staff', () => {
  it('adds a new person with a one-time link, lists them, changes their role and removes them', async ({
    app,
    staff,
  }) => {
    expect((await staff('list')).stdout).toBe('No staff.\n');
    const owner = await app.register('Owner');
    const first = await staff('add', owner.email, '--role', 'owner');
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toContain(`${owner.email} is now on the staff with the role owner.`);
    const added = await staff('add', 'grace@example.com', '--role', 'viewer', '--json');
    const { setup_url: url, ...member } = JSON.parse(added.stdout);
    app.api.secrets.note('a one-time link', linkIn(url));
    expect(linkIn(url)).toMatch(/^svc_stf_\w{42}$/);
    expect(member).toMatchObject({ email: 'grace@example.com', role: 'viewer', two_factor_enabled: false });
    expect((await staff('set-role', 'grace@example.com', '--role', 'support')).stdout).toContain('the role support');
    expect((await staff('list')).stdout).toBe(
      `${owner.email}  owner    two-factor off\n${'grace@example.com'.padEnd(owner.email.length)}  support  two-factor off\n`,
    );
    expect((await staff('remove', 'grace@example.com')).stdout).toBe('grace@example.com is no longer on the staff.\n');
    const listed = JSON.parse((await staff('list', '--json')).stdout);
    expect(listed).toMatchObject([{ user_id: owner.userId, role: 'owner', created_by: null }]);
  });

  it('keeps the last owner, and reports people who are not on the staff', async ({ app, staff }) => {
    const owner = await app.register();
    for (const { email } of JSON.parse((await staff('list', '--json')).stdout)) {
      await staff('set-role', email, '--role', 'viewer');
    }
    await staff('add', owner.email, '--role', 'owner');
    for (const { email } of JSON.parse((await staff('list', '--json')).stdout)) {
      await (email === owner.email ? undefined : staff('remove', email));
    }
    const kept = await staff('remove', owner.email);
    expect([kept.code, kept.stderr.includes('The last owner')]).toEqual([5, true]);
    expect((await staff('set-role', owner.email, '--role', 'viewer')).code).toBe(5);
    expect((await staff('set-role', 'nobody@example.com', '--role', 'viewer')).code).toBe(4);
    expect((await staff('remove', 'nobody')).code).toBe(4);
    expect((await staff('add', 'nobody', '--role', 'viewer')).code).toBe(2);
    expect((await staff('add', owner.email, '--role', 'king')).code).toBe(2);
    expect((await staff('add', owner.email)).code).toBe(2);
  });
});
